import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import type { OperationRun } from '../../shared/node/operation';
import { requestRun } from '../../shared/http';
import { SharedIds } from './sharedIds';
import { appointmentRequest, type ResponseRow, type AppointmentRequest } from './appointmentRequest';

/** Concurrent requests: enough to be faster than the HTTP Request node at 50 ms a request (docs/BENCHMARKS.md). */
export const DEFAULT_CONCURRENCY = 40;

const parallelRequests = {
	displayName: 'Max Parallel Requests',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: DEFAULT_CONCURRENCY,
	description: 'How many requests to send at the same time. Fewer while the service is busy.',
} as const satisfies INodeProperties;

const requestsPerSecond = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'Maximum per second, retries included. 0 = unlimited.',
} as const satisfies INodeProperties;

/** The options of an operation: its own, and the limits of a run. */
export const optionsProperty = (own: INodeProperties[] = []): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...own, parallelRequests, requestsPerSecond].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	),
});

/** An item that was read and checked. */
export interface PreparedRequest {
	eventId: string;
	/** As in {@link OperationRun}: requests with the same key run in input order; the event ID by default. */
	key?: string;
	/** Sends the request with the function given, and returns the output item's JSON. */
	execute(send: Send): Promise<IDataObject & { warnings: string[] }>;
}

/** Sends an item's request when the limiter allows; see {@link appointmentRequest}. */
export type Send = (request: AppointmentRequest) => ReturnType<typeof appointmentRequest>;

/**
 * A run whose requests share limits, the lowest of its items' options.
 *
 * @param responses what single responses mean for the operation
 * @param prepare reads and checks one item
 * @param hints about all items, read once they are prepared
 * @param sharedIds finds items that overwrite each other
 */
export function appointmentRun(
	context: IExecuteFunctions,
	responses: ResponseRow[],
	prepare: (item: Item) => PreparedRequest,
	hints: () => string[] = () => [],
	sharedIds = new SharedIds(),
): OperationRun {
	let last: Item | undefined;
	return {
		prepare(item) {
			last = item;
			const { eventId, key = eventId, execute } = prepare(item);
			requestRun(context).limiter.limit({
				concurrency: item.option(parallelRequests),
				perSecond: item.option(requestsPerSecond) || Infinity,
			});
			// The link of a conversation to the same appointment again overwrites nothing.
			sharedIds.add(key, key === eventId ? item.index : eventId);
			const send: Send = async (request) => await appointmentRequest(item, responses, request);
			return {
				key,
				async execute() {
					const { warnings, ...json } = await execute(send);
					return [{ json: { ...json, warnings: [...warnings, ...sharedIds.warningsOf(key)] } }];
				},
			};
		},
		prepared() {
			for (const message of [...hints(), ...sharedIds.hints]) last?.hint(message);
		},
	};
}
