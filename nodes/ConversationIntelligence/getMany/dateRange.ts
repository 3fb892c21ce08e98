import { DateTime } from 'luxon';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { codedError, assertLength } from '../../shared/base/codedError';
import type { DateRange } from '../../shared/exportApi/client';
import { howEntered } from '../../shared/node/item';
import type { Item } from '../../shared/node/item';
import { noDate, toUtcTimestamp } from '../../shared/base/time';
import { EXPORT_ERRORS } from '../errors';

export type Unit = 'day' | 'week' | 'month';

/** With a unit, the calendar period so many units ago, weeks from Monday; without, so many days back to the same time. */
export const PRESETS: Record<string, PresetDates> = {
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

interface PresetDates {
	name: string;
	unit?: Unit;
	ago: number;
}

/** Where the clock shows midnight twice, the first one begins the day. */
export function startOf(time: DateTime, unit: Unit): DateTime {
	const start = time.startOf(unit);
	return start.getPossibleOffsets()[0];
}

export function presetOf(item: Item): PresetDates | undefined {
	return PRESETS[item.value(dateRange) as string];
}

/** The range of teams' and users' metrics in words, for the node's subtitle, e.g. `: last week`. */
export const RANGE_SUBTITLE = `{{ $parameter.resource === "team" || $parameter.resource === "user" ? (${JSON.stringify(
	Object.fromEntries(
		Object.entries(PRESETS).map(([preset, { name }]) => [preset, `: ${name.toLowerCase()}`]),
	),
)})[$parameter.dateRange] ?? "" : "" }}`;

/**
 * The range of a preset, by the calendar of the workflow's time zone, daylight-saving changes included.
 * @param now milliseconds since 1970: the end of a range that is still open
 * @returns UTC timestamps ending in Z; in the first millisecond of a period, that millisecond
 */
export function presetRange({ unit, ago }: PresetDates, now: number, zone: string): DateRange {
	const time = DateTime.fromMillis(now, { zone });
	const day = time.minus({ [unit ?? 'day']: ago });
	const from = +(unit ? startOf(day, unit) : day);
	const isOver = unit !== undefined && ago > 0;
	const to = isOver ? +startOf(day.plus({ [unit]: 1 }), unit) - 1 : now;
	// The service wants an end after the start, even at midnight.
	return { fromDate: utc(from), toDate: utc(Math.max(to, from + 1)) };
}

export function utc(instant: number): string {
	return new Date(instant).toISOString();
}

const CHOICES: INodePropertyOptions[] = [
	...Object.entries(PRESETS).map(([value, { name }]) => ({ name, value })),
	{ name: 'Custom', value: 'custom', description: 'From one date and time to another' },
];

export const notAsTool = { hide: { '@tool': [true] } };

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

/** A default by which an agent's model supplies the value; the description is all that it reads about it. */
export const byModel = (name: string, description: string, type: 'string' | 'number', fallback = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}'${fallback}) }}`;

const asTool = { '@tool': [true] };

/** The range that every export asks for. An agent's model chooses it, unless the user does. */
export const dateRangeProperties: INodeProperties[] = [
	dateRange,
	{
		...dateRange,
		displayOptions: { show: asTool },
		default: 'custom',
		description: 'Which dates to export. With Custom, the model chooses them.',
	},
	fromDate,
	{
		...fromDate,
		displayOptions: { show: { dateRange: ['custom'], ...asTool } },
		default: byModel('from_date', 'Required. First day to search, ISO 8601, e.g. 2026-03-01.', 'string'),
	},
	toDate,
	{
		...toDate,
		displayOptions: { show: { dateRange: ['custom'], ...asTool } },
		default: byModel('to_date', 'Last day to search, included, ISO 8601. Empty = now.', 'string', ", ''"),
	},
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

/** ISO dates without a time, and the period whose last moment each means. */
const PERIODS: Array<{ form: RegExp; unit: 'month' | 'week' | 'day' }> = [
	{ form: /^\d{4}-\d{2}$/, unit: 'month' },
	{ form: /^\d{4}-?W\d{2}$/i, unit: 'week' },
	{ form: /^\d{4}(-\d{2}-\d{2}|\d{4}|-?\d{3}|-?W\d{2}-?\d)$/i, unit: 'day' },
];

/** The end of the range: 2026-03-31 includes that day (D1: bounds are inclusive). */
function lastMoment(value: unknown, zone: string): string {
	assertLength(value, 'To Date');
	const period = typeof value === 'string' && PERIODS.find(({ form }) => form.test(value.trim()));
	if (!period) return toUtcTimestamp(value, zone, 'To Date');
	const start = DateTime.fromISO(value.trim(), { zone });
	if (!start.isValid) throw noDate(value, 'To Date');
	return utc(start.endOf(period.unit).toMillis());
}
