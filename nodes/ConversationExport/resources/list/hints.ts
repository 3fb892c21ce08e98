import type { IExecuteFunctions } from 'n8n-workflow';
import type { UsersGuard } from '../users';
import type { RowReader } from './reader';
import type { RowCheck } from './rowCheck';

/** Most fields that one hint names. */
const MOST_FIELDS = 12;

export interface Findings {
	reader: RowReader;
	check: RowCheck;
	guard: UsersGuard | undefined;
}

/** Tells in the output pane what a list could not: rows that moved, were dropped, or depart from the document. */
export function addHints(
	context: IExecuteFunctions,
	itemIndex: number,
	{ reader, check, guard }: Findings,
): void {
	warn(context, itemIndex, [...reader.hints(), ...guardHint(guard, reader), ...contractHint(check)]);
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function warn(context: IExecuteFunctions, itemIndex: number, messages: string[]): void {
	const item = context.getInputData().length > 1 ? ` [Item ${itemIndex}]` : '';
	for (const message of messages) {
		context.addExecutionHints({ message: `${message}${item}`, location: 'outputPane', type: 'warning' });
	}
}

function guardHint(guard: UsersGuard | undefined, reader: RowReader): string[] {
	if (guard === undefined || guard.count === 0) return [];
	if (!guard.isFallback) {
		return [`${guard.count} rows of users who were not asked for were dropped: ${guard.whose}.`];
	}
	const total = reader.total();
	const seen = total > guard.count ? ` On the first page: ${guard.whose}.` : ` They were: ${guard.whose}.`;
	return [
		`The users filter matches nobody this API key may see, and the service then answers with all its users: ${total} rows were dropped.${seen} Check the emails, they are case-sensitive.`,
	];
}

/** What the answers lacked against the document, by field; never a value. */
export function contractHint(check: RowCheck): string[] {
	const { findings } = check;
	if (findings.length === 0) return [];
	const named = findings.slice(0, MOST_FIELDS).join('; ');
	const more = findings.length > MOST_FIELDS ? `; and ${findings.length - MOST_FIELDS} more fields` : '';
	return [
		`The answer departs from the service's document: ${named}${more}. The rows were put out as they came.`,
	];
}
