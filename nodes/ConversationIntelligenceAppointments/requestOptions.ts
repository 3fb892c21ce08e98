import type { INodeProperties } from 'n8n-workflow';
import { requestRun } from '../shared/http';
import type { Item } from '../shared/node/item';
import { compareItems, type KeyedInput } from './warnings';

/** Concurrent requests: enough to be faster than the HTTP Request node at 50 ms a request (docs/reference/benchmarks.md). */
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

/** The options of an operation: its own, and those of all. */
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

/** What every operation reads of an item, whose options also limit the requests of all items: the lowest counts. */
export function readCommon(item: Item): Omit<KeyedInput, 'key'> {
	requestRun(item.context).limiter.limit({
		concurrency: item.option(parallelRequests),
		perSecond: item.option(requestsPerSecond) || Infinity,
	});
	return { index: item.index, warnings: {} };
}

/** What every operation does with it; a match compares conversations instead. */
export const common = {
	key: ({ key }: KeyedInput) => key,
	afterRead: (inputs: KeyedInput[]) => compareItems(inputs, 'event_id_shared'),
	triesAll: true,
};
