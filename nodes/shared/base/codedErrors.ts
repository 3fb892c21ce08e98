import {
	NodeApiError,
	NodeOperationError,
	UserError,
	type Failure,
	type FunctionsBase,
	type IDataObject,
	type INode,
} from 'n8n-workflow';
import { escapeHtml, plainText, quoted, sentence, withoutTags } from './text';

/** The errors of a module, by code. A message is one sentence without its full stop; `{field}` stands for a value. */
export type ErrorTable = Record<string, ErrorRow>;

type ErrorRow = readonly [message: string, advice: string, isRetryable?: 'retryable'];

export interface FilledText {
	code: string;
	message: string;
	advice?: string;
	retryable?: boolean;
}

/** The cause of an error as data, for the next node. */
export interface ErrorDetails extends IDataObject {
	/** A row of an {@link ErrorTable}. */
	code: string;
	retryable: boolean;
	field?: string;
	status?: number;
	response?: string;
	/** Place of the input item from 0, as in its `pairedItem` and in `[Item 0]`. */
	item?: number;
	eventId?: string;
	conversationId?: string;
	/** Of the items that were executed before the run failed. */
	warnings?: string[];
}

interface More extends Partial<ErrorDetails> {
	/** What is known besides the advice, before it: whole sentences. */
	facts?: string;
	failure?: Failure;
}

/** An error of this package, before it is tied to a node and an item. Its texts are plain, not HTML. */
export class CodedError extends UserError {
	readonly details: ErrorDetails;
	readonly failure: Failure | undefined;

	constructor({ code, message, advice, retryable = false }: FilledText, more: More = {}) {
		const { facts, failure, ...details } = more;
		const description = [facts, advice].filter(Boolean).join(' ');
		super(withoutTags(message), { description: withoutTags(description) || undefined });
		this.details = { code, retryable, ...known(details) };
		this.failure = failure;
	}
}

const known = (details: Partial<ErrorDetails>) =>
	Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
	: never;

type ValuesOf<Row extends ErrorRow> = Record<NamesIn<Row[0] | Row[1]>, string | number>;

export function codedError<const Table extends ErrorTable, Code extends keyof Table & string>(
	table: Table,
	code: Code,
	values: ValuesOf<Table[Code]>,
	more?: More,
): CodedError {
	return new CodedError(filledText(table, code, values), more);
}

/** The texts of a code, with the values that they name. */
export function filledText<const Table extends ErrorTable, Code extends keyof Table & string>(
	table: Table,
	code: Code,
	values: ValuesOf<Table[Code]>,
): FilledText {
	const [message, advice, isRetryable] = table[code];
	const texts = { message: fill(message, values), advice: fill(advice, values) };
	return { code, ...texts, retryable: isRetryable !== undefined };
}

/** Fills in all values in one pass, so that braces in a value stay as they are. */
function fill(text: string, values: Record<string, string | number>): string {
	return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** What can be wrong with a value. `{field}` is its label. */
export const VALUE_ERRORS = {
	value_invalid: [
		'{field} must be {rule} (it is {value})',
		'Enter a valid value, or correct the expression that returns it.',
	],
	expression_empty: ['The expression for {field} returned nothing', '{advice}'],
	value_too_long: [
		'{field} is too long: {length} characters, at most {limit}',
		'Correct the expression, or enter a shorter value.',
	],
} as const satisfies ErrorTable;

/** Characters of one ID, date, number or address: far more than any has. */
const MAX_VALUE = 1000;

/** Characters of a list of addresses. */
export const MAX_LIST = 50_000;

/** @throws CodedError for a longer text, because all of n8n waits while a regular expression reads a text */
export function assertLength(value: unknown, label: string, max = MAX_VALUE): void {
	if (typeof value !== 'string' || value.length <= max) return;
	const [length, limit] = [value.length, max].map((count) => count.toLocaleString('en-US'));
	throw codedError(VALUE_ERRORS, 'value_too_long', { field: label, length, limit }, { field: label });
}

/**
 * The error for a refused value: its message states the rule, because a failed execution shows only that.
 * @param code names `{field}` and `{value}`
 */
export function refusedValue<Table extends ErrorTable>(
	table: Table,
	code: keyof Table & string,
	{ field, value, rule = '' }: { field: string; value: unknown; rule?: string },
): CodedError {
	if (value === undefined) {
		const [, advice] = table[code];
		return codedError(VALUE_ERRORS, 'expression_empty', { field, advice }, { field });
	}
	const isEmpty = value === null || (typeof value === 'string' && value.trim() === '');
	const values = { field, rule, value: isEmpty ? 'empty' : quoted(value) };
	return codedError<ErrorTable, string>(table, code, values, { field });
}

export type NodeError = NodeApiError | NodeOperationError;

export interface Subject {
	/** From 0. */
	itemIndex?: number;
	eventId?: string;
	conversationId?: string;
}

export interface ErrorWords {
	message: string;
	description: string;
	details: ErrorDetails;
}

/** Whether an AI agent calls the node: n8n gives a node connected as a tool its own type. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** For what n8n or a library threw: its text is shown as it is. */
const NOT_OURS = { code: 'n8n_error', retryable: false };

/** Describes an error in plain text. For an agent, all is in the message, because n8n shows an agent nothing else. */
export function describeError(node: INode, error: unknown, subject: Subject = {}): ErrorWords {
	const { itemIndex: item, ...ids } = subject;
	const thrown = (error instanceof Error ? error : new Error(String(error))) as CodedError;
	const [message, description] = [withoutTags(thrown.message), thrown.description];
	const own = isNodeError(error) ? (error.context.details as ErrorDetails) : (error as CodedError).details;
	const details = { ...(own ?? NOT_OURS), ...known({ item, ...ids }) };
	if (!isTool(node) || !description) return { message, description: description ?? '', details };
	return { message: `${sentence(message)} ${description}`, description: '', details };
}

/** The error as n8n shows and stores it: n8n keeps the texts of these two classes alone. */
export function nodeErrorOf(node: INode, error: unknown, subject: Subject = {}): NodeError {
	const { message, description, details } = describeError(node, error, subject);
	const found = isNodeError(error) ? error : newNodeError(node, error, details);
	// Set here, because n8n replaces some texts by its own.
	found.message = message;
	if (!isNodeError(error) || description === '') found.description = escapeHtml(description) || undefined;
	found.context.details = details;
	found.context.itemIndex ??= subject.itemIndex;
	return found;
}

function newNodeError(node: INode, error: unknown, { status }: ErrorDetails): NodeError {
	const cause = error instanceof Error ? error : new Error(String(error));
	const httpCode = status === undefined ? undefined : String(status);
	const { failure } = cause as CodedError;
	if (httpCode === undefined && failure === undefined) return new NodeOperationError(node, cause);
	return new NodeApiError(node, {}, { message: cause.message, httpCode, failure });
}

function isNodeError(error: unknown): error is NodeError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Writes a line about a node to n8n's log, naming workflow and node, because n8n's text format prints the line alone. */
export function logLine(
	context: Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'logger'>,
	level: 'info' | 'warn' | 'error',
	text: string,
): void {
	const { id: nodeId, name: nodeName } = context.getNode();
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const line = [workflowName ?? workflowId, nodeName, text].join(': ');
	context.logger[level](plainText(line), { workflowId, nodeId, nodeName });
}
