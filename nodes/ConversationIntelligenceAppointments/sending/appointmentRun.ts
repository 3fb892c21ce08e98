import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import type { OperationRun } from '../../shared/node/operation';
import { Pace } from '../../shared/http';
import { appointmentRequest, type AnswerRow, type AppointmentRequest } from './appointmentRequest';

/** Concurrent requests: enough to be faster than the HTTP Request node at 50 ms a request (docs/BENCHMARKS.md). */
export const DEFAULT_CONCURRENCY = 20;

const pacing: INodeProperties[] = [
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

/** The options of an operation: its own, and those about pacing. */
export const optionsProperty = (own: INodeProperties[] = []): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...own, ...pacing].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** An item that was read and checked. */
export interface PreparedRequest {
	/** As in {@link OperationRun}: requests with the same key run in input order. */
	key: string;
	/** Sends the request with the function given, and returns the output item's JSON. */
	execute(send: Send): Promise<IDataObject>;
}

/** Sends an item's request when the pace allows; see {@link appointmentRequest}. */
export type Send = (request: AppointmentRequest) => ReturnType<typeof appointmentRequest>;

/**
 * A run whose requests share one pace, set by the options of the first usable item.
 *
 * @param answers what single answers mean for the operation
 * @param prepare reads and checks one item
 * @param prepared called once, when all items are prepared
 */
export function appointmentRun(
	answers: AnswerRow[],
	prepare: (item: Item) => PreparedRequest,
	prepared?: () => void,
): OperationRun {
	let pacing: { most: number; pace: Pace } | undefined;
	return {
		prepare(item) {
			const { key, execute } = prepare(item);
			const { pace } = (pacing ??= readPacing(item));
			const send: Send = async (request) => await appointmentRequest(item, pace, answers, request);
			return { key, execute: async () => [{ json: await execute(send) }] };
		},
		// More items than requests, so that an item waiting for its retry does not hold up others.
		get concurrency() {
			return (pacing?.most ?? 1) * 4;
		},
		prepared,
		stop: (reason) => pacing?.pace.stop(reason),
	};
}

function readPacing(item: Item): { most: number; pace: Pace } {
	const { concurrency, requestsPerSecond } = item.collection('options');
	const most = Number(concurrency) || DEFAULT_CONCURRENCY;
	const perSecond = Number(requestsPerSecond) || Infinity;
	return { most, pace: new Pace({ start: most, most, perSecond }) };
}
