import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readDateRange } from '../../../../nodes/ConversationIntelligence/getMany/dateRange';
import { previousOf, splitRange } from '../../../../nodes/ConversationIntelligence/getMany/metrics';
import { Item } from '../../../../nodes/shared/node/item';

type Dates = (now: DateTime) => [from: DateTime, to: DateTime];
type Unit = 'day' | 'week' | 'month';
const utc = (time: DateTime) => time.toUTC().toISO()!;
const back =
	(days: number): Dates =>
	(now) => [now.minus({ days }), now];
const current =
	(unit: Unit): Dates =>
	(now) => [now.startOf(unit), now];
const whole =
	(unit: Unit, ago: number): Dates =>
	(now) => {
		const time = now.minus({ [`${unit}s`]: ago });
		return [time.startOf(unit), time.endOf(unit)];
	};
/** The choices of Date Range, and what each means by the calendar of a zone. */
const RANGES: Record<string, Dates> = {
	...{ today: current('day'), thisWeek: current('week'), thisMonth: current('month') },
	...{ yesterday: whole('day', 1), lastWeek: whole('week', 1), weekBeforeLast: whole('week', 2) },
	...{ lastMonth: whole('month', 1), monthBeforeLast: whole('month', 2), last7Days: back(7) },
	...{ last30Days: back(30), last90Days: back(90), last180Days: back(180), last365Days: back(365) },
};

const BERLIN = 'Europe/Berlin';
const ZONES = [BERLIN, 'UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati'];

// Neither the zone of the machine nor that of the last workflow matters, to which n8n has set it.
const { TZ } = process.env;
beforeAll(() => {
	process.env.TZ = 'Pacific/Auckland';
	Settings.defaultZone = 'America/New_York';
});
afterAll(() => {
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
	Settings.defaultZone = 'system';
});

/** The range that the node reads from its parameters, in a workflow of that time zone. */
function read(given: object, zone = BERLIN, now = Date.now()) {
	const parameters = { dateRange: 'custom', ...given } as IDataObject;
	const context = {
		getTimezone: () => zone,
		getNode: () => ({ type: 'node', parameters }),
		getNodeParameter: (name: string) => parameters[name],
	};
	return readDateRange(new Item(context as unknown as IExecuteFunctions, 0, now));
}
const toDateOf = (toDate: unknown, zone = BERLIN) => read({ fromDate: '1999-01-01', toDate }, zone).toDate;
const at = (iso: string) => Date.parse(iso);

test.each(Object.entries(RANGES))(
	'%s is the range of the calendar in any zone at any time, whatever the zone of the machine, and ends later',
	(dateRange, dates) => {
		const instants = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });
		fc.assert(
			fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
				const [from, to] = dates(DateTime.fromMillis(instant, { zone }));
				const end = DateTime.max(from.plus(1), to);
				expect(read({ dateRange }, zone, instant)).toEqual({ fromDate: utc(from), toDate: utc(end) });
			}),
		);
	},
);

test.each([
	// The clock shows midnight twice.
	['yesterday', 'Atlantic/Azores', '2026-10-26T13:00Z', '2026-10-25T00:00:00.000', '2026-10-26T00:59:59.999'],
	['lastMonth', 'America/Havana', '2026-11-02T18:00Z', '2026-10-01T04:00:00.000', '2026-11-01T03:59:59.999'],
	// The clock shows no midnight.
	['yesterday', 'Africa/Cairo', '2026-04-25T10:00Z', '2026-04-23T22:00:00.000', '2026-04-24T20:59:59.999'],
	['today', BERLIN, '2026-05-12T22:00Z', '2026-05-12T22:00:00.000', '2026-05-12T22:00:00.001'],
	['yesterday', BERLIN, '2026-03-30T08:00Z', '2026-03-28T23:00:00.000', '2026-03-29T21:59:59.999'],
])('%s in %s at %s is from %s to %s', (dateRange, zone, now, from, to) => {
	expect(read({ dateRange }, zone, at(now))).toEqual({ fromDate: `${from}Z`, toDate: `${to}Z` });
});

test("a To Date without a time means the last millisecond of that day in the workflow's time zone", () => {
	const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
	fc.assert(
		fc.property(day, fc.constantFrom(...ZONES, 'America/Havana'), (date, zone) => {
			const text = date.toISOString().slice(0, 10);
			const last = DateTime.fromISO(toDateOf(text, zone), { zone });
			expect(last.toISODate()).toBe(text);
			expect(last.plus(1).toISODate()).not.toBe(text);
		}),
	);
});

const DAY_END = '2026-03-31T21:59:59.999Z';
test.each<[unknown, string]>([
	[' 20260331 ', DAY_END],
	['2026-090', DAY_END],
	['2026090', DAY_END],
	['2026-W14-2', DAY_END],
	['2026W142', DAY_END],
	['2026-03-31 00:00', '2026-03-30T22:00:00.000Z'],
	// In winter time.
	['2026-03-28T00:00', '2026-03-27T23:00:00.000Z'],
	['2026-03-31T08:30:00+05:30', '2026-03-31T03:00:00.000Z'],
	// As SQL Server and .NET write it: its last seven digits look like a year and a day.
	['2026-03-31T08:30:00.2026001', '2026-03-31T06:30:00.202Z'],
	[new Date('2026-03-31T00:00:00Z'), '2026-03-31T00:00:00.000Z'],
	[Date.UTC(2026, 2, 31), '2026-03-31T00:00:00.000Z'],
	[DateTime.fromISO('2026-03-31', { zone: 'Asia/Tokyo' }), '2026-03-30T15:00:00.000Z'],
])('the To Date %p is %s in Berlin: a day to its end, a time as it is', (value, expected) => {
	expect(toDateOf(value)).toBe(expected);
});

