import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { runKeyed } from '../concurrency/runKeyed';
import { yieldToEventLoop } from '../concurrency/yieldToEventLoop';
import type { NodeError } from '../errors/nodeError';
import { escapeHtml } from '../errors/text';
import { cancelSignal, MAX_IN_FLIGHT, stopRequests } from '../http';
import { Item } from './item';
import { findOperation, type Resource } from './operation';

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
 * Runs the chosen operation: reads and checks every item, then executes them side by side, those with the same key
 * strictly in input order. Each output is linked to its input item and in its place.
 *
 * Without Continue On Fail nothing is sent while any item is unusable, and the first failure stops the rest. With it,
 * a failed item becomes one that carries the message, and the others continue.
 *
 * @throws NodeError that names the item, or the operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const startedAt = Date.now();
	const items = context.getInputData().map((_, index) => new Item(context, index, startedAt));
	if (items.length === 0) return [[]];
	const nextItem = yieldToEventLoop(cancelSignal(context));
	const operation = findOperation(context, resources);
	const output: INodeExecutionData[][] = [];
	const unusable: NodeError[] = [];
	let stoppedBy: NodeError | undefined;

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

	const reads: Read[] = [];
	for (const item of items) {
		await nextItem();
		try {
			reads.push({ item, input: operation.read(item) });
		} catch (error) {
			if (context.continueOnFail()) output[item.index] = [item.failed(error)];
			else unusable.push(item.nodeError(error));
		}
	}
	if (unusable.length > 0) throw joinErrors(unusable, items.length);
	const hints = operation.afterRead?.(reads.map(({ input }) => input)) ?? [];
	for (const hint of hints) items.at(-1)?.hint(hint);

	const keyOf = ({ item, input }: Read) => operation.key?.(input) ?? item.index;
	try {
		await runKeyed(reads, { concurrency: ITEMS_AT_ONCE, keyOf }, executeItem);
	} finally {
		// In input order, whichever item ended first.
		context.addExecutionHints(...items.flatMap(({ hints }) => hints));
		// Only now, because requests in flight were awaited and count too.
		if (stoppedBy && items.length > 1) {
			const processed = output.filter(Boolean).length;
			describe(stoppedBy, `${processed} of ${items.length} items were processed.`);
		}
	}
	return [output.flat()];
}

/** The first error, which also says how many items are unusable and why the first few are. */
function joinErrors(errors: NodeError[], items: number): NodeError {
	const [first] = errors;
	if (errors.length === 1) return first;
	const named = errors
		.slice(0, MAX_NAMED)
		.map(({ message, context }) => `${message} [Item ${context.itemIndex}]`);
	if (errors.length > MAX_NAMED) named.push(`and ${errors.length - MAX_NAMED} more`);
	describe(first, `All unusable items: ${named.join('; ')}.`);
	first.message = `${errors.length} of ${items} items cannot be used: ${first.message}`;
	return first;
}

/** Adds a sentence to what the error says to do. */
function describe(error: NodeError, sentence: string): void {
	error.description = [error.description, escapeHtml(sentence)].filter(Boolean).join(' ');
}
