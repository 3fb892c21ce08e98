import { DATE_STYLES } from '../../support/dateStyles';
import { ListService } from './listService';
import { LOOK_BACK, PollingN8n, START } from './pollingN8n';

const MINUTE = 60_000;
const AHEAD = 2 * MINUTE;

let service: ListService;
let n8n: PollingN8n;
beforeEach(() => useService(new ListService()));

function useService(other: ListService): void {
	service = other;
	n8n = new PollingN8n(service);
}

/** Lists so many conversations, one each second until `last`. */
function listUntil(last: number, count: number, processedDate?: unknown): void {
	for (let n = 0; n < count; n++) service.put(`${last}-${n}`, last - n * 1000, processedDate);
}

/** IDs in the order of the last delivery. */
const lastDelivered = () => n8n.running.at(-1)?.delivered.map((one) => one.split('@')[0]);

/** Loses the executions of these conversations, and of one processed so much later that a poll fetches these by ID. */
async function loseOld(...ids: string[]): Promise<void> {
	ids.forEach((id, n) => service.put(id, START + n));
	await n8n.poll();
	n8n.now += 60 * MINUTE;
	service.put('later', n8n.now);
	await n8n.poll();
	n8n.crash();
}

/** @returns how many requests the next poll sends */
async function requestsOfPoll(): Promise<number> {
	const before = service.requests;
	await n8n.poll();
	return service.requests - before;
}

describe('order', () => {
	test('delivers the oldest first when the service lists the newest first and not all fit', async () => {
		useService(new ListService(true));
		for (let n = 0; n < 5; n++) service.put(`c${n}`, START + n);
		n8n.limits.maxRows = 2;
		await n8n.poll();
		expect(lastDelivered()).toEqual(['c0', 'c1']);
	});

	test('delivers lost conversations by their latest dates, whichever was known first', async () => {
		service.put('processed again', START);
		service.put('processed once', START + 1);
		await n8n.poll();
		service.put('processed again', START + 2);
		await n8n.poll();
		await loseOld();
		await n8n.poll();
		expect(lastDelivered()).toEqual(['processed once', 'processed again', 'later']);
	});

	test('delivers lost conversations by the dates that they have when they are fetched', async () => {
		await loseOld('processed again', 'processed once');
		service.put('processed again', START + 2);
		await n8n.poll();
		expect(lastDelivered()).toEqual(['processed once', 'processed again', 'later']);
	});
});

describe('lost conversations', () => {
	test('are read from the list, not by ID, when one is at the very start of the range', async () => {
		service.put('c0', START);
		await n8n.poll();
		n8n.crash();
		// One more for what is dated in the future, as after each start.
		expect(await requestsOfPoll()).toBe(2);
		expect(lastDelivered()).toEqual(['c0']);
	});

	test('are left to later polls, however old, once a late poll has one to deliver', async () => {
		await loseOld('c0', 'c1', 'c2');
		n8n.limits.isLate = () => true;
		for (const id of ['c0', 'c1', 'c2', 'later']) {
			await n8n.poll();
			expect(lastDelivered()).toEqual([id]);
		}
	});

	test('are not fetched one by one when a late poll stops reading the list', async () => {
		listUntil(START + 500_000, 500);
		n8n.now = START + 500_000;
		await n8n.poll();
		n8n.crash();
		n8n.limits.isLate = () => true;
		expect(await requestsOfPoll()).toBe(1);
	});

	test('that the service refuses to return hold up no others, and are tried again until it does', async () => {
		await loseOld('c0', 'c1', 'c2');
		service.broken.set('c1', 400);
		await n8n.poll();
		expect(lastDelivered()).toEqual(['c0', 'c2', 'later']);
		expect(n8n.logged).toContain(
			'Workflow: Poll: cannot deliver conversation c1 again: The service refused the request; tries again later',
		);
		await n8n.end(0, 'success');
		for (let hour = 0; hour < 20; hour++) {
			service.put(`hour ${hour}`, (n8n.now += 60 * MINUTE));
			await n8n.poll();
			expect(lastDelivered()).toEqual([`hour ${hour}`]);
			await n8n.end(0, 'success');
		}
		service.broken.clear();
		n8n.now += 60 * MINUTE;
		await n8n.poll();
		expect(lastDelivered()).toEqual(['c1']);
	});

	test.each([200, 401, 403, 408, 429])('fail the poll when a status is not about one: %i', async (status) => {
		await loseOld('c0');
		service.broken.set('c0', status);
		await expect(n8n.poll()).rejects.toThrow('The service');
	});

	test('are delivered when processed again, although their processedDate was in the far future', async () => {
		await loseOld('c0');
		service.put('c0', START, '2099-01-01T00:00:00Z');
		await n8n.poll();
		service.put('c0', n8n.now);
		expect(await n8n.poll()).toBe(1);
	});

	test('are delivered once when processed again at the very end of what a poll reads', async () => {
		await loseOld('c0');
		service.put('c0', n8n.now + AHEAD);
		n8n.limits.maxRows = 1;
		await n8n.poll();
		expect(lastDelivered()).toEqual(['c0']);
		n8n.limits.maxRows = 500;
		await n8n.poll();
		expect(lastDelivered()).toEqual(['later']);
	});
});

