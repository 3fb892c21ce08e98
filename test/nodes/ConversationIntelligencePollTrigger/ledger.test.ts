import type { IRun } from 'n8n-workflow';
import { Ledger, savedSchema } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [RUNNING, ENDED, FAILED] = [0, 1, 2];

const run = async (status: string, runData = {}) =>
	await Promise.resolve({ status, data: { resultData: { runData } } } as unknown as IRun);
const rejection = async (reason?: string): Promise<IRun> =>
	await Promise.reject(Object.assign(new Error('rejected'), { reason }));
const never = new Promise<undefined>(() => {});

/** A ledger with these conversations: when each was processed, its state, attempts and time of delivery. */
function ledgerOf(seen: Record<string, number[]>, filters = [{ since: 0, filter: {} }]): Ledger {
	const saved = { version: 1, node: 'Node', start: 'whenPublished', from: 0, filters, count: 0 };
	const withAttempts = Object.fromEntries(
		Object.entries(seen).map(([id, [at, state, attempts = 1, deliveredAt = 0]]) => [
			id,
			[at, state, attempts, deliveredAt],
		]),
	) as Record<string, [number, number, number, number]>;
	return Ledger.unpack({ ...saved, seen: withAttempts });
}
const seenBy = (ledger: Ledger) => ledger.pack('Node').seen as Record<string, number[]>;

/** Starts one conversation that was processed at this time, and follows it. */
async function deliver(ledger: Ledger, processed: number, done: Promise<IRun | undefined>, retries: boolean) {
	await ledger.follow([ledger.deliver('c', processed, 0, false)], done, retries);
}

// What the table of ends in the documentation says has its own test.
test.each<[string, () => Promise<IRun | undefined>, number]>([
	['failed after a node', async () => await run('error', { Write: [] }), ENDED],
	['was canceled', async () => await run('canceled'), ENDED],
	['was never reported', async () => await Promise.resolve(undefined), FAILED],
	['was given up by n8n', async () => await rejection('shutdown'), FAILED],
])('delivers again what is in an execution that %s, if failed ones are retried', async (_, done, state) => {
	for (const [retriesFailed, expected] of [
		[true, FAILED],
		[false, state],
	] as const) {
		const ledger = ledgerOf({});
		await deliver(ledger, 1, done(), retriesFailed);
		expect(seenBy(ledger).c[1]).toBe(expected);
	}
});

test('keeps a newer version when the execution of an older one is lost', async () => {
	const ledger = ledgerOf({});
	const older = deliver(ledger, 5, rejection(), false);
	await deliver(ledger, 6, run('success'), false);
	await older;
	expect(seenBy(ledger).c.slice(0, 2)).toEqual([6, ENDED]);
});

test('forgets what no later poll can list, after a minute of rounding, but not what has not ended', () => {
	const listed = { listed: [120 * MINUTE, ENDED], rounded: [119 * MINUTE, ENDED] };
	const failed = { failed: [MINUTE, FAILED, 1, 0] };
	const old = { older: [119 * MINUTE - 1, ENDED], oldest: [1, ENDED] };
	const ledger = ledgerOf({ ...old, ...listed, ...failed });
	ledger.advance(120 * MINUTE, 1);
	expect(Object.keys(seenBy(ledger)).sort()).toEqual(['failed', 'listed', 'oldest', 'rounded']);
	ledger.advance(120 * MINUTE, 0);
	expect(Object.keys(seenBy(ledger)).sort()).toEqual(['failed', 'listed', 'rounded']);
});

test('counts conversations of open executions for a day at most', () => {
	const ledger = ledgerOf({});
	void ledger.follow([ledger.deliver('a', 1, 0, false), ledger.deliver('b', 1, 0, false)], never, false);
	const start = Date.now();
	expect(ledger.inFlight(start + 24 * HOUR - MINUTE)).toBe(2);
	expect(ledger.inFlight(start + 24 * HOUR)).toBe(0);
});

