import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { DescribedOperation } from '../../shared/operation';
import type { Pace } from '../../shared/transport';

/** An item that was read and checked, but not sent yet. */
export interface PreparedItem {
	/** Items with the same event ID are sent one after another. */
	eventId: string;
	/** Sends it and returns the output item's JSON. */
	send(pace: Pace): Promise<IDataObject>;
}

/** Reads and checks one item; throws UserError when it cannot be sent, naming the field. */
export type PrepareItem = (itemIndex: number) => PreparedItem;

/** An operation of this node reads and checks its items first, so that nothing goes out while another is unusable. */
export interface AppointmentOperation extends DescribedOperation {
	/** Reads once what expressions cannot change from item to item. */
	start(context: IExecuteFunctions): PrepareItem;
}

/** Requests under way at once. */
export const DEFAULT_CONCURRENCY = 5;

/** How many items go out at a time; part of each operation's options. */
export const pacingOptions: INodeProperties[] = [
	{
		displayName: 'Parallel Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: DEFAULT_CONCURRENCY,
		description:
			'How many items to send at the same time. Items with the same Event ID are always sent one after another, in input order.',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Most requests to send in a second, repeats included. 0 means no cap of its own.',
	},
];
