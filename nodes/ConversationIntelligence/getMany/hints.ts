import { DateTime } from 'luxon';
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { firstFew, quoted } from '../../shared/base/text';
import type { DateRange } from '../../shared/exportApi/client';
import type { Item } from '../../shared/node/item';
import type { RowFilter } from '../../shared/selection/filters';
import { isFallback, type ListRun, type RowSource } from './listPipeline';

export interface Note {
	text: string;
	type: 'info' | 'warning';
	/** Whether an agent must know it, which sees neither hints nor that rows are missing. */
	isForAgent: boolean;
}

/** What a list cannot show: why it is empty or cut, what does not match the documentation, what may surprise. */
export function notesOf(run: ListRun): Note[] {
	const isEmpty = run.tally.rows === 0;
	const notes = (type: Note['type'], isForAgent: boolean, texts: Iterable<string>): Note[] =>
		[...texts].map((text) => ({ text, type, isForAgent }));
	return [
		...notes('warning', true, rowNotes(run)),
		...notes('warning', isEmpty, emptyNotes(run)),
		...notes('warning', false, isEmpty ? [] : unknownFieldsNotes(run.tally.missing.fields)),
		...notes('warning', isEmpty, contractNotes(run.tally.mismatches)),
		...notes(run.request.file ? 'warning' : 'info', true, limitNotes(run)),
		...notes('info', false, rangeNotes(run)),
		...notes('info', true, requestNotes(run)),
	];
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function showHints(item: Item, messages: Iterable<string>, type?: NodeExecutionHint['type']): void {
	const suffix = item.context.getInputData().length > 1 ? ` [Item ${item.index}]` : '';
	for (const message of messages) item.hint(`${message}${suffix}`, type);
}

/** Names, quoted, because one can contain a comma. */
const listed = (names: Iterable<unknown>) => firstFew(names, quoted);

function* rowNotes(run: ListRun): Generator<string> {
	const { source, request, tally } = run;
	const { rows, read, own, missing, failedTranscripts, unclearTranscripts } = tally;
	const others = [...tally.others].sort(([, a], [, b]) => b - a);
	const whose = firstFew(others.map(([email, count]) => `${count} of ${email}`));
	yield* readingNotes(source.report);
	if (request.emptyTeams.length > 0) {
		yield `No user that the API key may see is in the teams ${listed(request.emptyTeams)} or their subteams.`;
	}
	if (missing.teams.size > 0) yield `The API key sees no team ${listed(missing.teams)}: check the spelling.`;
	if (isFallback(tally)) {
		yield `Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so ${source.report.total} rows were dropped: ${whose}.`;
	} else if (whose) yield `Dropped ${read - own} rows of other users: ${whose}.`;
	if (failedTranscripts > 0) {
		yield `${failedTranscripts} of ${rows} transcripts could not be read: see transcriptError.`;
	}
	if (unclearTranscripts > 0) {
		yield `In ${unclearTranscripts} of ${rows} transcripts it is not clear who speaks or when: see transcriptWarning.`;
	}
}

function* readingNotes(report: RowSource['report']): Generator<string> {
	const { paged, unlisted = 0, gaps = [], isUndated } = report;
	if (isUndated) yield 'Some rows have no date that can be read, so their order is not known.';
	if (paged) {
		const outcome = paged === 'unsettled' ? ' They changed meanwhile, so some of them may be missing.' : '';
		yield `More than 50 rows could not be separated by date, so they were read in pages.${outcome}`;
	}
	if (unlisted > 0) yield `The service counts ${unlisted} rows more than it lists.`;
	if (gaps.length > 0) yield `${gaps.length} parts of the range could not be read.`;
}

function* emptyNotes(run: ListRun): Generator<string> {
	const { item, list, request, tally } = run;
	const { range, users, teams, dateType, rowFilter, entries } = request;
	if (entries && tally.rows > 0 && tally.returned === 0) {
		const { filter, rowKind } = entries;
		if (filter.dropped > 0) yield nonePasses(run, filter, rowKind);
		else yield `None of ${tally.rows} conversations has ${rowKind}.`;
	}
	if (tally.rows > 0 || tally.own < tally.read) return;
	if (rowFilter && rowFilter.dropped > 0) return yield nonePasses(run, rowFilter, list.rowKind);
	const processed = dateType === 'processedDate' ? 'processed ' : '';
	const members = teams && list.emailOf && ` for the members of ${firstFew(teams)}`;
	const whose = members || (users ? ` for ${firstFew(users)}. Check their spelling: letter case counts` : '');
	yield `No ${list.rowKind} ${processed}from ${rangeInWords(item, range)}${whose}.`;
}

/** A range in the workflow's zone, e.g. `2026-03-01 00:00 to 2026-03-07 23:59 (Europe/Berlin)`. */
function rangeInWords({ context }: Item, range: DateRange, before?: DateRange): string {
	const zone = context.getTimezone();
	const dateOf = (date: string) => DateTime.fromISO(date, { zone }).toFormat('yyyy-MM-dd HH:mm');
	const wordsOf = ({ fromDate, toDate }: DateRange) => `${dateOf(fromDate)} to ${dateOf(toDate)}`;
	return `${wordsOf(range)}${before ? `, compared with ${wordsOf(before)}` : ''} (${zone})`;
}

function nonePasses({ item, request }: ListRun, filter: RowFilter, rowKind: string): string {
	const { dropped, wants, example, search } = filter;
	const range = rangeInWords(item, request.range);
	if (search) return `No ${rowKind.replace(/s$/, '')} from ${range} has ${search} (${dropped} searched).`;
	return `None of ${dropped} ${rowKind} from ${range} passes ${wants}${example && `: ${example}`}.`;
}

/** What the figures of teams and users are about: their rows say it in UTC. */
function rangeNotes({ item, list, tally, request, source }: ListRun): string[] {
	if (!list.isWhole || tally.rows === 0) return [];
	return [`Figures from ${rangeInWords(item, request.range, source.previous)}.`];
}

/** Whether Limit cut a list: with a filter of the node, there can be more of what passes, or rows that were not read. */
function isCut({ request, tally: { rows, read, passed }, source: { report } }: ListRun): boolean {
	if (rows < request.maxRows || report.total <= rows) return false;
	return request.rowFilter === undefined || passed > rows || read < report.total;
}

const FIRST = { newestFirst: 'newest', oldestFirst: 'oldest', asListed: 'first' };

/** A list that is as long as Limit, e.g. `The newest 50 of 211 conversations: turn on Return All to get the rest.` */
function* limitNotes(run: ListRun): Generator<string> {
	const { item, list, source, tally, request } = run;
	const { rows, read, passed } = tally;
	const { total, isUndated } = source.report;
	if (rows < request.maxRows || total <= rows) return;
	const first = `The ${FIRST[list.isWhole || isUndated ? 'asListed' : request.order]} ${rows}`;
	const wants = request.rowFilter?.wants;
	const which = `${list.rowKind}${wants ? ` that pass ${wants}` : ''}`;
	if (!isCut(run)) return yield `All ${rows} ${which}, of ${total} in the range.`;
	// Teams and users are the same ones whatever the dates.
	const whole = list.isWhole ? 'Limit leaves out the rest, whatever the dates' : '';
	const advice = item.isTool
		? whole || 'ask for another date range to get the rest'
		: 'turn on Return All to get the rest';
	if (!wants) yield `${first} of ${total} ${which}: ${advice}.`;
	else if (read >= total) yield `${first} of ${passed} ${which}, of ${total} in the range: ${advice}.`;
	else {
		yield `${first} ${which}. ${read} of ${total} in the range were read, of which ${passed} pass: ${advice}.`;
	}
}

export function contractNotes(mismatches: string[]): string[] {
	if (mismatches.length === 0) return [];
	return [
		`These fields do not match the API documentation: ${firstFew(mismatches)}. Rows are returned unchanged.`,
	];
}

export function unknownFieldsNotes(unknown: Iterable<unknown>): string[] {
	const named = listed(unknown);
	return named === '' ? [] : [`No row has the field ${named}: check its spelling.`];
}

export function completeness(run: ListRun): IDataObject {
	const { report } = run.source;
	if (report.isComplete && !isCut(run)) return { complete: true };
	const reason = [...readingNotes(report)].join(' ');
	return { complete: false, ...(reason && { reason }) };
}

function* requestNotes(run: ListRun): Generator<string> {
	const { item, list, request, tally } = run;
	const { users } = tally.missing;
	// A member of a team was not asked for by name. A list without any row has its own hint.
	const lacksUsers = users.size > 0 && !request.teams && tally.rows > 0;
	if (lacksUsers && completeness(run).complete) {
		yield `No ${list.rowKind} for ${listed(users)}. Check their spelling: letter case counts.`;
	}
	const end = item.parameter('dateRange', 'custom') === 'custom' ? item.parameter('toDate', '') : '';
	// The date picker writes midnight for a day that is picked without a time.
	const [, day, utcSign] =
		/^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:[+-]\d{2}:?\d{2}|(Z))?$/.exec(String(end)) ?? [];
	// A text in UTC is no day of a calendar; $today is one, in a workflow whose zone is UTC.
	if (day !== undefined && !(utcSign && typeof end === 'string')) {
		yield `To Date is the first moment of ${day}, so that day is not included: pick the day after.`;
	}
}
