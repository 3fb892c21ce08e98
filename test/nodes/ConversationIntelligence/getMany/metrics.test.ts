import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { previousOf, splitRange } from '../../../../nodes/ConversationIntelligence/getMany/metrics';
import { sandboxExport, scriptedExport } from '../exportNode';

const ZONES = ['Europe/Berlin', 'America/Havana', 'Asia/Kathmandu'];
const rangeOf = (from: string, to: string) => ({ fromDate: from, toDate: to });
const utcRange = (from: DateTime, to: DateTime) => rangeOf(from.toUTC().toISO()!, to.toUTC().toISO()!);

test('a week with a clock change is divided into its days', () => {
	// The clock goes forward on Sunday, 29 March 2026.
	const week = rangeOf('2026-03-22T23:00:00.000Z', '2026-03-29T21:59:59.999Z');
	const days = splitRange(week, 'day', 'Europe/Berlin');
	expect(days).toHaveLength(7);
	expect(days[0]).toEqual(rangeOf('2026-03-22T23:00:00.000Z', '2026-03-23T22:59:59.999Z'));
	expect(days[6]).toEqual(rangeOf('2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'));
	const toMidnight = rangeOf('2026-03-22T23:00:00.000Z', '2026-03-23T23:00:00.000Z');
	expect(splitRange(toMidnight, 'day', 'Europe/Berlin')).toEqual([toMidnight]);
});

test('periods touch without gap or overlap, and begin by the calendar of the zone', () => {
	const year = { min: new Date('2025-06-01'), max: new Date('2026-06-01'), noInvalidDate: true };
	fc.assert(
		fc.property(
			fc.constantFrom(...ZONES),
			fc.constantFrom('day' as const, 'week' as const, 'month' as const),
			fc.date(year),
			// Also ends that are midnights, and a millisecond from one.
			fc.oneof(fc.nat(300 * 86_400_000), fc.constantFrom(0, 1, 899_999, 86_400_000 - 1)),
			fc.boolean(),
			(zone, unit, date, length, atMidnight) => {
				const start = DateTime.fromJSDate(date, { zone });
				const from = atMidnight ? start.endOf('day') : start;
				const range = utcRange(from, from.plus(length + 1));
				const periods = splitRange(range, unit, zone);

				expect(periods[0].fromDate).toBe(range.fromDate);
				expect(periods.at(-1)!.toDate).toBe(range.toDate);
				for (const [index, { fromDate, toDate }] of periods.entries()) {
					expect(Date.parse(toDate)).toBeGreaterThan(Date.parse(fromDate));
					if (index === 0) continue;
					expect(Date.parse(fromDate)).toBe(Date.parse(periods[index - 1].toDate) + 1);
					const begin = DateTime.fromISO(fromDate, { zone });
					expect(begin.toISO()).toBe(begin.startOf(unit).toISO());
				}
			},
		),
	);
});

// D1-TEAMBODY-02, D1-USERBODY-02
test.each(ZONES)(
	'each whole second of a week in %s is in one day, whether the end of a day counts or not',
	(zone) => {
		const monday = DateTime.fromISO('2026-03-23', { zone });
		const days = splitRange(utcRange(monday, monday.endOf('week')), 'day', zone).map(
			({ fromDate, toDate }) => ({
				from: Date.parse(fromDate),
				to: Date.parse(toDate),
			}),
		);
		for (const midnight of days.map(({ from }) => from).slice(1)) {
			for (const moment of [midnight - 1000, midnight, midnight + 1000]) {
				expect(days.filter(({ from, to }) => moment >= from && moment <= to)).toHaveLength(1);
				expect(days.filter(({ from, to }) => moment >= from && moment < to)).toHaveLength(1);
			}
		}
	},
);

