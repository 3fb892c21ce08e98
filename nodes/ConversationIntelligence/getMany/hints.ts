import { DateTime } from 'luxon';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { firstFew, quoted } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import type { DateRange } from '../../shared/exportApi/client';
import type { RowFilter } from '../../shared/selection/filters';
import type { Export, RowCheck } from './list';

/** What a list cannot show: why it is empty or cut, and what does not match the documentation. */
export function hintsOf(run: Export): string[] {
	return [
		...rowHints(run),
		...emptyHint(run),
		...(run.rows > 0 ? unknownFieldsHint(run.unknownFields) : []),
		...contractHint(run.source.check),
	];
}

export function* rowHints(run: Export) {
	const { source, request, missingTeams, guard, failedTranscripts, unclearTranscripts, rows } = run;
	yield* source.hints?.() ?? [];
	if (request.emptyTeams.length > 0) {
		yield `No user that the API key may see is in the teams ${listed(request.emptyTeams)}.`;
	}
	if (missingTeams.size > 0) yield `The API key sees no team ${listed(missingTeams)}: check the spelling.`;
	if (guard?.isFallback) {
		yield `Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so ${source.total()} rows were dropped: ${firstFew(guard.whose)}.`;
	} else if (guard && guard.count > 0) {
		yield `Dropped ${guard.count} rows of other users: ${firstFew(guard.whose)}.`;
	}
	if (failedTranscripts > 0) {
		yield `${failedTranscripts} of ${rows} transcripts could not be read: see transcriptError.`;
	}
	if (unclearTranscripts > 0) {
		yield `In ${unclearTranscripts} of ${rows} transcripts it is not clear who speaks: see transcriptWarning.`;
	}
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function showHints(item: Item, messages: Iterable<string>, type?: NodeExecutionHint['type']): void {
	const suffix = item.context.getInputData().length > 1 ? ` [Item ${item.index}]` : '';
	for (const message of messages) item.hint(`${message}${suffix}`, type);
}

/** Names, quoted, because one can contain a comma. */
const listed = (names: Iterable<unknown>) => firstFew(names, quoted);

function emptyHint(run: Export): string[] {
	const { item, list, request, rows, returned, guard } = run;
	const { range, users, teams, dateType, rowFilter, entries } = request;
	if (entries && rows > 0 && returned === 0) {
		const { filter, rowKind } = entries;
		if (filter.dropped > 0) return [nonePasses(run, filter, rowKind)];
		return [`None of ${rows} conversations has ${rowKind}.`];
	}
	if (rows > 0 || (guard?.count ?? 0) > 0) return [];
	if (rowFilter && rowFilter.dropped > 0) return [nonePasses(run, rowFilter, list.rowKind)];
	const processed = dateType === 'processedDate' ? 'processed ' : '';
	const members = teams && ` for the members of ${firstFew(teams)}`;
	const whose = members ?? (users ? ` for ${firstFew(users)}. Check their spelling: letter case counts` : '');
	return [`No ${list.rowKind} ${processed}from ${rangeInWords(item, range)}${whose}.`];
}

/** A range in the workflow's zone, e.g. `2026-03-01 00:00 to 2026-03-07 23:59 (Europe/Berlin)`. */
function rangeInWords({ context }: Item, range: DateRange, before?: DateRange): string {
	const zone = context.getTimezone();
	const dateOf = (date: string) => DateTime.fromISO(date, { zone }).toFormat('yyyy-MM-dd HH:mm');
	const wordsOf = ({ fromDate, toDate }: DateRange) => `${dateOf(fromDate)} to ${dateOf(toDate)}`;
	return `${wordsOf(range)}${before ? `, compared with ${wordsOf(before)}` : ''} (${zone})`;
}

/** What the figures of teams and users are about: their rows say it in UTC. */
export function rangeHint({ item, list, rows, request, source }: Export): string[] {
	if (!list.isWhole || rows === 0) return [];
	return [`Figures from ${rangeInWords(item, request.range, source.previous)}.`];
}

function nonePasses({ item, request }: Export, filter: RowFilter, rowKind: string): string {
	const { dropped, wants, example, search } = filter;
	const range = rangeInWords(item, request.range);
	if (search) return `No ${rowKind.replace(/s$/, '')} from ${range} has ${search} (${dropped} searched).`;
	return `None of ${dropped} ${rowKind} from ${range} passes ${wants}${example && `: ${example}`}.`;
}

const FIRST = { newestFirst: 'newest', oldestFirst: 'oldest', asListed: 'first' };

/** Whether Limit cut a list: with a filter of the node, there can be more of what passes, or rows that were not read. */
function isCut({ request, rows, read, passed, source }: Export): boolean {
	if (rows < request.maxRows || source.total() <= rows) return false;
	return request.rowFilter === undefined || passed > rows || read < source.total();
}

/** A list that is as long as Limit, e.g. `The newest 50 of 211 conversations: turn on Return All to get the rest.` */
export function limitHint(run: Export): string[] {
	const { item, list, source, rows, read, passed, request } = run;
	const total = source.total();
	if (rows < request.maxRows || total <= rows) return [];
	const isUnsorted = list.isWhole || source.isUndated?.();
	const first = `The ${FIRST[isUnsorted ? 'asListed' : request.order]} ${rows}`;
	const wants = request.rowFilter?.wants;
	const which = `${list.rowKind}${wants ? ` that pass ${wants}` : ''}`;
	if (!isCut(run)) return [`All ${rows} ${which}, of ${total} in the range.`];
	// Teams and users are the same ones whatever the dates.
	const whole = list.isWhole ? 'Limit leaves out the rest, whatever the dates' : '';
	const advice = item.isTool
		? whole || 'ask for another date range to get the rest'
		: 'turn on Return All to get the rest';
	if (!wants) return [`${first} of ${total} ${which}: ${advice}.`];
	if (read >= total) return [`${first} of ${passed} ${which}, of ${total} in the range: ${advice}.`];
	return [
		`${first} ${which}. ${read} of ${total} in the range were read, of which ${passed} pass: ${advice}.`,
	];
}

/** What does not match the API documentation, by field; never a value. */
export function contractHint({ mismatches }: RowCheck): string[] {
	if (mismatches.length === 0) return [];
	return [`Unexpected data: ${firstFew(mismatches, String, '; ')}. Rows are returned unchanged.`];
}

/** Names that Fields has and no row. */
export function unknownFieldsHint(unknown: Iterable<string>): string[] {
	const named = listed(unknown);
	return named === '' ? [] : [`No row has the field ${named}: check its spelling.`];
}

export function completeness(run: Export): IDataObject {
	const { source } = run;
	if (source.isComplete() && !isCut(run)) return { complete: true };
	const reason = source.hints?.().join(' ');
	return { complete: false, ...(reason ? { reason } : {}) };
}

/** What may surprise in the request itself, whatever rows it gives: one sentence each. */
export function* requestHints(run: Export) {
	const { item, guard, list, request, rows } = run;
	// A member of a team was not asked for by name. A list without any row has its own hint.
	const lacksUsers = guard && guard.missing.size > 0 && !request.teams && rows > 0;
	if (lacksUsers && completeness(run).complete) {
		yield `No ${list.rowKind} for ${listed(guard.missing)}. Check their spelling: letter case counts.`;
	}
	yield* midnightHint(item);
}

/** The date picker writes midnight for a day that is picked without a time. */
function midnightHint(item: Item): string[] {
	const end = item.parameter('dateRange', 'custom') === 'custom' ? item.parameter('toDate', '') : '';
	const [, day, utcSign] =
		/^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:[+-]\d{2}:?\d{2}|(Z))?$/.exec(String(end)) ?? [];
	// A text in UTC is no day of a calendar; $today is one, in a workflow whose zone is UTC.
	if (day === undefined || (utcSign && typeof end === 'string')) return [];
	return [`To Date is the first moment of ${day}, so that day is not included: pick the day after.`];
}
