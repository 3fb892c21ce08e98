import { DateTime } from 'luxon';
import type { NodeExecutionHint } from 'n8n-workflow';
import { firstFew, plainText, quoted } from '../../shared/base/text';
import type { DateRange } from '../../shared/exportApi/client';
import { dateOf } from '../../shared/exportApi/rows';
import { howEntered, type Item } from '../../shared/node/item';
import type { RowFilter } from '../../shared/selection/filters';
import { utc } from './dateRange';
import { hasIgnoredUsers, type ListRun } from './listPipeline';
import { MAX_PASSAGES_FOR_AGENT } from './saidRows';

/** Something about a list that its rows do not show. */
export interface Note {
	text: string;
	type: 'info' | 'warning';
	/** Whether it says why rows are missing. */
	isGap: boolean;
}

/** Says what is missing, why a list is empty, what does not match the documentation, and what may surprise. */
export function notesOf(run: ListRun): Note[] {
	const notes = (type: Note['type'], isGap: boolean, texts: Iterable<string>): Note[] =>
		[...texts].map((text) => ({ text, type, isGap }));
	const gaps = [
		...notes('warning', true, gapNotes(run)),
		...notes(run.request.file ? 'warning' : 'info', true, cutNotes(run)),
	];
	return [
		...gaps,
		...notes('warning', false, warnings(run)),
		...notes('info', false, saidNotes(run)),
		...notes('info', false, remarks(run, gaps.length === 0)),
	];
}

/** Shows sentences in the output pane; with several items, each names its own. */
export function showHints(item: Item, messages: Iterable<string>, type?: NodeExecutionHint['type']): void {
	const suffix = item.context.getInputData().length > 1 ? ` [Item ${item.index}]` : '';
	for (const message of messages) item.hint(`${message}${suffix}`, type);
}

/** Names, quoted, because one can contain a comma. */
const listed = (names: Iterable<unknown>) => firstFew(names, quoted);

/** Why rows are missing, except by Limit. */
function* gapNotes({ source, tally }: ListRun): Generator<string> {
	const { total, paged, unlisted = 0, gaps = [], surplus = 0 } = source.report;
	if (paged === 'unsettled') {
		yield 'More than 50 rows have the same date and changed while they were read, so some of them may be missing.';
	}
	if (unlisted > 0) yield `The service counted rows that it did not return: ${unlisted}.`;
	if (surplus > 0)
		yield `The service sent ${surplus} more rows on a page than the node had asked for. It read each page only to its limit.`;
	if (gaps.length > 0) yield `${gaps.length} parts of the date range could not be read.`;
	if (!hasIgnoredUsers(tally)) return;
	yield `The API key sees none of the users in the filter: check the spelling and letter case of their emails. The service returned the rows of all users instead, so the node dropped ${total} rows. They belong to ${listed(tally.others)}.`;
}

function* warnings(run: ListRun): Generator<string> {
	const { source, request, tally } = run;
	const { rows, read, own, missing, failedTranscripts, unclearTranscripts } = tally;
	const transcripts = `${request.said ? tally.searched : rows} transcripts`;
	if (source.report.isUndated) yield 'Some rows have no readable date, so the order of the rows is unknown.';
	if (request.emptyTeams.length > 0) {
		yield `No user that the API key may see is in the teams ${listed(request.emptyTeams)} or their subteams.`;
	}
	if (missing.teams.size > 0) yield `The API key sees no team ${listed(missing.teams)}: check the spelling.`;
	if (own > 0 && own < read) yield `Dropped ${read - own} rows of other users: ${listed(tally.others)}.`;
	if (failedTranscripts > 0) {
		yield `${failedTranscripts} of ${transcripts} could not be read: see transcriptError.`;
	}
	if (unclearTranscripts > 0) {
		const where = request.said ? '' : ': see transcriptWarning';
		yield `In ${unclearTranscripts} of ${transcripts} it is not clear who speaks or when${where}.`;
	}
	yield* emptyNotes(run);
	if (rows > 0) yield* unknownFieldsNotes(missing.fields);
	yield* contractNotes(tally.mismatches);
	if (lacksLateUploads(run)) {
		yield 'Recordings of these days that are uploaded later are missing: to export them on a schedule, set Filter Dates By to Processing Time.';
	}
}

const LATE_MS = 2 * 86_400_000;

/** Whether recordings of the range can still be uploaded, so that no later run of a schedule has them. */
function lacksLateUploads({ item, list, request }: ListRun): boolean {
	const isWatched = item.isTool || item.context.getMode() === 'manual';
	const isByRecording = list.rowKind === 'conversations' && request.dateType === 'timeOfRecording';
	return !isWatched && isByRecording && Date.parse(request.range.toDate) > item.startedAt - LATE_MS;
}

