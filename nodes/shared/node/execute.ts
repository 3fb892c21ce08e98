import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { runKeyed } from '../concurrency/runKeyed';
import { textOf, type ErrorDetails } from '../errors/codedError';
import type { NodeError } from '../errors/nodeError';
import { escapeHtml } from '../errors/text';
import { cancelSignal, MAX_IN_FLIGHT, NotSent, RequestError, stopRequests } from '../http';
import { PARAMETER_ERRORS } from './errors';
import { Item } from './item';
import { findOperation, type Resource } from './operation';

/** An item, and what it asks for. */
interface Read {
	item: Item;
	input: unknown;
}

/** More items than requests, so that an item waiting for its retry does not hold up others. */
const ITEMS_AT_ONCE = 2 * MAX_IN_FLIGHT;

/** A request to n8n takes some ten turns of its event loop, so a stop is noticed within a quarter of a second. */
const MAX_BUSY_MS = 20;

/** Maximum refused items that an error names. */
const MAX_NAMED = 10;

/**
 * Runs the chosen operation: reads and checks every item, then executes them side by side, those with the same key
 * strictly in input order. Each output is linked to its input item and in its place.
 *
 * With Continue On Fail, a failed item becomes one that carries the message, and the others continue. Without it, nothing
 * is sent while any item is unusable, and the first failure stops the rest; an operation with `triesAll` tries all items
 * before the run fails, as long as its requests are not given up.
 * @throws NodeError that names the item or all refused ones, or the operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const startedAt = Date.now();
	const items = context.getInputData().map((_, index) => new Item(context, index, startedAt));
	if (items.length === 0) return [[]];
	const operation = findOperation(context, resources);
	const output: INodeExecutionData[][] = [];
	const refused: NodeError[] = [];
	let stoppedBy: NodeError | undefined;

	let since = performance.now();
	/** Every few items, lets n8n's event loop run, so that others are served and a stop is noticed. */
	const yieldToEventLoop = async () => {
		if (performance.now() - since >= MAX_BUSY_MS) {
			await sleep(0);
			since = performance.now();
		}
		cancelSignal(context)?.throwIfAborted();
	};
	const executeItem = async ({ item, input }: Read) => {
		await yieldToEventLoop();
		try {
			const results = await operation.execute(item, input);
			output[item.index] = results.map((result) => ({ ...result, pairedItem: { item: item.index } }));
		} catch (error) {
			if (context.continueOnFail()) {
				output[item.index] = [item.failed(error)];
				return;
			}
			const found = item.nodeError(error);
			const isGivenUp = error instanceof NotSent;
			if (operation.triesAll && error instanceof RequestError && !isGivenUp) {
				refused.push(found);
				return;
			}
			// What ended the requests says more than that one was not sent.
			const causes = isGivenUp ? refused.filter((one) => codeOf(one) === error.causeCode) : [];
			stoppedBy ??= causes[0] ?? found;
			stopRequests(context);
			throw stoppedBy;
		}
	};

	const reads: Read[] = [];
	for (const item of items) {
		await yieldToEventLoop();
		try {
			reads.push({ item, input: operation.read(item) });
		} catch (error) {
			if (context.continueOnFail()) output[item.index] = [item.failed(error)];
			else refused.push(item.nodeError(error));
		}
	}
	const stops = reads.length === 0 || !operation.triesAll;
	if (refused.length > 0 && stops) throw joinErrors(refused, items.length);
	const hints = operation.afterRead?.(reads.map(({ input }) => input)) ?? [];
	for (const hint of hints) items.at(-1)?.hint(hint);

	const keyOf = ({ item, input }: Read) => operation.key?.(input) ?? item.index;
	try {
		await runKeyed(reads, { concurrency: ITEMS_AT_ONCE, keyOf }, executeItem);
		if (refused.length > 0) stoppedBy = joinErrors(refused, items.length);
	} finally {
		// In input order, whichever item ended first.
		for (const hint of items.flatMap(({ hints }) => hints)) context.addExecutionHints(hint);
		// Only now, because requests in flight were awaited and count too.
		if (stoppedBy && items.length > 1) {
			const processed = output.filter(Boolean).length;
			describe(stoppedBy, `${processed} of ${items.length} items were processed.`);
		}
	}
	if (stoppedBy) throw stoppedBy;
	return [output.flat()];
}

/** The first error in input order, which also says how many items were refused and why the first few were. */
function joinErrors(errors: NodeError[], items: number): NodeError {
	const indexOf = ({ context }: NodeError) => context.itemIndex as number;
	const [first] = errors.sort((one, other) => indexOf(one) - indexOf(other));
	if (errors.length === 1) return first;
	const named = errors.slice(0, MAX_NAMED).map((error) => `${error.message} [Item ${indexOf(error)}]`);
	if (errors.length > MAX_NAMED) named.push(`and ${errors.length - MAX_NAMED} more`);
	const { code, message, advice } = textOf(PARAMETER_ERRORS, 'items_refused', {
		count: errors.length,
		items,
		first: first.message,
		named: named.join('; '),
	});
	const causes = errors.map((error) => ({
		...(error.context.details as ErrorDetails),
		itemIndex: indexOf(error),
	}));
	first.message = message;
	describe(first, advice!);
	first.context.details = { code, retryable: false, causes };
	return first;
}

const codeOf = ({ context }: NodeError) => (context.details as ErrorDetails).code;

/** Adds a sentence to what the error says to do. */
function describe(error: NodeError, sentence: string): void {
	error.description = [error.description, escapeHtml(sentence)].filter(Boolean).join(' ');
}