test.each<[boolean, number]>([
	[false, ENDED],
	[true, FAILED],
])(
	'if failed ones are retried (%s), three have state %i a minute after a limit that n8n did not report, since the last end',
	async (retriesFailed, state) => {
		const ledger = ledgerOf({});
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now - HOUR);
		const slow = ['one', 'two', 'three'];
		for (const id of slow) void ledger.follow([ledger.deliver(id, 1, 0, false)], never, retriesFailed);
		const states = () => slow.map((id) => seenBy(ledger)[id][1]);
		clock.mockReturnValue(now);
		await deliver(ledger, 1, run('success'), retriesFailed);
		clock.mockRestore();
		ledger.endOverdue(now + HOUR, 0);
		ledger.endOverdue(now + HOUR, HOUR);
		expect(states()).toEqual(slow.map(() => RUNNING));
		ledger.endOverdue(now + HOUR + 2 * MINUTE, HOUR);
		expect(states()).toEqual(slow.map(() => state));
		expect(ledger.inFlight(now)).toBe(0);
	},
);

describe('What is due', () => {
	test('is the oldest first', () => {
		const ledger = ledgerOf({ younger: [2, FAILED, 1, 0], older: [1, FAILED, 1, 0], ended: [0, ENDED] });
		expect(ledger.due(HOUR, 500)).toEqual(['older', 'younger']);
	});

	test('does not wait for a time that a clock ahead has left', () => {
		expect(ledgerOf({ c: [1, FAILED, 8, 365 * 24 * HOUR] }).due(0, 500)).toEqual(['c']);
	});

	test.each([
		[1, 500],
		[2, 125],
		[3, 32],
		[4, 8],
		[5, 2],
		[6, 1],
		[20, 1],
	])('after attempt %i is %i of 500 conversations in one poll that were running when n8n ended', (...row) => {
		const [attempts, count] = row;
		const all = (state: number) =>
			Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`c${n}`, [1, state, attempts, 0]]));
		expect(ledgerOf(all(RUNNING)).due(HOUR, 500)).toHaveLength(count);
		expect(ledgerOf(all(FAILED)).due(HOUR, 500)).toHaveLength(500);
	});
});

describe('Filters', () => {
	const ANA = { users: ['ana', 'bo'] };
	const rowOf = (email: string, duration = 60) => ({ user: { email }, duration });

	test('must be passed now and when the conversation was processed', () => {
		const ledger = ledgerOf({}, [{ since: 10, filter: ANA }]);
		ledger.applyFilter({ filter: { users: ['bo', 'cy'] }, since: 20 });
		ledger.applyFilter({ filter: { minDuration: 60 }, since: 30 });
		const counted = (email: string, at: number) => ledger.counts(rowOf(email), at);
		expect(['ana', 'bo', 'cy'].map((email) => [9, 10, 19, 20, 30].map((at) => counted(email, at)))).toEqual([
			[false, true, true, false, true],
			[false, true, true, true, true],
			[false, false, false, true, true],
		]);
		expect(ledger.counts(rowOf('ana', 59), 30)).toBe(false);
		expect(ledger.partsOf({ from: 12, to: 40 })).toEqual([
			{ from: 12, to: 20, users: ['ana', 'bo'] },
			{ from: 20, to: 30, users: ['bo', 'cy'] },
			{ from: 30, to: 40, users: undefined },
		]);
	});

	test('split what is read where they change, and after 40 known conversations, in order of time', () => {
		const seen = Object.fromEntries(Array.from({ length: 81 }, (_, n) => [`c${n}`, [81 - n, ENDED]]));
		const ledger = ledgerOf(seen, [{ since: 60, filter: {} }]);
		const startsUntil = (to: number) => ledger.partsOf({ from: 0, to }).map(({ from }) => from);
		expect(startsUntil(50)).toEqual([0, 41]);
		expect(startsUntil(100)).toEqual([0, 41, 60, 81]);
	});

	test('are saved whole, whatever they compare', () => {
		const filter = { users: ['ana'], outcomes: ['sold'], minDuration: 60, noAppointment: true };
		const saved = ledgerOf({}, [{ since: 10, filter }]).pack('Node');
		expect(savedSchema.parse(saved)).toEqual(saved);
	});

	test('ask for nobody where no one can count, and are forgotten once everything of their time was read', () => {
		const ledger = ledgerOf({}, [{ since: 10, filter: ANA }]);
		ledger.applyFilter({ filter: { users: ['cy'] }, since: 20 });
		expect(ledger.partsOf({ from: 12, to: 40 })).toEqual([{ from: 20, to: 40, users: ['cy'] }]);
		ledger.advance(19, 0);
		expect(ledger.pack('Node').filters).toHaveLength(2);
		ledger.advance(20, 0);
		expect(ledger.pack('Node').filters).toEqual([{ since: 20, filter: { users: ['cy'] } }]);
	});
});