describe('the position', () => {
	test('stays behind the last conversation of a long range, so that one listed late is found', async () => {
		listUntil(START + 100_000, 100);
		n8n.now = START + 600 * MINUTE;
		expect(await n8n.poll()).toBe(100);
		service.put('listed late', START + 100_001);
		expect(await n8n.poll()).toBe(1);
	});

	test('follows the slices that were read where no conversation has a readable date', async () => {
		for (let n = 0; n < 100; n++) service.put(`c${n}`, START + n * MINUTE, 'yesterday');
		n8n.now = START + 100 * MINUTE;
		expect(await n8n.poll()).toBe(100);
		// Three slices of 34 minutes: the last one starts after 68.
		expect(n8n.position.from).toBe(START + 68 * MINUTE - LOOK_BACK);
	});

	test('stays before what does not fit, although the filter changed later', async () => {
		listUntil(START + 3000, 3);
		n8n.now = START + 60 * MINUTE;
		n8n.users = [];
		n8n.limits.maxRows = 1;
		service.put('later', n8n.now + 1000);
		for (const id of [2, 1, 0].map((n) => `${START + 3000}-${n}`).concat('later')) {
			await n8n.poll();
			expect(lastDelivered()).toEqual([id]);
			await n8n.end(0, 'success');
		}
	});

	test('reaches the newest conversation when exactly as many fit as there are', async () => {
		const last = START + 22 * MINUTE;
		listUntil(last, 3);
		n8n.now = last;
		n8n.limits.maxRows = 3;
		await n8n.poll();
		expect(n8n.position.from).toBe(last - LOOK_BACK);
	});

	test('can move when a late poll without anything to deliver stops, not later', async () => {
		// The first slice ends its rows Look Back after the start, so the position cannot move yet.
		for (const minute of [10, 30, 50]) listUntil(START + minute * MINUTE, 40);
		for (const id of service.rows.keys()) service.unwanted.add(id);
		n8n.now = START + 60 * MINUTE - AHEAD;
		n8n.limits.isLate = () => true;
		expect(await requestsOfPoll()).toBeLessThanOrEqual(7);
		expect(n8n.position.from).toBeGreaterThan(START);
		expect(n8n.position.from).toBeLessThanOrEqual(START + 30 * MINUTE - LOOK_BACK);
	});
});

test.each(Object.entries(DATE_STYLES))(
	'delivers a conversation processed again when the service writes dates %s',
	async (_style, write) => {
		service.put('c0', START, write(START));
		expect(await n8n.poll()).toBe(1);
		expect(await n8n.poll()).toBe(0);
		service.put('c0', START + MINUTE, write(START + MINUTE));
		expect(await n8n.poll()).toBe(1);
		expect(n8n.logged).toEqual([]);
	},
);

test('says that it cannot notice what is processed again where dates cannot be read', async () => {
	service.put('c0', START, '01/03/2026');
	await n8n.poll();
	expect(n8n.logged.join()).toContain('The service writes processedDate as "01/03/2026"');
});

test('delivers a conversation processed again at the very end of what a poll reads', async () => {
	service.put('c0', START);
	await n8n.poll();
	service.put('c0', START + AHEAD);
	expect(await n8n.poll()).toBe(1);
});

test.each([0, 41, 1000, 3000])(
	'asks at most once for 40 of %i conversations that it knows',
	async (count) => {
		for (let n = 0; n < count; n++) service.put(`c${n}`, START + (n % 500) * 1000);
		n8n.now = START + 500_000;
		n8n.limits.maxRows = 5000;
		await n8n.settle();
		expect(n8n.deliveries.size).toBe(count);
		expect(await requestsOfPoll()).toBeLessThanOrEqual(1 + count / 40);
		service.put('new', START + 250_500);
		expect(await n8n.poll()).toBe(1);
	},
);
