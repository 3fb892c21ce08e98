import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import { isObject } from '../base/text';
import { readWrittenTime } from '../base/time';

/** Where the checklists and trackers of a conversation are (D1 § Checklist, Tracker, AiTracker). */
export const ENTRY_PATHS = {
	checklists: [['checklists']],
	trackers: [['checklists', 'trackerData'], ['aiTrackers']],
};

export type EntryName = keyof typeof ENTRY_PATHS;

/** Fields of a tracker, and their names outside of a checklist (D1 § AiTracker). */
const ALIASES: Record<string, string> = { trackerIsHit: 'isHit', trackerAiScore: 'aiScore' };

/** A field of an entry by its name in a checklist; undefined if there is none. */
export const entryField = (entry: IDataObject, name: string) => entry[name] ?? entry[ALIASES[name]];

/** The checklists or the trackers of a conversation; a tracker has the fields of its checklist, too. */
export const entriesNamed = (row: IDataObject, name: EntryName) =>
	ENTRY_PATHS[name].flatMap((path) => entriesBelow(row, path));

/** The objects at the end of a path, each with the fields of those on the way. */
export function entriesBelow(parent: IDataObject, [name, ...rest]: string[]): IDataObject[] {
	const entries = entriesIn(parent[name]);
	if (rest.length === 0) return entries;
	return entries.flatMap((entry) => entriesBelow(entry, rest).map((inner) => ({ ...entry, ...inner })));
}

/** The entries of a list; of an object, its questions and answers. */
export function entriesIn(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	if (!isObject(value)) return [];
	return Object.entries(value).map(([question, answer]) => {
		// As text, because a column of a table has one type.
		const isText = typeof answer === 'string' || (answer ?? null) === null;
		return { question, answer: isText ? (answer ?? null) : JSON.stringify(answer) };
	});
}

const trackersThatAre = (isHit: boolean) => (row: IDataObject) =>
	entriesNamed(row, 'trackers')
		.filter((tracker) => entryField(tracker, 'trackerIsHit') === isHit)
		.map(({ trackerName }) => trackerName);

const scoresIn = (row: IDataObject) =>
	entriesNamed(row, 'checklists').map(
		({ checklistName, checklistScore, checklistDenominator }) =>
			`${String(checklistName)} ${String(checklistScore)}/${String(checklistDenominator)}`,
	);

/** Flat fields that are made of a conversation's checklists and trackers: the texts of each, and what they are. */
export const ENTRY_TEXTS: Record<string, { of: (row: IDataObject) => unknown[]; description: string }> = {
	checklistScores: { of: scoresIn, description: 'Each checklist with its score, such as "Discovery 3/5"' },
	hitTrackers: { of: trackersThatAre(true), description: 'Names of the trackers that were hit' },
	missedTrackers: { of: trackersThatAre(false), description: 'Names of the trackers that were missed' },
};

/** Fields of a flat row, so that it fits into any table, and where their values are: object or list, then field in it. */
export const FLAT = new Map<string, [object: string, part: string]>([
	['userName', ['user', 'name']],
	['userEmail', ['user', 'email']],
	['customerName', ['customer', 'name']],
	['customerEmail', ['customer', 'email']],
	['customerPhone', ['customer', 'phone']],
	['teamNames', ['teams', 'name']],
	['teamIds', ['teams', 'teamId']],
	...Object.keys(ENTRY_TEXTS).map((name) => [name, ['checklists', name]] as [string, [string, string]]),
]);

export const SIMPLIFIED_CONVERSATION = [
	'conversationId',
	'date',
	'processedDate',
	'title',
	'duration',
	'crmEventID',
	'userName',
	'userEmail',
	'totalSold',
	'outcome',
	'jobSummary',
	'serviceUrl',
	'customerName',
];

/** A row with exactly these fields, in their order, null where it has none; the row itself when all are wanted. */
export function keepFields(row: IDataObject, fields: string[] | undefined): IDataObject {
	return fields
		? (Object.fromEntries(fields.map((field) => [field, fieldIn(row, field) ?? null])) as IDataObject)
		: row;
}