test.each(ZONES)('the period before each one of a month in %s is the one before it', (zone) => {
	const month = DateTime.fromISO('2026-03', { zone });
	const range = utcRange(month, month.endOf('month'));
	const days = splitRange(range, 'day', zone);
	expect(days).toHaveLength(31);
	expect(days.slice(1).map((day) => previousOf(day, 'day', zone))).toEqual(days.slice(0, -1));
	const february = month.minus({ months: 1 });
	expect(previousOf(range, 'month', zone)).toEqual(utcRange(february, february.endOf('month')));
	expect(previousOf(range, undefined, zone)).toEqual(utcRange(month.minus({ days: 31 }), month.minus(1)));
});

test('this week is compared with the same part of last week, although the clock changed', () => {
	const soFar = rangeOf('2026-03-29T22:00:00.000Z', '2026-04-01T08:00:00.000Z');
	expect(previousOf(soFar, 'week', 'Europe/Berlin')).toEqual(
		rangeOf('2026-03-22T23:00:00.000Z', '2026-03-25T09:00:00.000Z'),
	);
	const night = rangeOf('2026-03-29T00:00:00.000Z', '2026-03-30T00:59:59.999Z');
	expect(previousOf(night, undefined, 'Europe/Berlin').toDate).toBe('2026-03-28T23:59:59.999Z');
});

describe('Conversation Intelligence: metrics of periods', () => {
	const { sandbox, engine, run: list } = sandboxExport({ conversations: 50 });

	const MARCH = { fromDate: '2026-03-01', toDate: '2026-03-31' };
	const run = async (parameters: object, timezone = 'Europe/Berlin') => {
		const output = await list({ resource: 'user', ...MARCH, ...parameters }, { timezone });
		return { ...output, rows: output.items.map(({ json }) => json) };
	};
	const requested = () =>
		sandbox.requests.list().map(({ body }) => {
			const { fromDate, toDate } = body as IDataObject;
			return { fromDate, toDate };
		});

	test('teams can be filtered by ID and name, and the hints name the unknown ones and the range', async () => {
		const all = (await run({ resource: 'team' })).rows;
		const teams = [all[0].teamId, all[1].name, 'No Team'];
		const { rows, hints } = await run({ resource: 'team', filters: { teams } });
		expect(rows).toEqual(all.slice(0, 2));
		expect(requested()).toHaveLength(2);
		const compared = await run({ compareWith: 'previousPeriod' });
		expect(compared.hints[0].message).toBe(
			'Figures from 2026-03-01 00:00 to 2026-03-31 23:59, compared with 2026-01-29 00:00 to 2026-02-28 23:59 (Europe/Berlin).',
		);
		expect(hints.map(({ message }) => message)).toEqual([
			'The API key sees no team "No Team": check the spelling.',
			'Figures from 2026-03-01 00:00 to 2026-03-31 23:59 (Europe/Berlin).',
		]);
	});

	test.each(['user', 'team'])('a month of a %s is split into its weeks, a request each', async (resource) => {
		const { rows } = await run({ resource, splitBy: 'week' });
		// Sunday the 1st alone, four whole weeks, and the last two days.
		expect(requested()).toHaveLength(6);
		const of = (row: IDataObject) => `${String(row.fromDate)}/${String(row.toDate)}`;
		expect([...new Set(rows.map(of))]).toEqual(requested().map(of));
		expect(rows.length).toBe(6 * (await run({ resource })).rows.length);
	});

	test('a file of them has a column for each', async () => {
		const { items } = await run({
			splitBy: 'week',
			compareWith: 'previousPeriod',
			outputAs: 'file',
			fileFormat: 'csv',
		});
		const text = (await engine.binary(items[0].binary!.data)).toString('utf8');
		expect(text.split('\r\n')[0]).toMatch(/,fromDate,toDate,analyticsViewedPrevious,analyticsViewedChange,/);
		expect(items[0].json.requests).toBe(requested().length);
	});

	test('more than 400 periods are refused with their number, before any request', async () => {
		const { error } = await run({ splitBy: 'day', fromDate: '2025-02-24', toDate: '2026-03-31T00:30' });
		expect(error?.message).toBe('The range has 401 days, but Split By makes at most 400 periods');
		expect(error?.context?.details).toMatchObject({ code: 'too_many_periods', field: 'Split By' });
		expect(requested()).toEqual([]);
		expect(splitRange(rangeOf('2025-01-02T23:59:59.998', '2026-02-06'), 'day', 'UTC')).toHaveLength(400);
	});

	test('filters leave out removed users and other roles, and read the members of teams', async () => {
		const all = (await run({})).rows;
		const removed = all.filter(({ isRemoved }) => isRemoved);
		expect(removed.length).toBeGreaterThan(0);
		expect((await run({ filters: { activeOnly: true } })).rows).toEqual(
			all.filter((row) => !removed.includes(row)),
		);
		const { role } = all.find((row) => typeof row.role === 'string')!;
		expect((await run({ filters: { role: `x, ${String(role).toUpperCase()} ` } })).rows).toEqual(
			all.filter((row) => row.role === role),
		);
		const { teamId } = (all.find(({ teams }) => teams)!.teams as IDataObject[])[0];
		expect((await run({ filters: { teams: [teamId] } })).rows).toEqual(
			all.filter(({ teams }) => JSON.stringify(teams).includes(String(teamId))),
		);
	});
});

