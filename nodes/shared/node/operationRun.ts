import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { runKeyed } from '../base/concurrency';
import {
	codedError,
	filledText,
	nodeErrorOf,
	type CodedError,
	type ErrorDetails,
	type ErrorTable,
	type NodeError,
} from '../base/codedErrors';
import { escapeHtml, sentence } from '../base/text';
import { cancelSignal, stopRequests } from '../http/requestRun';
import { MAX_IN_FLIGHT } from '../http/limiter';
import { NotSent, RequestError } from '../http/requestErrors';
import { Item, itemLabel } from './item';
import type { Operation, Resource } from './resources';

/** @public read by `scripts/errorTables.ts` */
export const OPERATION_ERRORS = {
	items_refused: ['{count} of {items} items were refused: {first}', '{rows}'],
	operation_unknown: [
		'There is no operation "{operation}" for the resource "{resource}"',
		'Choose the resource and the operation again in the node.',
	],
} as const satisfies ErrorTable;

/** An item that could be read, with what it asks for, and one that was refused. */
type ReadItem = { item: Item; input: unknown };
type RefusedItem = { item: Item; error: unknown };

/** More items than requests, so that an item waiting for its retry does not hold up others. */
const ITEMS_AT_ONCE = 2 * MAX_IN_FLIGHT;

/** A request to n8n takes some ten turns of its event loop, so a stop is noticed within a quarter of a second. */
const TURN_MS = 20;

/** Maximum refused items, and warnings, that an error's description names. */
const MAX_LINES = 10;

/**
 * Runs the chosen operation: reads and checks every item, then executes them side by side, those with the same key
 * strictly in input order. With Continue On Fail, a failed item becomes one that carries the message. Without it, nothing
 * is sent while any item is unusable, and the first failure stops the rest, unless the operation tries all.
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
	const refused: RefusedItem[] = [];
	const executed = new Set<unknown>();
	let stoppedBy: NodeError | undefined;

	let since = performance.now();
	/** Every few items, lets n8n's event loop run, so that others are served and a stop is noticed. */
	const yieldToEventLoop = async () => {
		if (performance.now() - since >= TURN_MS) {
			await sleep(0);
			since = performance.now();
		}
		cancelSignal(context)?.throwIfAborted();
	};
	const executeItem = async ({ item, input }: ReadItem) => {
		await yieldToEventLoop();
		try {
			const results = await operation.execute(item, input);
			output[item.index] = results.map((result) => ({ ...result, pairedItem: { item: item.index } }));
			executed.add(item);
		} catch (error) {
			const isGivenUp = error instanceof NotSent;
			if (context.continueOnFail()) {
				output[item.index] = [item.failed(error)];
			} else if (operation.triesAll && error instanceof RequestError && !isGivenUp) {
				refused.push({ item, error });
			} else {
				// What ended the requests says more than that one was not sent.
				const codeOf = (one: RefusedItem) => (one.error as CodedError).details?.code;
				const cause = isGivenUp && refused.find((one) => codeOf(one) === error.causeCode);
				stoppedBy ??= cause ? cause.item.nodeError(cause.error) : item.nodeError(error);
				stopRequests(context);
				throw stoppedBy;
			}
		}
	};

	const refusal = operation.refuseAll?.(items);
	if (refusal && context.continueOnFail()) return [items.map((item) => item.failed(refusal))];
	if (refusal) throw nodeErrorOf(context.getNode(), refusal);
	const reads: ReadItem[] = [];
	for (const item of items) {
		await yieldToEventLoop();
		try {
			reads.push({ item, input: operation.read(item) });
		} catch (error) {
			if (context.continueOnFail()) output[item.index] = [item.failed(error)];
			else refused.push({ item, error });
		}
	}
	const goesOn = operation.triesAll && reads.length > 0;
	if (refused.length > 0 && !goesOn) throw refusedItems(refused, items.length);
	operation.afterRead?.(reads.map(({ input }) => input));

	const keyOf = ({ item, input }: ReadItem) => operation.key?.(input) ?? item.index;
	try {
		await runKeyed(reads, { concurrency: ITEMS_AT_ONCE, keyOf }, executeItem);
		if (refused.length > 0) stoppedBy = refusedItems(refused, items.length);
	} finally {
		// Only now, because requests in flight were awaited and count too; in input order, whichever item ended first.
		const inputs = reads.filter(({ item }) => executed.has(item)).map(({ input }) => input);
		const warnings = operation.warningsOf?.(inputs) ?? [];
		for (const warning of warnings) items.at(-1)?.hint(warning);
		for (const hint of items.flatMap(({ hints }) => hints)) context.addExecutionHints(hint);
		if (stoppedBy && items.length > 1) {
			addOutcome(stoppedBy, `${executed.size} of ${items.length} items were processed.`, warnings);
		}
	}
	if (stoppedBy) throw stoppedBy;
	return [output.flat()];
}

/** The first error in input order, which also says how many items were refused, and which in lines of their own. */
function refusedItems(refused: RefusedItem[], items: number): NodeError {
	const [first, ...others] = refused.sort((one, other) => one.item.index - other.item.index);
	const joined = first.item.nodeError(first.error);
	if (others.length === 0) return joined;
	const said = new Set<string>();
	const words = refused.map(({ item, error }) => ({ item, ...item.describe(error) }));
	const causes = words.map(({ details }) => details);
	const rows = words.map(({ item: { index, ids }, message, description, details }) => {
		const saying = details.causes ? description : details.code;
		// What several items advise is said once.
		const advice = said.has(saying) ? '' : ` ${description.replaceAll('\n', ' ')}`;
		said.add(saying);
		const label = itemLabel(index, ids.eventId ?? ids.conversationId);
		return `${label}: ${sentence(message)}${advice}`.trim();
	});
	const values = { count: refused.length, items, first: joined.message, rows: fewLines(rows) };
	const { code, message, advice } = filledText(OPERATION_ERRORS, 'items_refused', values);
	joined.message = message;
	joined.description = escapeHtml(advice!);
	joined.context.details = { code, retryable: false, causes };
	return joined;
}

function fewLines(lines: string[]): string {
	const more = lines.length - MAX_LINES;
	return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/** Adds what became of the other items, with their warnings, because n8n shows no hints of a run that failed. */
function addOutcome(error: NodeError, processed: string, warnings: string[]): void {
	const lines = warnings.length > 0 ? [processed, 'Warnings:', fewLines(warnings)] : [processed];
	error.description = [error.description, escapeHtml(lines.join('\n'))].filter(Boolean).join('<br />');
	if (warnings.length > 0) Object.assign(error.context.details as ErrorDetails, { warnings });
}

/** @throws NodeOperationError when a workflow names a resource or an operation that does not exist */
function findOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const [resource, operation] = ['resource', 'operation'].map(
		(name) => context.getNodeParameter(name, 0) as string,
	);
	const chosen = resources.find(({ option }) => option.value === resource);
	const found = chosen?.operations.find(({ option }) => option.value === operation);
	if (found) return found;
	const unknown = codedError(OPERATION_ERRORS, 'operation_unknown', { operation, resource });
	throw nodeErrorOf(context.getNode(), unknown);
}
