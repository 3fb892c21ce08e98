import { DATE_STYLES } from '../../support/dateStyles';
import { OTHER_USER, type ListService } from './listService';
import { HOUR, LOOK_BACK, MINUTE, PollingN8n, START } from './pollingN8n';

const OF_OTHER = { user: { email: OTHER_USER } };

let service: ListService;
let n8n: PollingN8n;
beforeEach(() => void ({ service } = n8n = new PollingN8n()));

/** Lists so many conversations, one each second until `last`. */
function listUntil(last: number, count: number, fields = {}): void {
	for (let n = 0; n < count; n++) service.put(`${last}-${n}`, last - n * 1000, fields);
}

/** Loses (or fails) the executions of these, and of one processed so much later that a poll fetches these by ID. */
async function loseOld(...ids: string[]): Promise<void> {
	ids.forEach((id, n) => service.put(id, START + n));
	await n8n.poll();
	service.put('later', (n8n.now += HOUR));
	await n8n.poll();
	if (!n8n.options.retryFailedExecutions) return n8n.crash();
	for (let n = 0; n < 2; n++) await n8n.end(0, 'error');
}

/** @returns how many requests the next poll sends */
async function requestsOfPoll(): Promise<number> {
	const before = service.requests;
	await n8n.poll();
	return service.requests - before;
}

describe('lost conversations', () => {
	test('come by their latest dates, also when these changed since', async () => {
		await loseOld('again', 'once');
		service.put('again', START + 2);
		await n8n.poll();
		expect(n8n.latest).toEqual(['once', 'again', 'later']);
	});

	test('are read from the list, not by ID, when one is at the very start of the range', async () => {
		service.put('c0', START);
		await n8n.poll();
		n8n.crash();
		expect(await requestsOfPoll()).toBe(1);
		expect(n8n.latest).toEqual(['c0']);
	});

	test.each([
		[36_000, 18_000],
		[MINUTE, 30_000],
		[299_999, 30_000],
	])(
		'are left to later polls, however old, once a poll of %i ms is late after %i',
		async (budgetMs, late) => {
			await loseOld('c0', 'c1', 'c2', 'c3');
			n8n.more = { getPollBudgetMs: () => budgetMs };
			n8n.responseMs = late;
			for (const id of ['c0', 'c1']) {
				expect(await requestsOfPoll()).toBeLessThanOrEqual(5);
				expect(n8n.latest).toEqual([id]);
			}
			n8n.responseMs = late - 1;
			await n8n.poll();
			expect(n8n.latest).toEqual(['c2', 'c3', 'later']);
		},
	);

	test.each([false, true])('are no more than fit in a poll, each once; failed ones: %s', async (isFailed) => {
		n8n.options.retryFailedExecutions = isFailed;
		await loseOld(...Array.from({ length: 12 }, (_, n) => `c${n}`));
		n8n.options.maxConversationsPerPoll = 6;
		expect(await requestsOfPoll()).toBe(6);
		expect(n8n.logged).toEqual(['Workflow: Poll: delivers 6 again: c0, c1, c2, c3, c4, c5']);
		for (const count of [6, 1, 0]) {
			await n8n.endAll();
			expect(await n8n.poll()).toBe(count);
		}
	});

	test.each([
		[400, 13, 'The service refused the request; tries again later', 1],
		[404, 10, 'the service returns 404; gives it up', 0],
	])('refused with %i hold up no others, and are tried %i times', async (status, tries, why, delivered) => {
		await loseOld('c0', 'c1', 'c2');
		service.broken.set('c1', status);
		await n8n.poll();
		expect(n8n.latest).toEqual(['c0', 'c2', 'later']);
		await n8n.endAll();
		for (let hour = 1; hour < 13; hour++) {
			n8n.now += HOUR;
			expect(await n8n.poll()).toBe(0);
		}
		const lines = n8n.logged.filter((line) => line.includes('c1 again'));
		expect(lines).toHaveLength(tries);
		expect(lines.at(-1)).toBe(`Workflow: Poll: cannot deliver conversation c1 again: ${why}`);
		service.broken.clear();
		n8n.now += HOUR;
		expect(await n8n.poll()).toBe(delivered);
	});

	test.each([200, 401, 403, 408, 429])('fail the poll when a status is not about one: %i', async (status) => {
		await loseOld('c0');
		service.broken.set('c0', status);
		await expect(n8n.poll()).rejects.toThrow('The service');
	});

	test('leave the position where it is if nothing else is read and the clock is behind', async () => {
		await loseOld('c0');
		n8n.options.maxConversationsPerPoll = 1;
		n8n.now -= 10 * HOUR;
		const { from } = n8n.position;
		expect(await n8n.poll()).toBe(1);
		expect(n8n.position.from).toBe(from);
	});

	test.each([0, HOUR])('that the filter leaves out now are forgotten, %i ms later', async (ms) => {
		await loseOld('c0');
		service.put('c0', START, OF_OTHER);
		service.put('later', n8n.now, OF_OTHER);
		service.put('last', (n8n.now += ms + 1));
		expect(await n8n.poll()).toBe(1);
		expect(Object.keys(n8n.position.seen)).toEqual(['last']);
	});

	test('are delivered when processed again, although their processedDate was in the far future', async () => {
		await loseOld('c0');
		service.put('c0', START, { processedDate: '2099-01-01T00:00:00Z' });
		await n8n.poll();
		service.put('c0', n8n.now + 2 * MINUTE);
		expect(await n8n.poll()).toBe(1);
		expect(await n8n.poll()).toBe(0);
	});
});

