import type { IRun } from 'n8n-workflow';
import { Ledger, savedSchema, type Saved } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [RUNNING, ENDED, FAILED] = [0, 1, 2];

const never = new Promise<undefined>(() => {});
const success = Promise.resolve({ status: 'success' } as IRun);

/** A ledger with these conversations: when each was processed, its state, attempts and time of delivery. */
function ledgerOf(
	seen: Record<string, number[]>,
	filters: Saved['filters'] = [{ since: 0, filter: {} }],
): Ledger {
	const saved = { version: 1, node: 'Node', start: 'whenPublished', from: 0, filters, count: 0 } as const;
	const whole = Object.entries(seen).map(([id, [at, state, attempts = 1, deliveredAt = 0]]) => {
		return [id, [at, state, attempts, deliveredAt]];
	});
	return Ledger.unpack({ ...saved, seen: Object.fromEntries(whole) as Saved['seen'] });
}
const idsOf = (ledger: Ledger) => Object.keys(ledger.pack('Node').seen).sort();

test('forgets what no later poll can list, after a minute of rounding, but not what has not ended', () => {
	const listed = { listed: [120 * MINUTE, ENDED], rounded: [119 * MINUTE, ENDED] };
	const old = { older: [119 * MINUTE - 1, ENDED], oldest: [1, ENDED] };
	const ledger = ledgerOf({ ...old, ...listed, failed: [MINUTE, FAILED] });
	ledger.advance(120 * MINUTE, 1);
	expect(idsOf(ledger)).toEqual(['failed', 'listed', 'oldest', 'rounded']);
	ledger.advance(120 * MINUTE, 0);
	expect(idsOf(ledger)).toEqual(['failed', 'listed', 'rounded']);
});

test('forgets filters once everything of their time was read, and saves all else whole', () => {
	const filter = { users: ['ana'], outcome: ['sold'], minDuration: 60, noAppointment: true };
	const ledger = ledgerOf({}, [{ since: 10, filter: {} }]);
	ledger.applyFilter({ since: 20, filter });
	ledger.advance(19, 0);
	expect(ledger.pack('Node').filters).toHaveLength(2);
	ledger.advance(20, 0);
	ledger.deliver('c', 30, 40, false);
	const saved = ledger.pack('Node');
	expect(saved).toMatchObject({ filters: [{ since: 20, filter }], count: 1 });
	expect(Ledger.unpack(savedSchema.parse(saved)).pack('Node')).toEqual(saved);
});

test.each([
	['When Published', 'whenPublished', [40, [5, 40, 40]]],
	['a Start Date that is past', '1970-01-01', [40, [5, 40, 40]]],
])('of %s, moves the position and each filter back that are later than now', (_start, start, expected) => {
	const filters = [5, 60, 70].map((since) => ({ since, filter: { users: [`user of ${since}`] } }));
	const saved = { version: 1, node: 'Node', start, from: 55, filters, count: 0, seen: {} } as const;
	const ledger = Ledger.unpack(saved);
	ledger.moveBack(50, 40);
	const moved = ledger.pack('Node');
	expect([moved.from, moved.filters.map(({ since }) => since)]).toEqual(expected);
	expect(ledger.filter).toEqual({ users: ['user of 70'] });
});

test('passes what the filter of then and that of now pass, and reads only where and of whom that can be', () => {
	const ledger = ledgerOf({}, [{ since: 10, filter: { users: ['ana', 'bo'] } }]);
	ledger.applyFilter({ since: 20, filter: { users: ['cy'] } });
	ledger.applyFilter({ since: 30, filter: { users: ['bo', 'cy'] } });
	const counted = (email: string) =>
		[9, 12, 20, 30].filter((at) => ledger.passesFilters({ user: { email } }, at));
	expect(['ana', 'bo', 'cy'].map(counted)).toEqual([[], [12, 30], [20, 30]]);
	expect(ledger.partsOf({ from: 12, to: 40 })).toEqual([
		{ from: 12, to: 20, users: ['bo'] },
		{ from: 20, to: 30, users: ['cy'] },
		{ from: 30, to: 40, users: ['bo', 'cy'] },
	]);
	ledger.applyFilter({ since: 40, filter: { users: ['dee'] } });
	expect(ledger.partsOf({ from: 12, to: 40 })).toEqual([]);
});

test('counts conversations of open executions for a day at most', () => {
	const ledger = ledgerOf({});
	void ledger.follow([ledger.deliver('a', 1, 0, false), ledger.deliver('b', 1, 0, false)], never, false);
	const start = Date.now();
	expect(ledger.inFlight(start + 24 * HOUR - MINUTE)).toBe(2);
	expect(ledger.inFlight(start + 24 * HOUR)).toBe(0);
});

test.each([
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
		const states = () => slow.map((id) => ledger.pack('Node').seen[id][1]);
		clock.mockReturnValue(now);
		await ledger.follow([ledger.deliver('other', 1, 0, false)], success, retriesFailed);
		ledger.endOverdue(now + HOUR, 0);
		ledger.endOverdue(now + HOUR, HOUR);
		expect(states()).toEqual(slow.map(() => RUNNING));
		ledger.endOverdue(now + HOUR + 2 * MINUTE, HOUR);
		expect(states()).toEqual(slow.map(() => state));
		expect(ledger.inFlight(now)).toBe(0);
	},
);

describe('What is due', () => {
	test('is the oldest first, and does not wait for a time that a clock ahead has left', () => {
		const failed = { younger: [2, FAILED], older: [1, FAILED], ahead: [3, FAILED, 8, 365 * 24 * HOUR] };
		expect(ledgerOf({ ...failed, ended: [0, ENDED] }).due(HOUR, 500)).toEqual(['older', 'younger', 'ahead']);
	});

	test('is, of what was running when n8n ended, a quarter of the last part after each attempt, but one at least', () => {
		const all = (state: number, attempts: number) =>
			Array.from({ length: 500 }, (_, n) => [`${state}-${attempts}-${n}`, [1, state, attempts]]);
		const due = (...seen: unknown[][]) => ledgerOf(Object.fromEntries(seen)).due(HOUR, 500).length;
		const attempts = [1, 2, 3, 4, 5, 6, 20];
		const parts = [500, 125, 32, 8, 2, 1, 1];
		expect(attempts.map((n) => due(...all(RUNNING, n)))).toEqual(parts);
		expect(attempts.map((n) => due(...all(RUNNING, n), ...all(RUNNING, 7)))).toEqual(parts.map((n) => n + 1));
		expect(attempts.map((n) => due(...all(FAILED, n)))).toEqual(attempts.map(() => 500));
	});
});
