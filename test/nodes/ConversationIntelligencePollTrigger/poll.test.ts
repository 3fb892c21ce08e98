import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { createEngine, KEEPS_FAILURE } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import { WANTED_USER, type ListService } from './listService';
import type { Saved } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';
import { HOUR, MINUTE, PollingN8n, savedSince, START, type Outcome } from './pollingN8n';

let service: ListService;
let n8n: PollingN8n;
beforeEach(() => void ({ service } = n8n = new PollingN8n()));

/** Each conversation of the latest execution with its attempt. */
const attempts = () =>
	n8n.running.at(-1)?.items.map(({ dedupeKey, deliveryAttempt }) => [dedupeKey, deliveryAttempt]);

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

test.each([
	[0, 30_000],
	[25_000, 10_000],
	[60_000, 10_000],
])(
	'a poll that has listed conversations for %i ms searches each transcript for %i ms',
	async (ms, expected) => {
		n8n.filters = { said: 'price' };
		await n8n.poll();
		service.put('c0', (n8n.now += MINUTE));
		n8n.responseMs = ms;
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		await n8n.poll();
		expect(timeout.mock.calls).toEqual([[expected]]);
		timeout.mockRestore();
	},
);

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
		Object.assign(n8n, { startDate, timezone });
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

const DAMAGED: Array<object | null> = [
	null,
	{ version: 2 },
	...['lost', 1e16, -1e300, Date.parse('9999-12-01') + 1].map((from) => ({ from })),
	...[[], [{ since: 1e16, filter: {} }]].map((filters) => ({ filters })),
	...[{ zzz: 1 }, { users: [1] }, { minDuration: 'x' }].map((filter) => ({
		filters: [{ since: 0, filter }],
	})),
	// When it was processed, its state, attempts, and when it was delivered.
	...[
		[1, 3, 1, 1],
		[1, -1, 1, 1],
		[1, 0.5, 1, 1],
		[1, 0, 0.5, 1],
		[1, 0, 0, 1],
		[1e16, 0, 1, 1],
	].map((c0) => ({ seen: { c0 } })),
	{ seen: { c0: [1, 0, 1, -1e300] } },
];

test.each(DAMAGED)('starts over from no damaged position: %j; n8n need not try again soon', async (part) => {
	n8n.startDate = part === null ? undefined : DATE;
	n8n.publishAgain({ [KEY]: part && { ...POSITION, start: DATE, ...part } });
	await expect(n8n.poll()).rejects.toMatchObject({
		context: { details: { code: 'position_damaged' } },
		description: expect.stringMatching(/choose a new Start Date .* Nothing is lost/),
		...(KEEPS_FAILURE && { failure: { cause: 'configuration-invalid' } }),
	});
});

test('starts over from a damaged position of another date', async () => {
	service.put('c0', START - HOUR);
	n8n.startDate = DATE;
	n8n.publishAgain({ [KEY]: { ...POSITION, from: 'lost', start: '2026-01-01T00:00:00Z' } });
	expect(await n8n.poll()).toBe(1);
});

test.each([
	['the saved one, of another main process', 7, ['new', 'unknown']],
	['its own, which n8n has not saved', 0, ['new']],
])('of two positions, goes on from the one with more deliveries: %s', async (_which, count, expected) => {
	n8n.options = { lookBackMinutes: 60 };
	service.put('known', START);
	await n8n.poll();
	await n8n.endAll();
	service.put('unknown', START + 1);
	await n8n.poll();
	await n8n.endAll();
	// The other process has not seen the second conversation, or this position is older.
	const [[, older]] = Object.entries(savedSince(START, { users: [WANTED_USER] }));
	n8n.publishAgain({ [KEY]: { ...older, count, seen: { known: [START, 1, 1, START] } } });
	service.put('new', (n8n.now += MINUTE));
	await n8n.poll();
	expect(n8n.latest?.sort()).toEqual(expected);
});

test('n8n that becomes the leader again goes on from what it remembers, not from now', async () => {
	await n8n.poll();
	n8n.publishAgain({});
	n8n.more = { getActivationMode: () => 'leadershipChange' };
	service.put('meanwhile', (n8n.now += MINUTE));
	expect(await n8n.poll()).toBe(0);
	for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
	expect(n8n.latest).toEqual(['meanwhile']);
	expect(n8n.logged).toEqual([]);
});