describe('Conversation Intelligence: metrics compared with the previous period', () => {
	const { server, run: list } = scriptedExport();

	const run = async (of: (day: number) => IDataObject[], parameters: object) => {
		server.respond(({ body }) => {
			const day = new Date((body as { fromDate: string }).fromDate).getUTCDate();
			return { status: 200, body: JSON.stringify({ users: of(day) }) };
		});
		const days = { resource: 'user', fromDate: '2026-03-03', toDate: '2026-03-05' };
		const { items, error } = await list({ ...days, ...parameters }, { timezone: 'America/New_York' });
		expect(error).toBeUndefined();
		return { rows: items.map(({ json }) => json), requests: server.seen.length };
	};
	const compare = {
		output: 'selectedFields',
		fields: ['talkRatioAverage', 'name'],
		splitBy: 'day',
		compareWith: 'previousPeriod',
	};

	test('have its value and the change, with one request for each day and the one before', async () => {
		const talkRatioAverage = (day: number) => [0.9, 0.92341, null, 0.5][day - 2];
		const { rows, requests } = await run(
			(day) => [{ userId: 'u', name: 'Ana', talkRatioAverage: talkRatioAverage(day) }],
			compare,
		);
		expect(requests).toBe(4);
		expect(rows.map((row) => Object.keys(row))[0]).toEqual([
			...['userId', 'name', 'talkRatioAverage', 'fromDate', 'toDate'],
			...['talkRatioAveragePrevious', 'talkRatioAverageChange'],
		]);
		expect(
			rows.map(({ talkRatioAveragePrevious: before, talkRatioAverageChange: change }) => [before, change]),
		).toEqual([
			[0.9, 0.0234],
			[0.92341, null],
			[null, null],
		]);
	});

	test('of a month are those of the whole month before', async () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 4, 15));
		await run(() => [], { ...compare, splitBy: 'none', dateRange: 'lastMonth' });
		expect(server.seen.map(({ body }) => body?.fromDate).sort()).toEqual([
			'2026-03-01T05:00:00.000Z',
			'2026-04-01T04:00:00.000Z',
		]);
	});

	test('of a user who was not there before are null', async () => {
		const { rows } = await run((day) => (day < 4 ? [] : [{ userId: 'u', talkRatioAverage: 0.5 }]), compare);
		expect(rows).toHaveLength(2);
		expect(rows[0]).toMatchObject({ talkRatioAveragePrevious: null, talkRatioAverageChange: null });
		expect(rows[1]).toMatchObject({ talkRatioAveragePrevious: 0.5, talkRatioAverageChange: 0 });
	});
});
