import { ListService } from './listService';
import { HOUR, MINUTE, PollingN8n, savedSince, START } from './pollingN8n';

let service: ListService;
let n8n: PollingN8n;
beforeEach(() => {
	service = new ListService();
	n8n = new PollingN8n(service);
});

/** Each conversation of the latest execution with its attempt. */
const attempts = () =>
	n8n.running.at(-1)?.items.map(({ dedupeKey, deliveryAttempt }) => [dedupeKey, deliveryAttempt]);

test.each([
	[{}, 2],
	[{ deliver: 'new' }, 1],
])('with %j, delivers a conversation that is processed again long after %i times', async (options, times) => {
	n8n.options = options;
	for (const id of ['c0', 'later', 'c0', 'last']) {
		service.put(id, (n8n.now += HOUR));
		await n8n.poll();
		await n8n.poll();
		await n8n.endAll();
	}
	expect([...n8n.deliveries.keys()].filter((one) => one.startsWith('c0@'))).toHaveLength(times);
});

test('delivers nothing new while as many conversations as fit in a poll are in running executions', async () => {
	for (let n = 0; n < 5; n++) service.put(`c${n}`, START);
	n8n.options = { maxConversationsPerPoll: 3 };
	expect(await n8n.poll()).toBe(3);
	service.requests = 0;
	expect(await n8n.poll()).toBe(0);
	expect(service.requests).toBe(0);
	expect(n8n.logged).toEqual([
		'Workflow: Poll: delivers more once fewer than 3 conversations are in running executions',
	]);
	await n8n.endAll();
	expect(await n8n.poll()).toBe(2);
	// One place is free.
	for (let n = 0; n < 3; n++) service.put(`later ${n}`, n8n.now);
	expect(await n8n.poll()).toBe(1);
});

test.each([false, true])(
	'delivers what keeps failing, and what kills n8n (%s), with growing pauses up to an hour, counted and logged',
	async (isKilled) => {
		n8n.options = { retryFailedExecutions: true };
		service.put('c0', n8n.now);
		const delivered: Array<[number, unknown]> = [];
		for (let minute = 0; minute < 200; minute++) {
			if ((await n8n.poll()) > 0) delivered.push([minute, attempts()]);
			if (isKilled) n8n.crash();
			else await n8n.end(0, 'error');
			n8n.now += MINUTE;
		}
		const minutes = [0, 1, 2, 4, 8, 16, 32, 64, 124, 184];
		expect(delivered).toEqual(minutes.map((minute, before) => [minute, [['c0', before + 1]]]));
		expect(n8n.logged).toEqual(Array(9).fill('Workflow: Poll: delivers 1 again: c0'));
	},
);

test('a conversation that is processed again is delivered as a first attempt, whatever came of it before', async () => {
	n8n.options = { retryFailedExecutions: true };
	service.put('c0', n8n.now);
	await n8n.poll();
	for (const [outcome, attempt] of [
		['error', 2],
		['error', 1],
		['success', 1],
	] as const) {
		await n8n.end(0, outcome);
		n8n.now += 1000;
		if (attempt === 1) service.put('c0', n8n.now);
		await n8n.poll();
		expect(attempts()).toEqual([['c0', attempt]]);
	}
});

test('goes on from a date with When Published and back, in any time zone; another date starts over', async () => {
	service.put('c0', START - 2 * HOUR);
	for (const [startDate, timezone, expected] of [
		['2026-02-28T00:00:00', 'UTC', ['c0']],
		['2026-02-28T00:00:00', 'Asia/Tokyo', undefined],
		[undefined, 'UTC', undefined],
		['2026-02-28T00:00:00', 'UTC', undefined],
		['2026-02-28T01:00:00', 'UTC', ['c0', 'new']],
	] as const) {
		Object.assign(n8n, { startDate, more: { getTimezone: () => timezone } });
		n8n.publishAgain();
		await n8n.poll();
		expect(n8n.latest).toEqual(expected);
		await n8n.endAll();
		if (timezone === 'UTC') continue;
		service.put('new', n8n.now);
		expect(await n8n.poll()).toBe(1);
		await n8n.endAll();
	}
});

const DATE = '2026-02-01T00:00:00Z';
const [[KEY, POSITION]] = Object.entries(savedSince(START));

test.each<[string, object | null, string | number]>([
	['without its time', { from: 'lost' }, 'position_damaged'],
	['with a conversation cut short', { seen: { c0: [1, 3] } }, 'position_damaged'],
	['with an unknown state', { seen: { c0: [1, 3, 1, 1] } }, 'position_damaged'],
	['without filters', { filters: [] }, 'position_damaged'],
	['that is nothing', null, 'position_damaged'],
	['but a damaged one of another date', { from: 'lost', start: '2026-01-01T00:00:00Z' }, 1],
	['of a newer version', { version: 2, seen: [] }, 'position_newer'],
	['of a newer version with a start of another form', { version: 2, start: { date: 1 } }, 'position_newer'],
	['of a newer version without a start', { version: 2, start: undefined }, 'position_newer'],
	[
		'of a newer version with more',
		{ version: 2, later: {}, filters: [{ since: 0, filter: { later: 1 } }] },
		0,
	],
])('starts over from no position %s', async (_which, part, expected) => {
	service.put('c0', START - HOUR);
	n8n.startDate = part === null ? undefined : DATE;
	n8n.publishAgain({ [KEY]: part && { ...POSITION, start: DATE, ...part } });
	const outcome = await n8n.poll().catch(({ context }) => context.details.code);
	expect(outcome).toBe(expected);
});
