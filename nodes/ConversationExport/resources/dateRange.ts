import {
	UserError,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { assertRange, toUtcTimestamp } from '../../shared/time/instant';
import { isPreset, PRESETS, presetRange, utc } from '../../shared/time/presets';

const CHOICES: INodePropertyOptions[] = [
	...Object.entries(PRESETS).map(([value, { name }]) => ({ name, value })),
	{ name: 'Custom', value: 'custom', description: 'From one date and time to another' },
];

/** The range that every export asks for. */
export const dateRangeProperties: INodeProperties[] = [
	{
		displayName: 'Date Range',
		name: 'dateRange',
		type: 'options',
		options: CHOICES,
		default: 'last7Days',
		description: "Which days to export, by the calendar of the workflow's time zone. Weeks begin on Monday.",
	},
	{
		displayName: 'From Date',
		name: 'fromDate',
		type: 'dateTime',
		required: true,
		displayOptions: { show: { dateRange: ['custom'] } },
		default: '',
		description:
			"Start of the range, inclusive. A time without an offset is read in the workflow's time zone.",
	},
	{
		displayName: 'To Date',
		name: 'toDate',
		type: 'dateTime',
		displayOptions: { show: { dateRange: ['custom'] } },
		default: '',
		description:
			"End of the range, inclusive; for teams and users, scorecards and live coaching leave the very end out. Empty means now, the same moment for all items of a run. A time without an offset is read in the workflow's time zone.",
	},
];

/** UTC timestamps ending in Z. */
export interface DateRange {
	fromDate: string;
	toDate: string;
}

const starts = new WeakMap<IExecuteFunctions, number>();

/** The moment at which an open end is frozen: once for all items of an execution. */
function startOf(context: IExecuteFunctions): number {
	const start = starts.get(context) ?? Date.now();
	starts.set(context, start);
	return start;
}

/**
 * Reads the range of an item.
 *
 * @throws UserError when a date has no meaning or the end is not after the start; nothing was requested then
 */
export function readDateRange(context: IExecuteFunctions, itemIndex: number): DateRange {
	const zone = context.getTimezone();
	const now = startOf(context);
	const choice = context.getNodeParameter('dateRange', itemIndex, 'custom');
	if (isPreset(choice)) return presetRange(choice, now, zone);
	if (choice !== 'custom') {
		const known = [...Object.keys(PRESETS), 'custom'].join(', ');
		throw new UserError(
			`Date Range is "${String(choice)}", which the node does not know. Use one of: ${known}.`,
		);
	}
	const end = context.getNodeParameter('toDate', itemIndex, '');
	const isOpen = end === '' || end === null || end === undefined;
	const range = {
		fromDate: toUtcTimestamp(context.getNodeParameter('fromDate', itemIndex), zone, 'From Date'),
		toDate: isOpen ? utc(now) : toUtcTimestamp(end, zone, 'To Date'),
	};
	assertRange(range.fromDate, range.toDate);
	return range;
}
