import { Deliveries } from '../../../nodes/ConversationIntelligencePollTrigger/deliveries';
import { pollOnce } from '../../../nodes/ConversationIntelligencePollTrigger/collect';
import type { Position } from '../../../nodes/ConversationIntelligencePollTrigger/position';
import type { Source } from '../../../nodes/ConversationIntelligencePollTrigger/source';
import { OVERLAP, START } from './pollingN8n';

const MINUTE = 60_000;
/** POLL_DAYS=365 tests a year in about a minute. */
const DAYS = Number(process.env.POLL_DAYS ?? 14);
const BETWEEN = (24 * 60 * MINUTE) / 10_000;

test(`keeps the position below 300 conversations and 20 KB over ${DAYS} days of 10,000 conversations each`, async () => {
	let now = START;
	// Computed, because the list of a year would be too long to keep.
	const fetchPage: Source['fetchPage'] = async ({ from, to, page, limit }) => {
		const first = Math.ceil((from - START) / BETWEEN);
		const after = Math.floor((Math.min(to, now) - START) / BETWEEN) + 1;
		const start = first + (page - 1) * limit;
		const rows = Array.from({ length: Math.max(0, Math.min(limit, after - start)) }, (_, n) => ({
			conversationId: `00000000-0000-4000-8000-${String(start + n).padStart(12, '0')}`,
			processedDate: new Date(START + (start + n) * BETWEEN).toISOString(),
		}));
		return { lists: [{ total: Math.max(0, after - first), rows: () => rows }], at: now };
	};
	const fetchConversation = async () => await Promise.reject(new Error('Nothing is lost.'));
	const source: Source = { fetchPage, fetchConversation, isWanted: () => true, warn: () => {} };
	const limits = { overlapMs: OVERLAP, maxRows: 500, isLate: () => false };
	const deliveries = new Deliveries('activation');
	let position: Position = { start: 'activation', from: START, seen: {} };
	let delivered = 0;
	let most = 0;
	let bytes = 0;
	for (const end = START + DAYS * 24 * 60 * MINUTE; now < end; ) {
		now += 30 * MINUTE;
		const polled = await pollOnce(source, position, deliveries, now, limits);
		position = polled.position;
		if (polled.found.length > 0) deliveries.keepOnly(position.seen);
		delivered += polled.found.length;
		bytes = Math.max(bytes, JSON.stringify(position).length);
		await deliveries.follow(polled.delivered, Promise.reject({ reason: 'manual' }));
		most = Math.max(most, Object.keys(position.seen).length, deliveries.reconcile(position.seen).seen.size);
	}
	expect(delivered).toBe(DAYS * 10_000 + 1);
	expect(most).toBeLessThan(300);
	expect(bytes).toBeLessThan(20_000);
}, 120_000);
