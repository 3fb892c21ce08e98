import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { runKeyed } from '../concurrency/runKeyed';
import { yieldToEventLoop } from '../concurrency/yieldToEventLoop';
import type { NodeError } from '../errors/nodeError';
import { escapeHtml } from '../errors/text';
import { cancelSignal, MAX_IN_FLIGHT, stopRequests } from '../http';
import { Item } from './item';
import { findOperation, type Operation, type Resource } from './operation';

/** An item, and what it asks for. */
interface Read {
	item: Item;
	input: unknown;
}

/** More items than requests, so that an item waiting for its retry does not hold up others. */
const ITEMS_AT_ONCE = 2 * MAX_IN_FLIGHT;

/** Maximum unusable items that an error names. */
const MAX_NAMED = 10;

/**
 * Runs the chosen operation: reads and checks every item, and executes them side by side, those with the same key
 * strictly in input order. Each output is linked to its input item and in its place.
 *
 * Without Continue On Fail, an operation that writes sends nothing while any item is unusable, and the first failure stops
 * the rest. With it, a failed item becomes one that carries the message, and the others continue.
 *
 * @throws NodeOperationError for an item that cannot be sent, NodeApiError for one that the service refused, each naming
 *   the item; NodeOperationError for an operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const startedAt = Date.now();
	const items = context.getInputData().map((_, index) => new Item(context, index, startedAt));
	const nextItem = yieldToEventLoop(cancelSignal(context));
	if (items.length === 0) return [[]];
	const operation = findOperation(context, resources);
	const output: INodeExecutionData[][] = [];
	const unusable: NodeError[] = [];
	let stoppedBy: NodeError | undefined;

	const readItem = (item: Item): Read | undefined => {
		try {
			return { item, input: operation.read(item) };
		} catch (error) {
			if (context.continueOnFail()) output[item.index] = [item.failed(error)];
			else unusable.push(item.nodeError(error));
			return undefined;
		}
	};
	async function* readItems(): AsyncGenerator<Read> {
		for (const item of items) {
			await nextItem();
			const read = readItem(item);
			if (read && unusable.length === 0) yield read;
		}
		if (unusable.length === 0) return;
		stopRequests(context);
		throw joinErrors(unusable, items.length);
	}
	const executeItem = async ({ item, input }: Read) => {
		await nextItem();
		try {
			const results = await operation.execute(item, input);
			output[item.index] = results.map((result) => ({ ...result, pairedItem: { item: item.index } }));
		} catch (error) {
			if (context.continueOnFail()) {
				output[item.index] = [item.failed(error)];
				return;
			}
			stoppedBy ??= item.nodeError(error);
			stopRequests(context);
			throw stoppedBy;
		}
	};

	const keyOf = ({ item, input }: Read) => operation.key?.(input) ?? item.index;
	try {
		const reads = operation.onlyReads ? readItems() : await readAll(readItems(), operation);
		await runKeyed(reads, { concurrency: ITEMS_AT_ONCE, keyOf }, executeItem);
	} finally {
		// In input order, whichever item ended first.
		context.addExecutionHints(...items.flatMap(({ hints }) => hints));
		// Only now, because requests in flight were awaited and count too.
		if (stoppedBy && items.length > 1) addCount(stoppedBy, output.filter(Boolean).length, items.length);
	}
	return [output.flat()];
}

/** Reads all items before the first is executed, and shows what the operation says about them. */
async function readAll(items: AsyncIterable<Read>, operation: Operation): Promise<Read[]> {
	const reads: Read[] = [];
	for await (const read of items) reads.push(read);
	for (const hint of operation.afterRead?.(reads.map(({ input }) => input)) ?? [])
		reads.at(-1)?.item.hint(hint);
	return reads;
}

function addCount(error: NodeError, processed: number, items: number): void {
	const count = `${processed} of ${items} items were processed.`;
	error.description = [error.description, count].filter(Boolean).join(' ');
}

/** The first error, which also says how many items are unusable and why the first few are. */
function joinErrors(errors: NodeError[], items: number): NodeError {
	const [first] = errors;
	if (errors.length === 1) return first;
	const more = errors.length > MAX_NAMED ? `; and ${errors.length - MAX_NAMED} more` : '';
	const named = errors
		.slice(0, MAX_NAMED)
		.map(({ message, context }) => `${message} [Item ${context.itemIndex}]`);
	first.description = [first.description, escapeHtml(`All unusable items: ${named.join('; ')}${more}.`)]
		.filter(Boolean)
		.join(' ');
	first.message = `${errors.length} of ${items} items cannot be used: ${first.message}`;
	return first;
}
