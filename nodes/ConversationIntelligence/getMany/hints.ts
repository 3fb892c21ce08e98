import { DateTime } from 'luxon';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { quoted } from '../../shared/node/parameters';
import type { RowFilter } from '../../shared/exportApi/conversationFilter';
import type { DateRange } from './dateRange';
import type { RowCheck } from './list';
import type { ListRun } from './listRun';

/** Maximum fields, teams or users that one hint names. */
const MAX_NAMED = 12;

/** What a list cannot show: why it is empty or cut, and what does not match the documentation. */
export function hintsOf(run: ListRun): string[] {
	return [
		...rowHints(run),
		...emptyHint(run),
		...(run.rows > 0 ? unknownFieldsHint(run.unknownFields) : []),
		...contractHint(run.source.check),
	];
}

/** Which rows, or parts of them, are missing. */
export function rowHints(run: ListRun): string[] {
	return [
		...(run.source.hints?.() ?? []),
		...emptyTeamsHint(run),
		...missingTeamsHint(run),
		...guardHint(run),
		...transcriptsHint(run),
	];
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function showHints(item: Item, messages: string[], type?: NodeExecutionHint['type']): void {
	for (const message of messages) item.hint(`${message}${item.suffix}`, type);
}

function emptyTeamsHint({ request: { emptyTeams } }: ListRun): string[] {
	if (emptyTeams.length === 0) return [];
	return [`No user that the API key may see is in the teams ${listed(emptyTeams)}.`];
}

function missingTeamsHint({ missingTeams }: ListRun): string[] {
	if (missingTeams.size === 0) return [];
	return [`The API key sees no team ${listed(missingTeams)}: check the spelling.`];
}

/** Requested users of whom a list has no row; without any row, the list is empty. */
function missingUsersHint(run: ListRun): string[] {
	const { guard, list, request, rows } = run;
	// A member of a team was not asked for by name.
	if (!guard || request.teams || guard.missing.size === 0 || rows === 0) return [];
	if (!completeness(run).complete) return [];
	return [`No ${list.rowKind} for ${listed(guard.missing)}. Check their spelling: letter case counts.`];
}

/** Names, quoted, because one can contain a comma. */
function listed(names: Iterable<unknown>): string {
	return firstFew([...names].map(quoted));
}

/** At most {@link MAX_NAMED} entries of a list, and how many more it has. */
function firstFew(all: string[], separator = ', '): string {
	const more = all.length > MAX_NAMED ? [`and ${all.length - MAX_NAMED} more`] : [];
	return [...all.slice(0, MAX_NAMED), ...more].join(separator);
}

function guardHint({ guard, source }: ListRun): string[] {
	if (guard === undefined || guard.count === 0) return [];
	if (!guard.isFallback) return [`Dropped ${guard.count} rows of other users: ${firstFew(guard.whose)}.`];
	return [
		`Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so ${source.total()} rows were dropped: ${firstFew(guard.whose)}.`,
	];
}

function emptyHint({
	item,
	list,
	request: { range, users, teams, dateType, rowFilter, entries },
	rows,
	returned,
	guard,
}: ListRun): string[] {
	if (entries && rows > 0 && returned === 0) {
		const { filter, rowKind } = entries;
		if (filter.dropped > 0) return [nonePasses(filter, rowKind)];
		return [`None of ${rows} conversations has ${rowKind}.`];
	}
	if (rows > 0 || (guard?.count ?? 0) > 0) return [];
	if (rowFilter && rowFilter.dropped > 0) {
		return [nonePasses(rowFilter, list.rowKind)];
	}
	const processed = dateType === 'processedDate' ? 'processed ' : '';
	const members = teams && ` for the members of ${teams.join(', ')}`;
	const whose =
		members ?? (users ? ` for ${users.join(', ')}. Check their spelling: letter case counts` : '');
	return [`No ${list.rowKind} ${processed}from ${inWords(item, range)}${whose}.`];
}

/** A range in the workflow's zone, e.g. `2026-03-01 00:00 to 2026-03-07 23:59 (Europe/Berlin)`. */
function inWords({ context }: Item, { fromDate, toDate }: DateRange): string {
	const zone = context.getTimezone();
	const [from, to] = [fromDate, toDate].map((date) =>
		DateTime.fromISO(date, { zone }).toFormat('yyyy-MM-dd HH:mm'),
	);
	return `${from} to ${to} (${zone})`;
}

/** What the figures of teams and users are about: their rows say it in UTC. */
export function rangeHint({ item, list, rows, request }: ListRun): string[] {
	if (!list.isWhole || rows === 0) return [];
	return [`Figures from ${inWords(item, request.range)}.`];
}

function nonePasses({ dropped, labels }: RowFilter, rowKind: string): string {
	return `None of ${dropped} ${rowKind} passes ${labels.join(', ')}.`;
}

const FIRST = { newestFirst: 'newest', oldestFirst: 'oldest', asListed: 'first' };

/** A list that Limit cut, e.g. `The newest 50 of 211 conversations: turn on Return All to get the rest.` */
export function limitHint({ item, list, source, rows, request }: ListRun): string[] {
	if (rows < request.maxRows || source.total() <= rows) return [];
	const first = `The ${FIRST[source.order ?? 'asListed']} ${rows}`;
	if (request.rowFilter) {
		const labels = request.rowFilter.labels.join(', ');
		return [`${first} ${list.rowKind} that pass ${labels}, of ${source.total()} in the range.`];
	}
	const all = `${first} of ${source.total()} ${list.rowKind}`;
	if (!item.isTool) return [`${all}: turn on Return All to get the rest.`];
	// Teams and users are the same ones whatever the dates.
	if (source.order === undefined) return [`${all}: Limit leaves out the rest, whatever the dates.`];
	return [`${all}: ask for another date range to get the rest.`];
}

function transcriptsHint({ failedTranscripts, rows }: ListRun): string[] {
	if (failedTranscripts === 0) return [];
	return [`${failedTranscripts} of ${rows} transcripts could not be read: see transcriptError.`];
}

/** What does not match the API documentation, by field; never a value. */
export function contractHint({ mismatches }: RowCheck): string[] {
	if (mismatches.length === 0) return [];
	return [`Unexpected data: ${firstFew(mismatches, '; ')}. Rows are returned unchanged.`];
}

/** Names that Fields has and no row. */
export function unknownFieldsHint(unknown: Iterable<string>): string[] {
	const named = listed(unknown);
	return named === '' ? [] : [`No row has the field ${named}: check its spelling.`];
}

/** Whether an export is complete; if not, why. */
export function completeness({ source, request, rows }: ListRun): IDataObject {
	const isCut = rows >= request.maxRows && source.total() > rows;
	if (source.isComplete() && !isCut) return { complete: true };
	const reason = source.hints?.().join(' ');
	return { complete: false, ...(reason ? { reason } : {}) };
}

/** What may surprise in the request itself, whatever rows it gives: one sentence each. */
export function requestHints(run: ListRun): string[] {
	return [...missingUsersHint(run), ...midnightHint(run)];
}

/** The date picker writes midnight for a day that is picked without a time. */
function midnightHint({ item }: ListRun): string[] {
	const end = item.parameter('dateRange', 'custom') === 'custom' ? item.parameter('toDate', '') : '';
	const [, day, utcSign] =
		/^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:[+-]\d{2}:?\d{2}|(Z))?$/.exec(String(end)) ?? [];
	// A text in UTC is no day of a calendar; $today is one, in a workflow whose zone is UTC.
	if (day === undefined || (utcSign && typeof end === 'string')) return [];
	return [`To Date is the first moment of ${day}, so that day is not included: pick the day after.`];
}
