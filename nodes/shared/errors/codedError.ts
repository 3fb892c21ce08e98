import { UserError, type Failure, type IDataObject } from 'n8n-workflow';
import { withoutTags } from './text';

/** What can go wrong in a room, by code. Values that the code fills in are in braces, e.g. `{field}`. */
export type ErrorTable = Record<string, ErrorText>;

export interface ErrorText {
	/** What is wrong, one sentence without its full stop: a failed execution shows only this. */
	message: string;
	/** What to do. */
	advice?: string;
	/** Whether the same input can succeed later. */
	retryable?: boolean;
}

/** A row of a table with its values filled in. */
export interface FilledText extends ErrorText {
	code: string;
}

/** The cause of an error as data, for the next node. */
export interface ErrorDetails extends IDataObject {
	/** A row of an {@link ErrorTable}. */
	code: string;
	retryable: boolean;
	/** Label of the parameter or field that is wrong. */
	field?: string;
	/** Of the service's response. */
	status?: number;
	/** The service's own words. */
	response?: string;
	eventId?: string;
	conversationId?: string;
}

interface More extends Partial<ErrorDetails> {
	/** What is known besides the advice, before it: whole sentences. */
	facts?: string;
	/** For n8n's scheduler of polls. */
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
		const known = Object.entries(details).filter(([, value]) => value !== undefined);
		this.details = { code, retryable, ...Object.fromEntries(known) };
		this.failure = failure;
	}
}

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
	: never;

type ValuesOf<Text extends ErrorText> = Record<NamesIn<Text['message'] | Text['advice']>, string | number>;

/** The error of a code, with the values that its texts name. */
export function codedError<const Table extends ErrorTable, Code extends keyof Table & string>(
	table: Table,
	code: Code,
	values: ValuesOf<Table[Code]>,
	more?: More,
): CodedError {
	return new CodedError(textOf(table, code, values), more);
}

/** The texts of a code, with the values that they name. */
export function textOf<const Table extends ErrorTable, Code extends keyof Table & string>(
	table: Table,
	code: Code,
	values: ValuesOf<Table[Code]>,
): FilledText {
	const { message, advice, retryable } = table[code];
	return { code, message: fill(message, values), advice: advice && fill(advice, values), retryable };
}

/** Once, so that braces in a value stay as they are. */
function fill(text: string, values: Record<string, string | number>): string {
	return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
