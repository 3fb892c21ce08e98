import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { UsersGuard } from './usersFilter';
import type { RowCheck } from './rows';
import type { ListRequest, ListSpec, RowSource } from './spec';

/** Most fields that one hint names. */
const MOST_FIELDS = 12;

export interface Findings {
	spec: ListSpec;
	request: ListRequest;
	source: RowSource;
	check: RowCheck;
	guard: UsersGuard | undefined;
	isFile: boolean;
	/** Rows that were output. */
	rows: number;
}

/** Shows in the output pane what a list cannot show: why it is empty or cut, and what does not match the documentation. */
export function addHints(context: IExecuteFunctions, itemIndex: number, findings: Findings): void {
	const { source, guard, check } = findings;
	warn(context, itemIndex, [
		...source.hints(),
		...guardHint(guard, source),
		...emptyHint(context.getTimezone(), findings),
		...limitHint(findings),
		...contractHint(check),
	]);
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function warn(context: IExecuteFunctions, itemIndex: number, messages: string[]): void {
	const item = context.getInputData().length > 1 ? ` [Item ${itemIndex}]` : '';
	for (const message of messages) {
		context.addExecutionHints({ message: `${message}${item}`, location: 'outputPane', type: 'warning' });
	}
}

function guardHint(guard: UsersGuard | undefined, source: RowSource): string[] {
	if (guard === undefined || guard.count === 0) return [];
	if (!guard.isFallback) {
		return [`${guard.count} rows of users who were not asked for were dropped: ${guard.whose}.`];
	}
	const total = source.total();
	const seen = total > guard.count ? ` The first ones: ${guard.whose}.` : ` They were: ${guard.whose}.`;
	return [
		`Check the user emails, they are case-sensitive: the filter matches nobody this API key may see. The service then returns all its users, and ${total} rows were dropped.${seen}`,
	];
}

/** An empty list says which range and filter gave nothing. */
function emptyHint(zone: string, { spec, request, rows, guard }: Findings): string[] {
	if (rows > 0 || (guard?.count ?? 0) > 0) return [];
	const [from, to] = [request.range.fromDate, request.range.toDate].map((date) =>
		DateTime.fromISO(date, { zone }).toFormat('yyyy-MM-dd HH:mm'),
	);
	const users = request.users ? ` for ${request.users.join(', ')}` : '';
	return [`No ${spec.rowKind} from ${from} to ${to} (${zone})${users}.`];
}

/** In a file, nobody sees that the limit cut the list. */
function limitHint({ spec, source, rows, isFile, request }: Findings): string[] {
	if (!isFile || rows < request.maxRows || source.total() <= rows) return [];
	return [`${rows} of ${source.total()} ${spec.rowKind}: turn on Return All to get the rest.`];
}

/** What does not match the API documentation, by field; never a value. */
export function contractHint(check: RowCheck): string[] {
	const { findings } = check;
	if (findings.length === 0) return [];
	const named = findings.slice(0, MOST_FIELDS).join('; ');
	const more = findings.length > MOST_FIELDS ? `; and ${findings.length - MOST_FIELDS} more fields` : '';
	return [`Unexpected data: ${named}${more}. Rows are returned unchanged.`];
}