/** A saved position with a lost conversation and two filters. */
async function lostPosition() {
	n8n.filters = { users: [WANTED_USER], minDuration: 60, outcome: 'sold' };
	await n8n.poll();
	n8n.filters = {};
	await n8n.poll();
	service.put('lost', (n8n.now += 1000));
	await n8n.poll();
	return n8n.saved;
}

/** All parts of a value, each by its holder and its key, and a place for one more in each holder. */
function partsOf(holder: object): Array<[holder: Record<string, unknown>, key: string]> {
	const inside = Object.values(holder).filter((part) => typeof part === 'object' && part !== null);
	const own = [...Object.keys(holder), 'added'].map((key) => [holder, key] as [never, string]);
	return [...own, ...inside.flatMap((part) => partsOf(part as object))];
}

test('a saved position with any part changed loses nothing, or is reported as damaged', async () => {
	const saved = JSON.parse(await lostPosition()) as Record<string, Saved>;
	const values: unknown[] = [undefined, null, '', 'x', true, [], {}, [''], { zzz: 1 }, 0, 2, -1, 1.5, 1e300];
	values.push(1e16, -1e300, Date.parse('9999-11-30'), Date.parse('0001-01-01'), START + HOUR);
	const examples = partsOf(saved[KEY]).flatMap((_, n) => values.map((by) => [n, by] as [number, unknown]));
	await fc.assert(
		fc.asyncProperty(fc.nat(), fc.jsonValue(), async (n, by) => {
			const mutated = JSON.parse(JSON.stringify(saved)) as typeof saved;
			const parts = partsOf(mutated[KEY]);
			const [holder, key] = parts[n % parts.length];
			holder[key] = by;
			const other = new PollingN8n(service);
			Object.assign(other, { now: n8n.now + MINUTE, filters: {} });
			other.publishAgain(mutated);
			const isLost = other.position.seen?.lost?.[1] === 0;
			service.clock = () => other.now;
			try {
				await other.poll();
			} catch (error) {
				const { code } = (error as { context: { details: { code: string } } }).context.details;
				return expect(code).toBe('position_damaged');
			}
			await other.poll();
			service.put('new', (other.now += MINUTE));
			await other.settle();
			// The longest pause after many attempts.
			other.now += HOUR;
			await other.settle();
			service.rows.delete('new');
			const ids = [...other.deliveries.keys()].map((name) => name.split('@')[0]);
			expect(ids).toContain('new');
			if (isLost) expect(ids).toContain('lost');
		}),
		{ examples, numRuns: examples.length + Number(process.env.RUNS ?? 100) },
	);
});

type Scenario = Outcome | ((n8n: PollingN8n) => Promise<void> | void);

/** What can happen to a running execution, by the first column of the table in the documentation. */
const SCENARIOS: Record<string, Scenario[]> = {
	'It succeeds': ['success'],
	'A node fails': ['error', 'error after a node', 'canceled'],
	'A person stops it': ['stopped'],
	"It exceeds the workflow's time limit": ['timed out'],
	'It exceeds its time limit, and n8n reports no end': [
		async (n8n) => {
			n8n.more = { getWorkflowSettings: () => ({ executionTimeout: 60 }) };
			n8n.running = [];
			n8n.now += 2 * MINUTE;
			expect(await n8n.poll()).toBe(0);
			n8n.now += 1000;
		},
	],
	'It waits in a Wait node for more than a minute': ['waiting'],
	'n8n cannot store or queue it': ['not queued', 'given up by n8n', 'ended without a run'],
	'It is still queued when n8n stops': [() => {}],
	'Its worker is lost': ['worker lost'],
	'n8n itself (the main process) is lost': [() => {}],
	'n8n marks it as crashed': ['crashed'],
	'The package is updated while it runs': [(n8n) => void (n8n.process += ' updated')],
};

