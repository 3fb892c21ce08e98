import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { DescribedOperation } from '../../shared/operation';
import type { AppointmentRun } from './appointmentRun';

/** An operation of this node reads and checks its items first, so that nothing goes out while another is unusable. */
export interface AppointmentOperation extends DescribedOperation {
	/** Reads once what expressions cannot change from item to item. */
	start(context: IExecuteFunctions): AppointmentRun;
}

/** Requests under way at once: enough to be faster than the HTTP Request node at 50 ms a request (docs/BENCHMARKS.md). */
export const DEFAULT_CONCURRENCY = 20;

/** How many items go out at a time; part of each operation's options. */
export const pacingOptions: INodeProperties[] = [
	{
		displayName: 'Parallel Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: DEFAULT_CONCURRENCY,
		description: 'How many requests to send at the same time. Fewer while the service is busy.',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Maximum per second, retries included. 0 = unlimited.',
	},
];
