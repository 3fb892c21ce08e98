import fc from 'fast-check';
import { DateTime } from 'luxon';
import { previousOf, splitRange } from '../../../../nodes/ConversationIntelligence/getMany/metrics';

const ZONES = ['Europe/Berlin', 'America/Havana', 'Asia/Kathmandu'];
const rangeOf = (from: string, to: string) => ({ fromDate: from, toDate: to });
const utcRange = (from: DateTime, to: DateTime) => rangeOf(from.toUTC().toISO()!, to.toUTC().toISO()!);

// D1-TEAMBODY-02, D1-USERBODY-02
test('periods touch without gap or overlap, a millisecond apart, and begin by the calendar of the zone', () => {
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

test('more than 400 periods are refused with their number', () => {
	const refused = expect.objectContaining({
		message: 'The range has 401 days, but Split By makes at most 400 periods',
		details: { code: 'too_many_periods', retryable: false, field: 'Split By' },
	}) as Error;
	expect(() => splitRange(rangeOf('2025-02-24', '2026-03-31T00:30'), 'day', 'UTC')).toThrow(refused);
	expect(splitRange(rangeOf('2025-01-02T23:59:59.998', '2026-02-06'), 'day', 'UTC')).toHaveLength(400);
});