/** Whether an execution that ends like this delivers its conversation again. */
async function again(scenario: Scenario, retryFailedExecutions: boolean): Promise<string> {
	const n8n = new PollingN8n();
	n8n.options = { retryFailedExecutions };
	n8n.service.put('c0', START);
	expect(await n8n.poll()).toBe(1);
	if (typeof scenario === 'string') await n8n.end(0, scenario);
	else await scenario(n8n);
	if ((await n8n.poll()) === 1) return 'Yes';
	// n8n saves what it knows with the next delivery.
	n8n.service.put('later', (n8n.now += MINUTE));
	await n8n.poll();
	await n8n.end(n8n.running.length - 1);
	n8n.crash();
	await n8n.poll();
	return n8n.latest?.includes('c0') ? 'After a restart' : 'No';
}

const [, TABLE] = readFileSync('docs/reference/triggers.md', 'utf8').split('\n| How an execution ends ');
/** Rows of the documentation's table: how an execution ends, by default, and with Retry Failed Executions. */
const ENDS = TABLE.split('\n\n')[0]
	.split('\n')
	.slice(2)
	.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);

test('the documentation says of each end of an execution whether its conversations are delivered again', async () => {
	expect(ENDS.map(([end]) => end)).toEqual(Object.keys(SCENARIOS));
	for (const [end, byDefault, ifRetried] of ENDS) {
		for (const scenario of SCENARIOS[end]) {
			const found = [await again(scenario, false), await again(scenario, true)];
			expect([end, scenario, ...found]).toEqual([end, scenario, byDefault, ifRetried]);
		}
	}
});

describe("on n8n's engine", () => {
	const TYPE = 'conversationIntelligencePollTrigger';
	const SINCE_EVER = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };
	const { sandbox, engine } = sandboxEngine([ConversationIntelligencePollTrigger], { conversations: 20 });
	const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.dedupeKey);
	beforeEach(() => sandbox.requests.reset());

	// D1-WH-07
	test('starts when the workflow is published and delivers each new conversation once', async () => {
		const { poll, emitted } = engine.poller(TYPE, {});
		await poll();
		expect(emitted).toEqual([]);
		const inserted = sandbox.control.insertConversations({ count: 3 });
		expect(idsOf(await poll())).toEqual(inserted);
		expect(await poll()).toEqual([]);
	});

	// D1-ERR-01
	test('fails the poll for a refused key and uses a corrected key in the next poll', async () => {
		const conversationExportApi = { baseUrl: sandbox.exportUrl, apiKey: 'unknown' };
		const other = await createEngine([ConversationIntelligencePollTrigger], { conversationExportApi });
		const { poll, saved } = other.poller(TYPE, SINCE_EVER);
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringMatching(
				/API key\. If a version was running, n8n has stopped it: .* publish again$/,
			),
			context: { details: { code: 'api_key_unknown' } },
		});
		expect(saved()).toEqual({ global: {} });
		conversationExportApi.apiKey = sandbox.keys.organization;
		expect(await poll()).not.toEqual([]);
	});

	test.each<[INodeParameters, string, string]>([
		[{ options: { lookBackMinutes: 0.5 } }, 'value_invalid', 'Look Back (Minutes)'],
		[{ options: { maxConversationsPerPoll: 0.5 } }, 'value_invalid', 'Max Conversations per Poll'],
		[{ options: { retryFailedExecutions: 'never' } }, 'value_invalid', 'Retry Failed Executions'],
		[{ options: { startExecutionFor: 1 } }, 'value_invalid', 'Start an Execution For'],
		// It would start over with each poll.
		[{ startDate: '={{ $now.minus({ days: 1 }) }}' }, 'date_invalid', 'Start Date'],
		[{ filters: { users: '={{ [] }}' } }, 'filter_empty', 'User Names or IDs'],
		[{ filters: { teams: '={{ [] }}' } }, 'filter_empty', 'Team Names or IDs'],
	])('refuses %j without a request, and n8n stores why', async (parameters, code, named) => {
		const { poll, failures } = engine.poller(TYPE, { ...SINCE_EVER, ...parameters });
		const message = expect.stringContaining(named);
		const error = { name: 'NodeOperationError', message, context: { details: { code } } };
		const thrown = await poll().catch((reason: unknown) => reason);
		// n8n stores an error as JSON.
		expect(JSON.parse(JSON.stringify([thrown, ...failures]))).toMatchObject([error, error]);
		expect(sandbox.requests.list()).toEqual([]);
	});
});
