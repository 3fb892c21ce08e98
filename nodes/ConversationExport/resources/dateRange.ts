import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { assertRange, toUtcTimestamp } from '../../shared/time/instant';

/** The range that every export asks for. */
export const dateRangeProperties: INodeProperties[] = [
	{
		displayName: 'From Date',
		name: 'fromDate',
		type: 'dateTime',
		required: true,
		default: '',
		description:
			"Start of the range, inclusive. A time without an offset is read in the workflow's time zone.",
	},
	{
		displayName: 'To Date',
		name: 'toDate',
		type: 'dateTime',
		required: true,
		default: '',
		description: "End of the range, inclusive. A time without an offset is read in the workflow's time zone.",
	},
];

/**
 * Reads the range of an item.
 *
 * @returns UTC timestamps ending in Z
 * @throws UserError when a date has no meaning or the end is not after the start; nothing was requested then
 */
export function readDateRange(
	context: IExecuteFunctions,
	itemIndex: number,
): { fromDate: string; toDate: string } {
	const zone = context.getTimezone();
	const fromDate = toUtcTimestamp(context.getNodeParameter('fromDate', itemIndex), zone, 'From Date');
	const toDate = toUtcTimestamp(context.getNodeParameter('toDate', itemIndex), zone, 'To Date');
	assertRange(fromDate, toDate);
	return { fromDate, toDate };
}
