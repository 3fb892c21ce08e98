import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { previousOf, splitRange } from '../../../../nodes/ConversationIntelligence/getMany/metrics';
import { sandboxExport } from '../exportNode';

const ZONES = ['Europe/Berlin', 'America/Havana', 'Asia/Kathmandu'];
const rangeOf = (from: string, to: string) => ({ fromDate: from, toDate: to });
const utcRange = (from: DateTime, to: DateTime) => rangeOf(from.toUTC().toISO()!, to.toUTC().toISO()!);

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

describe('Conversation Intelligence: metrics of periods', () => {
	const { sandbox, run: list } = sandboxExport({ conversations: 50 });

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

	test('more than 400 periods are refused with their number, before any request', async () => {
		const { error } = await run({ splitBy: 'day', fromDate: '2025-02-24', toDate: '2026-03-31T00:30' });
		expect(error?.message).toBe('The range has 401 days, but Split By makes at most 400 periods');
		expect(error?.context?.details).toMatchObject({ code: 'too_many_periods', field: 'Split By' });
		expect(requested()).toEqual([]);
		expect(splitRange(rangeOf('2025-01-02T23:59:59.998', '2026-02-06'), 'day', 'UTC')).toHaveLength(400);
	});
});