function* emptyNotes(run: ListRun): Generator<string> {
	const { item, list, request, tally } = run;
	const { range, users, teams, dateType, rowFilter, entries } = request;
	if (entries && tally.rows > 0 && tally.returned === 0) {
		const { filter, rowKind } = entries;
		if (filter.dropped > 0) yield nonePasses(run, filter, rowKind);
		else yield `None of ${tally.rows} conversations has ${rowKind}.`;
	}
	if (tally.rows > 0 || tally.own < tally.read || (request.said && tally.passed > 0)) return;
	if (rowFilter && rowFilter.dropped > 0) return yield nonePasses(run, rowFilter, list.rowKind);
	const processed = dateType === 'processedDate' ? 'processed ' : '';
	const members = teams && list.emailOf && ` for the members of ${firstFew(teams)}`;
	const whose = members || (users ? ` for ${firstFew(users)}. Check their spelling and letter case` : '');
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
	return filter.whyNone(rowKind, rangeInWords(item, request.range));
}

const FIRST = { newestFirst: 'newest', oldestFirst: 'oldest', asListed: 'first' };

/** What Limit leaves out: other rows that pass, or rows that were not read. */
function* cutNotes(run: ListRun): Generator<string> {
	const { list, source, request, users } = run;
	const { rows, read, passed, isCut } = run.tally;
	const { total, isUndated } = source.report;
	const first = `These are the ${FIRST[list.isWhole || isUndated ? 'asListed' : request.order]} ${rows}`;
	if (request.said) {
		if (isCut) yield `${first} ${request.entries?.rowKind ?? list.rowKind}: ${adviceFor(run)}.`;
		return;
	}
	if (rows < request.maxRows || (passed === rows && read >= total)) return;
	const ofTeams = request.teams && ` of the members of ${listed(request.teams)}`;
	const whose = users ? (ofTeams ?? ' of the chosen users') : '';
	const all = `${total} ${list.rowKind}${whose}${list.isWhole ? '' : ' in the date range'}`;
	const wants = request.rowFilter?.wants;
	const passing = `that pass ${wants}. ${read} of ${all} were read, and ${passed} of them pass`;
	yield `${first} ${wants ? passing : `of ${all}`}: ${adviceFor(run)}.`;
}

/** How to get the rows that Limit leaves out. */
function adviceFor({ item, list, request, tally }: ListRun): string {
	if (!item.isTool) return 'turn on Return All to get the rest';
	const node = item.context.getNode();
	const isByModel = howEntered(node, node.parameters.toDate) === 'byModel';
	if (list.isWhole || !isByModel) return 'to get the rest, a person must set a higher Limit or a filter';
	const last = dateOf(tally.lastRow, request.dateType === 'processedDate' ? 'processedDate' : 'date');
	const end = Number.isNaN(last)
		? 'an earlier To Date'
		: `the To Date ${utc(request.said ? last - 1 : last)}`;
	return `search again with ${end} to get the rest`;
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

/** In how many transcripts the words were searched, and what this took. */
function* saidNotes({ item, request, source, tally }: ListRun): Generator<string> {
	const { said, range, entries } = request;
	if (!said || tally.passed === 0) return;
	const words = said.said.includes('"') ? plainText(said.said, 100) : quoted(said.said);
	const searched = `Searched the transcripts of ${tally.searched} of ${source.report.total} conversations from ${rangeInWords(item, range)}`;
	yield `${searched}, with a request each: ${tally.said} have ${words} (${tally.returned} rows).`;
	if (item.isTool && entries) {
		yield `Each conversation returns its first ${MAX_PASSAGES_FOR_AGENT} passages: Download Transcript has the others.`;
	}
}

function* remarks({ item, list, request, source, tally }: ListRun, isWhole: boolean): Generator<string> {
	const { rows, missing } = tally;
	// The rows of teams and users have their range in UTC.
	if (list.isWhole && rows > 0) {
		yield `Figures from ${rangeInWords(item, request.range, source.previous)}.`;
	}
	// A member of a team was not asked for by name, and an empty list has its own note.
	if (isWhole && rows > 0 && missing.users.size > 0 && !request.teams) {
		yield `No ${list.rowKind} for ${listed(missing.users)}. Check their spelling and letter case.`;
	}
	if (isWhole && rows > 0) yield* request.rowFilter?.unknownNames ?? [];
	const end = item.parameter('dateRange', 'custom') === 'custom' ? item.parameter('toDate', '') : '';
	const [, day, utcSign] = MIDNIGHT.exec(String(end)) ?? [];
	// Text that ends in Z is an instant, not a day. $today also ends in Z if the workflow's zone is UTC, but it is a day.
	if (day && !(utcSign && typeof end === 'string')) {
		yield `To Date is the first moment of ${day}, so that day is not included: pick the day after.`;
	}
}

/** The date picker writes midnight for a day that is picked without a time. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:[+-]\d{2}:?\d{2}|(Z))?$/;

/** Says which day it is, because a model does not know. */
export function todayNote({ context, startedAt }: Item): string {
	const zone = context.getTimezone();
	const today = DateTime.fromMillis(startedAt, { zone, locale: 'en' });
	return `Today is ${today.toFormat('cccc, yyyy-MM-dd')} (${zone}).`;
}