// D1-EXPBODY-02, D1-TEAMBODY-02, D1-USERBODY-02
test("a range must end after it starts; both times are named in the workflow's time zone", () => {
	const reversed = { fromDate: '2026-03-31T10:00:00', toDate: '2026-03-31T07:59:00Z' };
	const message = 'To Date (2026-03-31T09:59:00+02:00) must be after From Date (2026-03-31T10:00:00+02:00)';
	expect(() => read(reversed)).toThrow(message);
	const equal = { fromDate: '2026-03-31T10:00Z', toDate: '2026-03-31T12:00' };
	expect(() => read(equal)).toThrow(/^To Date .* must/);
});

test.each([
	...[20260331, '12', '0830', '2026', '1772354000', 'tomorrow', '2026-02-30', {}, [], true, '2026-13'],
	...['2026-13-01T00:00', null, undefined],
])('%p is refused as a From Date, a To Date and a Date Range', (value) => {
	const refused = /^(The expression for )?(From Date|To Date|Date Range) (must|returned nothing)/;
	expect(() => read({ fromDate: value, toDate: '2040-01-01' })).toThrow(refused);
	expect(() => read({ fromDate: '2026-01-01', toDate: value })).toThrow(refused);
	expect(() => read({ dateRange: value })).toThrow(refused);
});

// D1-TEAMBODY-02, D1-USERBODY-02
test('periods touch without gap or overlap and begin by the calendar, and each is the one before the next', () => {
	const year = { min: new Date('2025-06-01'), max: new Date('2026-06-01'), noInvalidDate: true };
	fc.assert(
		fc.property(
			fc.constantFrom(...ZONES, 'America/Havana'),
			fc.constantFrom('day' as const, 'week' as const, 'month' as const),
			fc.date(year),
			// Also ends that are midnights, and a millisecond from one.
			fc.oneof(fc.nat(300 * 86_400_000), fc.constantFrom(0, 1, 899_999, 86_400_000 - 1)),
			fc.boolean(),
			(zone, unit, date, length, atMidnight) => {
				const start = DateTime.fromJSDate(date, { zone });
				const from = atMidnight ? start.endOf('day') : start;
				const range = { fromDate: utc(from), toDate: utc(from.plus(length + 1)) };
				const periods = splitRange(range, unit, zone);
				expect([periods[0].fromDate, periods.at(-1)!.toDate]).toEqual(Object.values(range));
				for (const [index, { fromDate, toDate }] of periods.entries()) {
					expect(Date.parse(toDate)).toBeGreaterThan(Date.parse(fromDate));
					if (index === 0) continue;
					expect(Date.parse(fromDate)).toBe(Date.parse(periods[index - 1].toDate) + 1);
					const begin = DateTime.fromISO(fromDate, { zone });
					expect(begin.toISO()).toBe(begin.startOf(unit).toISO());
				}
				const whole = periods.slice(1, -1);
				const previous = whole.slice(1).map((period) => previousOf(period, unit, zone));
				expect(previous).toEqual(whole.slice(0, -1));
			},
		),
	);
});

// In Berlin, whose clocks change on 2026-03-29.
test.each<[Unit | undefined, from: string, to: string, previousFrom: string, previousTo: string]>([
	// A part of a day, week or month is compared with the same part.
	['day', '2026-03-30T00:00', '2026-03-30T10:29', '2026-03-29T00:00', '2026-03-29T10:29'],
	['week', '2026-03-30T00:00', '2026-04-01T23:59', '2026-03-23T00:00', '2026-03-25T23:59'],
	['month', '2026-04-01T00:00', '2026-04-15T12:29', '2026-03-01T00:00', '2026-03-15T12:29'],
	['month', '2026-03-01T00:00', '2026-03-31T23:59', '2026-02-01T00:00', '2026-02-28T23:59'],
	// Without one, as many days right before.
	[undefined, '2026-03-28T00:00', '2026-03-30T23:59', '2026-03-25T00:00', '2026-03-27T23:59'],
])('the %s from %s to %s is compared with %s to %s', (unit, from, to, previousFrom, previousTo) => {
	const range = (first: string, last: string) => ({
		fromDate: utc(DateTime.fromISO(first, { zone: BERLIN })),
		toDate: utc(DateTime.fromISO(`${last}:59.999`, { zone: BERLIN })),
	});
	expect(previousOf(range(from, to), unit, BERLIN)).toEqual(range(previousFrom, previousTo));
});

test('more than 400 periods are refused with their number', () => {
	const splitDays = (fromDate: string, toDate: string) => splitRange({ fromDate, toDate }, 'day', 'UTC');
	const refused = expect.objectContaining({
		message: 'The range has 401 days, but Split By makes at most 400 periods',
		details: { code: 'too_many_periods', retryable: false, field: 'Split By' },
	}) as Error;
	expect(() => splitDays('2025-02-24', '2026-03-31T00:30')).toThrow(refused);
	expect(splitDays('2025-01-02T23:59:59.998', '2026-02-06')).toHaveLength(400);
});
