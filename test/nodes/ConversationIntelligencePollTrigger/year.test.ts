import { ListService } from './listService';
import { LOOK_BACK, MINUTE, PollingN8n, START } from './pollingN8n';

/** POLL_DAYS=365 tests a year, as every night. */
const DAYS = Number(process.env.POLL_DAYS ?? 2);
const BETWEEN = (24 * 60 * MINUTE) / 10_000;

test(`keeps less than 300 conversations and 20 KB over ${DAYS} days of 10,000 each`, async () => {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	let delivered = 0;
	let count = 0;
	for (const end = START + DAYS * 24 * 60 * MINUTE; n8n.now < end; ) {
		n8n.now += 30 * MINUTE;
		for (; START + count * BETWEEN <= n8n.now; count++) {
			service.put(`00000000-0000-4000-8000-${String(count).padStart(12, '0')}`, START + count * BETWEEN);
		}
		delivered += await n8n.poll();
		await n8n.end(0);
		for (const record of [n8n.deliveries, n8n.ended, n8n.known]) record.clear();
		// After each poll, all that the process knows is in the position.
		expect(Object.keys(n8n.position.seen).length).toBeLessThan(300);
		expect(n8n.saved.length).toBeLessThan(20_000);
		// Older ones are never listed again, and a year of them would be too much to keep.
		for (const [id, { processed }] of service.rows) {
			if (processed >= n8n.now - 3 * LOOK_BACK) break;
			service.rows.delete(id);
		}
	}
	expect(delivered).toBe(count);
}, 900_000);
