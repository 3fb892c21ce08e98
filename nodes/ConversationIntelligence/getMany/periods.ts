import { DateTime, Interval } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedError';
import type { DateRange } from '../../shared/exportApi/client';
import type { Item } from '../../shared/node/item';
import { EXPORT_ERRORS } from '../errors';
import { notAsTool, presetOf, startOf, utc, type Unit } from './dateRange';

const MAX_PERIODS = 400;

export const splitBy = {
	displayName: 'Split By',
	name: 'splitBy',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: "Don't Split", value: 'none' },
		{ name: 'Day', value: 'day' },
		{ name: 'Week', value: 'week' },
		{ name: 'Month', value: 'month' },
	],
	default: 'none',
	description: 'Whether to return a row for each period of the range, which takes a request each',
} as const satisfies INodeProperties;

export const compareWith = {
	displayName: 'Compare With',
	name: 'compareWith',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: "Don't Compare", value: 'none' },
		{
			name: 'Previous Period',
			value: 'previousPeriod',
			description: 'Adds the value before, and the change, to each metric',
		},
	],
	default: 'none',
	description: 'What to compare each metric with',
} as const satisfies INodeProperties;

/** What one request is about, and what its rows are compared with. */
export interface Period {
	range: DateRange;
	previous?: DateRange;
}

/** The periods that an item's Split By and Compare With make of its range; throws as {@link splitRange}. */
export function readPeriods(item: Item, range: DateRange): Period[] {
	const zone = item.context.getTimezone();
	const chosen = item.value(splitBy);
	const unit = chosen === 'none' ? presetOf(item)?.unit : chosen;
	const ranges = chosen === 'none' ? [range] : splitRange(range, chosen, zone);
	if (item.value(compareWith) === 'none') return ranges.map((one) => ({ range: one }));
	return ranges.map((one) => ({ range: one, previous: previousOf(one, unit, zone) }));
}

/**
 * Divides a range at the calendar's days, weeks or months; the first and the last period can be shorter. Each ends a
 * millisecond before the next: most metrics include the end, and an appointment that ends at midnight must count once.
 * Scorecards and live coaching exclude it (D1 § POST /export/users), and lack only what is in that millisecond.
 * @param zone IANA name
 * @throws CodedError for more than {@link MAX_PERIODS}
 */
export function splitRange({ fromDate, toDate }: DateRange, unit: Unit, zone: string): DateRange[] {
	const end = DateTime.fromISO(toDate, { zone });
	let from: DateTime = DateTime.fromISO(fromDate, { zone });
	const count = Interval.fromDateTimes(from, end).count(unit);
	if (count > MAX_PERIODS) {
		const values = { count, unit: `${unit}s`, max: MAX_PERIODS };
		throw codedError(EXPORT_ERRORS, 'too_many_periods', values, { field: splitBy.displayName });
	}
	const ranges: DateRange[] = [];
	while (from < end) {
		// One millisecond is no period, because the service wants an end after the start.
		const next = startOf(from.plus(1).plus({ [unit]: 1 }), unit);
		const to = next < end ? next.minus(1) : end;
		ranges.push({ fromDate: utc(from.toMillis()), toDate: utc(to.toMillis()) });
		from = next;
	}
	return ranges;
}

/**
 * The period before: the same part of the day, week or month before, by the calendar of the zone; without a unit, as many
 * days right before.
 */
export function previousOf({ fromDate, toDate }: DateRange, unit: Unit | undefined, zone: string): DateRange {
	const from = DateTime.fromISO(fromDate, { zone });
	const end = DateTime.fromISO(toDate, { zone }).plus(1);
	const before = (time: DateTime) => {
		if (unit === undefined) return time.minus(end.diff(from, ['days', 'milliseconds']));
		const earlier = time.minus({ [unit]: 1 });
		return +time === +startOf(time, unit) ? startOf(earlier, unit) : earlier;
	};
	const previousEnd = unit === undefined ? from : before(end);
	return { fromDate: utc(before(from).toMillis()), toDate: utc(previousEnd.toMillis() - 1) };
}
