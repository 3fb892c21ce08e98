import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { assertLength, codedError } from '../../shared/base/codedErrors';
import type { DateRange } from '../../shared/exportApi/client';
import { howEntered, type Item } from '../../shared/node/item';
import { asTool, byModel, notAsTool } from '../../shared/node/resources';
import { noDate, toUtcTimestamp } from '../../shared/base/time';
import { EXPORT_ERRORS } from '../exportErrors';

export type Unit = 'day' | 'week' | 'month';

/** With `unit`, the calendar period `ago` units before now (weeks begin on Monday); without, the last `ago` days. */
const PRESETS: Record<string, { name: string; unit?: Unit; ago: number }> = {
	today: { name: 'Today', unit: 'day', ago: 0 },
	yesterday: { name: 'Yesterday', unit: 'day', ago: 1 },
	last7Days: { name: 'Last 7 Days', ago: 7 },
	last30Days: { name: 'Last 30 Days', ago: 30 },
	last90Days: { name: 'Last 90 Days', ago: 90 },
	last180Days: { name: 'Last 180 Days', ago: 180 },
	last365Days: { name: 'Last 365 Days', ago: 365 },
	thisWeek: { name: 'This Week', unit: 'week', ago: 0 },
	lastWeek: { name: 'Last Week', unit: 'week', ago: 1 },
	weekBeforeLast: { name: 'Week Before Last', unit: 'week', ago: 2 },
	thisMonth: { name: 'This Month', unit: 'month', ago: 0 },
	lastMonth: { name: 'Last Month', unit: 'month', ago: 1 },
	monthBeforeLast: { name: 'Month Before Last', unit: 'month', ago: 2 },
};

type Preset = (typeof PRESETS)[string];

/** Where the clock shows midnight twice, the first one begins the day. */
export function startOf(time: DateTime, unit: Unit): DateTime {
	return time.startOf(unit).getPossibleOffsets()[0];
}

export function presetOf(item: Item): Preset | undefined {
	return PRESETS[item.value(dateRange) as string];
}

/** The range of a preset by the zone's calendar, in UTC. It is at least one millisecond long. */
function presetRange({ unit, ago }: Preset, now: number, zone: string): DateRange {
	const time = DateTime.fromMillis(now, { zone });
	const day = time.minus({ [unit ?? 'day']: ago });
	const from = +(unit ? startOf(day, unit) : day);
	const to = unit && ago > 0 ? +startOf(day.plus({ [unit]: 1 }), unit) - 1 : now;
	// The service wants an end after the start, even at midnight.
	return { fromDate: utc(from), toDate: utc(Math.max(to, from + 1)) };
}

export const utc = (instant: number) => new Date(instant).toISOString();

const CHOICES = [
	...Object.entries(PRESETS).map(([value, { name }]) => ({ name, value })),
	{ name: 'Custom', value: 'custom', description: 'From one date and time to another' },
];

const dateRange: INodeProperties = {
	displayName: 'Date Range',
	name: 'dateRange',
	type: 'options',
	options: CHOICES,
	displayOptions: notAsTool,
	default: 'last7Days',
	description: "Which dates to export, in the workflow's time zone. Weeks begin on Monday.",
};

const fromDate: INodeProperties = {
	displayName: 'From Date',
	name: 'fromDate',
	type: 'dateTime',
	required: true,
	displayOptions: { show: { dateRange: ['custom'] }, ...notAsTool },
	default: '',
	description: "Start (inclusive), in the workflow's time zone unless it has an offset",
};

const toDate: INodeProperties = {
	displayName: 'To Date',
	name: 'toDate',
	type: 'dateTime',
	displayOptions: { show: { dateRange: ['custom'] }, ...notAsTool },
	default: '',
	description: 'End (inclusive). Empty means now; a date without a time means the end of that day.',
};

/** Returns a parameter twice: as it is for people, and with another default for an agent. */
function alsoAsTool(property: INodeProperties, byDefault: string, description = property.description) {
	const show = { ...property.displayOptions?.show, ...asTool.show };
	return [property, { ...property, displayOptions: { show }, default: byDefault, description }];
}

// n8n reads these descriptions without resolving expressions, so none can hold today's date.
const TODAY = 'The note at the end of each result says which day today is.';
const FROM_DATE = `Required. First day to search, ISO 8601, e.g. 2026-03-01. ${TODAY}`;
const TO_DATE = `Last day to search, included, ISO 8601. Empty = now. ${TODAY}`;

export const dateRangeProperties: INodeProperties[] = [
	...alsoAsTool(dateRange, 'custom', 'Which dates to export. With Custom, the model chooses them.'),
	...alsoAsTool(fromDate, byModel('from_date', FROM_DATE, 'string')),
	...alsoAsTool(toDate, byModel('to_date', TO_DATE, 'string', ", ''")),
];

/** Reads an item's range; throws a CodedError for what is no date, or an end that is not after the start. */
export function readDateRange(item: Item): DateRange {
	const zone = item.context.getTimezone();
	const preset = presetOf(item);
	if (preset) return presetRange(preset, item.startedAt, zone);
	const end = item.parameter('toDate', '');
	const node = item.context.getNode();
	const isOpen = end === '' && howEntered(node, node.parameters.toDate) !== 'computed';
	const range = {
		fromDate: toUtcTimestamp(item.parameter('fromDate'), zone, 'From Date'),
		// A misspelt field is not an open end, and neither is an expression that returns nothing.
		toDate: isOpen ? utc(item.startedAt) : lastMoment(end || undefined, zone),
	};
	// D1 § POST /export/conversations: "must be after fromDate".
	if (Date.parse(range.toDate) > Date.parse(range.fromDate)) return range;
	const local = (date: string) => DateTime.fromISO(date, { zone }).toISO({ suppressMilliseconds: true });
	const values = { from: String(local(range.fromDate)), to: String(local(range.toDate)) };
	throw codedError(EXPORT_ERRORS, 'range_reversed', values, { field: 'To Date' });
}

/** An ISO date without a time. */
const WHOLE_DAY = /^\d{4}(-\d{2}-\d{2}|\d{4}|-?\d{3}|-?W\d{2}-?\d)$/i;

/** The end of the range: 2026-03-31 includes that day (D1: bounds are inclusive). */
function lastMoment(value: unknown, zone: string): string {
	assertLength(value, 'To Date');
	const text = typeof value === 'string' ? value.trim() : '';
	if (!WHOLE_DAY.test(text)) return toUtcTimestamp(value, zone, 'To Date');
	const start = DateTime.fromISO(text, { zone });
	if (!start.isValid) throw noDate(value, 'To Date');
	return utc(start.endOf('day').toMillis());
}
