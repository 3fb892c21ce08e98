import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { OperationRun, PreparedItem } from '../../shared/operation';
import { Pace } from '../../shared/transport';

/** Requests under way at once: enough to be faster than the HTTP Request node at 50 ms a request (docs/BENCHMARKS.md). */
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

/** A request that was read and checked. */
export interface PreparedRequest extends Required<Pick<PreparedItem, 'key'>> {
	/** Sends it and returns the output item's JSON. */
	send(pace: Pace): Promise<IDataObject>;
}

/**
 * A run whose requests share one pace, which the options of the first usable item set.
 *
 * @param prepare reads and checks one item
 * @param prepared called once, when all items are prepared
 */
export function appointmentRun(
	context: IExecuteFunctions,
	prepare: (itemIndex: number) => PreparedRequest,
	prepared?: () => void,
): OperationRun {
	let pacing: { most: number; pace: Pace } | undefined;
	return {
		prepare(itemIndex) {
			const { key, send } = prepare(itemIndex);
			const { pace } = (pacing ??= readPacing(context, itemIndex));
			return { key, execute: async () => [{ json: await send(pace) }] };
		},
		// More items than requests, so that one that waits for its retry does not hold up others.
		get concurrency() {
			return (pacing?.most ?? 1) * 4;
		},
		prepared,
		stop: (reason) => pacing?.pace.stop(reason),
	};
}

function readPacing(context: IExecuteFunctions, itemIndex: number): { most: number; pace: Pace } {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const most = Number(options.concurrency) || DEFAULT_CONCURRENCY;
	const perSecond = Number(options.requestsPerSecond) || Infinity;
	return { most, pace: new Pace({ start: most, most, perSecond }) };
}
