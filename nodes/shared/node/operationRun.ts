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
import { NotSent } from '../http/requestErrors';
import { Item, itemLabel } from './item';
import type { Operation, Resource } from './resources';

/** @public read by `scripts/errorTables.ts` */
export const OPERATION_ERRORS = {
	items_failed: ['{count} of {items} items failed: {first}', '{rows}'],
	operation_unknown: [
		'There is no operation "{operation}" for the resource "{resource}"',
		'Choose the resource and the operation again in the node.',
	],
} as const satisfies ErrorTable;

/** An item with what it asks for, and an item with what is wrong with it. */
type ReadItem = { item: Item; input: unknown };
type FailedItem = { item: Item; error: unknown };

/** More items than requests, so that an item waiting for its retry does not hold up others. */
const ITEMS_AT_ONCE = 2 * MAX_IN_FLIGHT;

/** A request to n8n takes some ten turns of its event loop, so a stop is noticed within a quarter of a second. */
const TURN_MS = 20;

/** Operations for which the editor itself says that each input item repeats them. */
const SAID_BY_N8N = ['getAll', 'getMany', 'read', 'search'];

/** Part of an expression whose value can differ from item to item. */
const OF_ITEM = /\$(json|binary|input|item|node|prevNode|\()/;

/** Maximum failed items, and warnings, that an error's description names. */
const MAX_LINES = 10;

/**
 * Runs the chosen operation for all items.
 * @returns the output of each item in input order; with On Error set to Continue, also that of the failed items
 * @throws NodeError that names the failed items, or the operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const run = new OperationRun(context, findOperation(context, resources));
	await run.readAll();
	await run.runAll();
	return [run.settle()];
}

/** One run of an operation: all items are read, then run, then settled. */
class OperationRun {
	private readonly items: Item[];
	private readonly reads: ReadItem[] = [];
	private readonly executed: ReadItem[] = [];
	private readonly failed: FailedItem[] = [];
	private readonly output: INodeExecutionData[][] = [];
	private readonly continues: boolean;
	/** Whether an item that fails leaves the others alone. */
	private readonly triesAll: boolean;
	/** The failure that stopped the other items. */
	private stoppedBy?: FailedItem;
	private turnStartedAt = performance.now();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
	) {
		const startedAt = Date.now();
		this.items = context.getInputData().map((_, index) => new Item(context, index, startedAt));
		this.continues = context.continueOnFail();
		this.triesAll = this.continues || operation.triesAll === true;
	}

	/** Reads and checks every item before anything is sent. */
	async readAll(): Promise<void> {
		for (const item of this.items) {
			await this.yieldToEventLoop();
			try {
				this.reads.push({ item, input: this.operation.read(item) });
			} catch (error) {
				this.failed.push({ item, error });
			}
		}
	}

	/** Runs the items that could be read, several at a time; items with the same key run in input order. */
	async runAll(): Promise<void> {
		if (this.failed.length > 0 && !this.triesAll) return;
		this.operation.afterRead?.(this.reads.map(({ input }) => input));
		const keyOf = ({ item, input }: ReadItem) => this.operation.key?.(input) ?? item.index;
		await runKeyed(this.reads, { concurrency: ITEMS_AT_ONCE, keyOf }, async (read) => await this.run(read));
	}

	/** Returns what became of the items, or throws if one of them failed and On Error is Stop Workflow. */
	settle(): INodeExecutionData[] {
		const error = this.failed.length > 0 && !this.continues ? this.error() : undefined;
		this.report(error);
		if (error) throw error;
		for (const { item, error } of this.failed) this.output[item.index] = [item.failed(error)];
		return this.output.flat();
	}

	private async run(read: ReadItem): Promise<void> {
		await this.yieldToEventLoop();
		if (this.stoppedBy) return;
		const { item, input } = read;
		try {
			const results = await this.operation.execute(item, input);
			this.output[item.index] = results.map((result) => ({ ...result, pairedItem: { item: item.index } }));
			this.executed.push(read);
		} catch (error) {
			this.failed.push({ item, error });
			if (this.triesAll) return;
			this.stoppedBy ??= { item, error };
			stopRequests(this.context);
		}
	}

	/** Every few items, lets n8n's event loop run, so that others are served and a stop is noticed. */
	private async yieldToEventLoop(): Promise<void> {
		if (performance.now() - this.turnStartedAt >= TURN_MS) {
			await sleep(0);
			this.turnStartedAt = performance.now();
		}
		cancelSignal(this.context)?.throwIfAborted();
	}

	/** Whether all input items ran the same operation, and n8n's editor does not say so. */
	private isRepeated(): boolean {
		const { key, option } = this.operation;
		if (this.items.length === 1 || key || SAID_BY_N8N.includes(option.value)) return false;
		return !OF_ITEM.test(JSON.stringify(this.context.getNode().parameters));
	}

	private error(): NodeError {
		const notSent = this.failed.map(({ error }) => error).find((error) => error instanceof NotSent);
		const isCause = ({ error }: FailedItem) => (error as CodedError).details?.code === notSent?.causeCode;
		// What ended all requests says more than that one was not sent.
		const cause = (notSent && this.failed.find(isCause)) ?? this.stoppedBy;
		return cause ? cause.item.nodeError(cause.error) : failedItems(this.failed, this.items.length);
	}

	/** Shows hints and warnings, and adds to an error what became of the other items. */
	private report(error?: NodeError): void {
		this.executed.sort((one, other) => one.item.index - other.item.index);
		const inputs = this.executed.map(({ input }) => input);
		const warnings = this.operation.warningsOf?.(inputs) ?? [];
		for (const warning of warnings) this.items.at(-1)!.hint(warning);
		if (this.isRepeated()) {
			const hint = `Each of the ${this.items.length} input items ran the same operation. To run it once, turn on Execute Once under Settings.`;
			this.items[0].hint(hint, 'info');
		}
		for (const hint of this.items.flatMap(({ hints }) => hints)) this.context.addExecutionHints(hint);
		const all = this.items.length;
		if (!error || this.failed.length === all) return;
		const processed = inputs.filter((input) => !this.operation.isPreview?.(input)).length;
		addOutcome(error, `${processed} of ${all} items were processed.`, warnings);
	}
}

/** The first error in input order; of several, it also says how many items failed, and each in a line. */
function failedItems(failed: FailedItem[], items: number): NodeError {
	const [first, ...others] = failed.sort((one, other) => one.item.index - other.item.index);
	const joined = first.item.nodeError(first.error);
	if (others.length === 0) return joined;
	const said = new Set<string>();
	const words = failed.map(({ item, error }) => ({ item, ...item.describe(error) }));
	const causes = words.map(({ details }) => details);
	const rows = words.map(({ item: { index, ids }, message, description, details }) => {
		const saying = details.causes ? description : details.code;
		// What several items advise is said once.
		const advice = said.has(saying) ? '' : ` ${description.replaceAll('\n', ' ')}`;
		said.add(saying);
		const label = itemLabel(index, ids.eventId ?? ids.conversationId);
		return `${label}: ${sentence(message)}${advice}`.trim();
	});
	const values = { count: failed.length, items, first: joined.message, rows: fewLines(rows) };
	const { code, message, advice } = filledText(OPERATION_ERRORS, 'items_failed', values);
	joined.message = message;
	joined.description = escapeHtml(advice!);
	joined.context.details = { code, retryable: false, causes };
	return joined;
}

function fewLines(lines: string[]): string {
	const more = lines.length - MAX_LINES;
	return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/** Adds what became of the other items, with their warnings, because n8n shows no hints of a failed run. */
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