/** A value of a row by its flat or dotted name, e.g. `userName`, `user.name`; of a list, its values with commas between them. */
export function fieldIn(row: IDataObject, field: string): unknown {
	const flat = FLAT.get(field);
	if (!flat || Object.hasOwn(row, field)) return valueNamed(row, field);
	const texts = ENTRY_TEXTS[field]?.of(row);
	if (texts) return [...new Set(texts)].join(', ') || null;
	const [name, part] = flat;
	const { [name]: list } = row;
	return Array.isArray(list) ? list.map((one) => fieldOf(one, part)).join(', ') || null : valueAt(row, flat);
}

/** A key can itself contain dots, as in `customFields.Est. Value`: the longest one counts that the object has. */
function valueNamed(value: unknown, name: string): unknown {
	if (!isObject(value)) return undefined;
	for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
		const key = name.slice(0, end);
		if (!Object.hasOwn(value, key)) continue;
		const found = end === name.length ? value[key] : valueNamed(value[key], name.slice(end + 1));
		if (found !== undefined) return found;
	}
	return undefined;
}

export function valueAt(row: IDataObject, path: string[]): unknown {
	let value: unknown = row;
	for (const key of path) {
		if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
		value = value[key];
	}
	return value;
}

/** An item's JSON is an object: a row of the service that is something else goes below `value`. */
export function asRow(row: unknown): IDataObject {
	return isObject(row) ? row : ({ value: row } as IDataObject);
}

/** A field of a row; undefined if the row is not an object. */
export const fieldOf = (row: unknown, name: string): unknown => (isObject(row) ? row[name] : undefined);

/** Adds fields to a row, except those that the service sends itself. */
export function addFields(row: unknown, fields: IDataObject): void {
	if (!isObject(row)) return;
	for (const name of Object.keys(fields)) if (!(name in row)) row[name] = fields[name];
}

/** Presigned links and their expiry (D1 § ConversationsExport). */
export const LINK_FIELDS = ['transcriptUrl', 'audioUrl', 'urlsExpireAt'];

/** The content of a row without its links, which differ in each response. */
export function contentOf(row: unknown): string {
	return JSON.stringify(row, (name, value: unknown) => (LINK_FIELDS.includes(name) ? undefined : value));
}

/** The usual form, which Date.parse reads at once; it would also accept days that no calendar has. */
const USUAL =
	/^\d{4}-(?!02-(?:29|3)|(?:0[469]|11)-31)(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
/** No date is longer, with its zone in brackets. */
const MAX_LENGTH = 100;

/** A date of the service in milliseconds since 1970, UTC by default (D1 § Conventions); NaN if it is not a date. */
export function instantOf(value: unknown): number {
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return NaN;
	const usual = USUAL.exec(value);
	if (usual) return Date.parse(usual[1] ? value : `${value}Z`);
	const written = readWrittenTime(value.trim());
	if (!written || 'unclear' in written) return NaN;
	return written.clock.setZone(written.zone ?? 'UTC', { keepLocalTime: true }).toMillis();
}

/** The instant of a date field, as {@link instantOf} reads it. A recording that awaits its upload has no `processedDate`. */
export function dateOf(row: unknown, field: 'date' | 'processedDate'): number {
	return instantOf(fieldOf(row, field));
}

/** How long presigned links live at most: six hours from answering or sending (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When a presigned link ends at the latest (D1 § Limits), ISO 8601 in UTC; null when the time of issue is not a date.
 * @param issued ISO 8601 text or milliseconds since 1970; for a response, a moment not later than it
 */
export function linkExpiry(issued: unknown): string | null {
	const end = new Date((typeof issued === 'number' ? issued : instantOf(issued)) + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Maximum rows that are compared, so that a list of any length costs the same. */
const COMPARED_ROWS = 50;

/**
 * Compares rows with the documentation, in which a field may be missing that the service sends.
 * @param rows as the service sent them; only the first 50 are compared
 * @returns the fields that are missing or of another type, never a value, e.g. `title`, `user.email (3 rows)`
 */
export function mismatchesOf(schema: z.AnyZodObject, rows: unknown[]): string[] {
	const counts = new Map<string, number>();
	for (const row of rows.slice(0, COMPARED_ROWS)) {
		const { issues = [] } = schema.safeParse(row).error ?? {};
		const fields = issues.map(({ path }) => path.join('.').replace(/\.\d+/g, '[]') || 'the whole row');
		for (const field of new Set(fields)) counts.set(field, (counts.get(field) ?? 0) + 1);
	}
	return [...counts].map(([field, count]) => (count === 1 ? field : `${field} (${count} rows)`));
}