describe('the position', () => {
	test('is read from, until two days ahead of now, with one request each time', async () => {
		for (let n = 0; n < 3; n++) expect(await requestsOfPoll()).toBe(1);
		const [fromDate, toDate] = [START, START + 48 * HOUR].map((time) => new Date(time).toISOString());
		expect(service.asked).toMatchObject({ fromDate, toDate });
	});

	test.each([
		['in the future', {}],
		['in the future unreadably', { processedDate: 'soon' }],
	])(
		'stays behind the last conversation that is not dated %s, so that one listed late is found',
		async (_how, fields) => {
			n8n.now = START + 10 * HOUR;
			listUntil(START + 100_000, 100);
			service.put('of the future', n8n.now + 40 * HOUR, fields);
			expect(await n8n.poll()).toBe(101);
			service.put('listed late', START + 100_001);
			expect(await n8n.poll()).toBe(1);
		},
	);

	test('follows the slices that were read where no date can be read, which is said', async () => {
		for (let n = 0; n < 100; n++) service.put(`c${n}`, START + n * MINUTE, { processedDate: '01/03/2026' });
		n8n.now = START + 100 * MINUTE;
		expect(await n8n.poll()).toBe(100);
		expect(n8n.position.from).toBeGreaterThan(START + HOUR);
		expect(n8n.position.from).toBeLessThanOrEqual(START + 99 * MINUTE - LOOK_BACK);
		expect(n8n.logged.join()).toContain('The service writes processedDate as "01/03/2026"');
		n8n.now += MINUTE;
		expect(await n8n.poll()).toBe(0);
	});

	test('reaches the newest conversation when exactly as many fit as there are', async () => {
		listUntil((n8n.now += 22 * MINUTE), 3);
		n8n.options = { maxConversationsPerPoll: 3 };
		await n8n.poll();
		expect(n8n.position.from).toBe(n8n.now - LOOK_BACK);
	});

	test('can move when a late poll without anything to deliver stops, not later', async () => {
		// The first slice ends its rows Look Back after the start, so the position cannot move yet.
		for (const minute of [10, 30, 50]) listUntil(START + minute * MINUTE, 40, OF_OTHER);
		n8n.now = START + HOUR - 2 * MINUTE;
		n8n.responseMs = MINUTE / 2;
		expect(await requestsOfPoll()).toBeLessThanOrEqual(7);
		expect(n8n.position.from).toBeGreaterThan(START);
		expect(n8n.position.from).toBeLessThanOrEqual(START + 30 * MINUTE - LOOK_BACK);
	});
});

const inIndia = (time: number) => new Date(time + 5.5 * HOUR).toISOString().replace('Z', '+05:30');

// D1-EXP-04, D1-EXPBODY-03, D1-CONVENTION-02, D1-CONV-04, D1-CONV-01, D1-WH-03, D1-WH-07
test.each(Object.entries({ ...DATE_STYLES, 'of India': inIndia }))(
	'delivers what was processed again, not what was written in another form, when the service writes dates %s',
	async (_style, write) => {
		for (const [processedDate, count] of [
			[new Date(START).toISOString(), 1],
			[write(START), 0],
			[write(START + 1), 1],
			[write(START + 1), 0],
		] as const) {
			service.put('c0', START, { processedDate });
			expect(await n8n.poll()).toBe(count);
		}
		expect(n8n.logged).toEqual([]);
	},
);

test.each([0, 41, 1000, 3000])(
	'asks at most once for 40 of %i conversations that it knows',
	async (count) => {
		for (let n = 0; n < count; n++) service.put(`c${n}`, START + (n % 500) * 1000);
		n8n.now = START + 500_000;
		n8n.options = { maxConversationsPerPoll: 5000 };
		await n8n.settle();
		expect(n8n.deliveries.size).toBe(count);
		expect(await requestsOfPoll()).toBeLessThanOrEqual(1 + count / 40);
		service.put('new', START + 250_500);
		expect(await n8n.poll()).toBe(1);
	},
);

test('reports conversations of one millisecond that keep changing, and delivers them', async () => {
	for (let n = 0; n < 60; n++) service.put(`c${n}`, START);
	service.beforeResponse = () => service.put(`later ${service.requests}`, START);
	expect(await n8n.poll()).toBeGreaterThanOrEqual(60);
	expect(n8n.logged[0]).toMatch(/^Workflow: Poll: The service counts \d+ conversations/);
});

test('fails the poll for a conversation without an ID, and names its range', async () => {
	service.put('', (n8n.now += 2 * MINUTE));
	await expect(n8n.poll()).rejects.toMatchObject({
		message: expect.stringMatching(/between 2026-03-01T00:00:00\.000Z and 2026-03-01T00:02:00\.000Z has no/),
		context: { details: { code: 'conversation_without_id' } },
	});
});
