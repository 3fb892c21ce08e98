import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { tables } from '../../../scripts/apiReference';
import { MEMBERSHIPS, NOW, wordsOf, type Row } from './pairsService';

/** What Get Many returns by the API documentation and the labels of the panel, without any code of the nodes. */

type Dates = (now: DateTime) => Period;

interface Range {
	parameters: IDataObject;
	dates: Dates;
	/** Of a calendar period. */
	unit?: Unit;
}

const preset = (dateRange: string, dates: Dates, unit?: Unit): Range => ({
	parameters: { dateRange },
	dates,
	unit,
});
const custom = (fromDate: string, toDate: string, dates: Dates): Range => ({
	parameters: { dateRange: 'custom', fromDate, toDate },
	dates,
});
const whole = (unit: Unit, time: DateTime): Period => [time.startOf(unit), time.endOf(unit)];
const at = (text: string, { zone }: DateTime) => DateTime.fromISO(text, { zone });

/** The choices of Date Range, and what each means by the calendar of a zone. */
export const RANGES: Record<string, Range> = {
	today: preset('today', (now) => [now.startOf('day'), now], 'day'),
	yesterday: preset('yesterday', (now) => whole('day', now.minus({ days: 1 })), 'day'),
	last7Days: preset('last7Days', (now) => [now.minus({ days: 7 }), now]),
	last30Days: preset('last30Days', (now) => [now.minus({ days: 30 }), now]),
	last90Days: preset('last90Days', (now) => [now.minus({ days: 90 }), now]),
	last180Days: preset('last180Days', (now) => [now.minus({ days: 180 }), now]),
	last365Days: preset('last365Days', (now) => [now.minus({ days: 365 }), now]),
	thisWeek: preset('thisWeek', (now) => [now.startOf('week'), now], 'week'),
	lastWeek: preset('lastWeek', (now) => whole('week', now.minus({ weeks: 1 })), 'week'),
	weekBeforeLast: preset('weekBeforeLast', (now) => whole('week', now.minus({ weeks: 2 })), 'week'),
	thisMonth: preset('thisMonth', (now) => [now.startOf('month'), now], 'month'),
	lastMonth: preset('lastMonth', (now) => whole('month', now.minus({ months: 1 })), 'month'),
	monthBeforeLast: preset('monthBeforeLast', (now) => whole('month', now.minus({ months: 2 })), 'month'),
	days: custom('2026-03-02', '2026-04-01', (now) => [
		at('2026-03-02', now),
		at('2026-04-01', now).endOf('day'),
	]),
	moments: custom('2026-03-05T08:00:00+05:30', '2026-04-02T09:15', (now) => [
		at('2026-03-05T02:30Z', now),
		at('2026-04-02T09:15', now),
	]),
	open: custom('2026-03-20', '', (now) => [at('2026-03-20', now), now]),
};

export const nowIn = (zone: string) => DateTime.fromMillis(NOW, { zone });
export const utc = (time: DateTime) => time.toUTC().toISO()!;

/** A range as hints say it, by the clock of its zone. */
export const inWords = (period: Period) =>
	period.map((time) => time.toFormat('yyyy-MM-dd HH:mm')).join(' to ');

/** The name that a file has by itself. */
export function nameOf(rowKind: string, [from, to]: Period): string {
	const isWhole = from.toFormat('HHmm') === '0000' && to.toFormat('HHmm') === '2359';
	const dates = [from, to].map((time) => time.toFormat(isWhole ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HHmm"));
	return [rowKind.replace(' ', '-'), ...dates].join('_');
}

/** Exactly one of these names, without regard to case and outer blanks. */
const isNamed = (names: string[], value: unknown) =>
	typeof value === 'string' && names.includes(value.trim().toLowerCase());

const fold = (text: string) =>
	text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toUpperCase()
		.replace(/[^A-Z0-9]+/g, ' ');
const hasWords = (words: string, values: unknown[]) =>
	fold(words)
		.trim()
		.split(' ')
		.every((word) => fold(values.join(' ')).includes(word));

const customerOf = (row: IDataObject) => {
	const { name, email, phone } = (row.customer ?? {}) as IDataObject;
	return [name, email, phone];
};

/** Each filter by its name in the node: whether a row passes it. */
const FILTERS: Record<string, (row: IDataObject, wanted: never) => boolean> = {
	users: ({ user, email }, users: string[]) => users.includes(String((user as IDataObject)?.email ?? email)),
	outcome: ({ outcome }, names: string) => isNamed(namesIn(names), outcome),
	outcomeIsNot: ({ outcome }, names: string) => !isNamed(namesIn(names), outcome),
	minDuration: ({ duration }, seconds: number) => Number(duration) >= seconds,
	hasTranscript: ({ transcriptUrl }) => Boolean(transcriptUrl),
	noAppointment: ({ crmEventID }) => crmEventID === null || crmEventID === '',
	customer: (row, words: string) => hasWords(words, customerOf(row)),
	text: (row, words: string) => {
		const { name, email } = row.user as IDataObject;
		const { title, jobSummary, customSummary, crmEventID } = row;
		return hasWords(words, [title, ...customerOf(row), name, email, jobSummary, customSummary, crmEventID]);
	},
	role: ({ role }, names: string) => isNamed(namesIn(names), role),
	activeOnly: ({ isRemoved }) => isRemoved !== true,
	checklistNames: ({ checklistName }, names: string) => isNamed(namesIn(names), checklistName),
	trackerNames: ({ trackerName }, names: string) => isNamed(namesIn(names), trackerName),
	hitOrMissed: ({ trackerIsHit }, wanted: string) => trackerIsHit === (wanted === 'hit'),
	checklistScoreBelow: ({ checklistScore }, below: number) => Number(checklistScore) < below,
};

/** Names between commas; those in quotes have one themselves. */
const namesIn = (text: string) =>
	[...text.matchAll(/\s*"([^"]*)"|[^,]+/g)].map(([whole, quoted]) => (quoted ?? whole).trim().toLowerCase());

/** What each filter of a conversation's checklists and trackers compares, and what shows it. */
const OF_ENTRIES: Record<string, [field: string, kinds: string[], shows: string]> = {
	checklistNames: ['checklistName', ['checklists', 'trackers'], 'checklistScores'],
	checklistScoreBelow: ['checklistScore', ['checklists'], 'checklistScores'],
	trackerNames: ['trackerName', ['trackers'], 'hitTrackers missedTrackers'],
	hitOrMissed: ['trackerIsHit', ['trackers'], 'hitTrackers missedTrackers'],
};

/** Whether a checklist or tracker passes all filters of what it has. */
export const isEntryWanted = (filters: IDataObject, entry: IDataObject) =>
	Object.keys(filters).every((name) => {
		const [field = ''] = OF_ENTRIES[name] ?? [];
		return !(field in entry) || FILTERS[name](entry, filters[name] as never);
	});

/** Whether a row of the list passes all filters: of its checklists and trackers, one must pass them. */
export const passes = (filters: IDataObject, row: IDataObject) =>
	Object.entries(filters).every(([name, wanted]) => {
		if (name === 'teams') return true;
		const [, kinds] = OF_ENTRIES[name] ?? [];
		if (!kinds) return FILTERS[name](row, wanted as never);
		return kinds
			.flatMap((kind) => entriesOf(kind, row as Row))
			.some((entry) =>
				isEntryWanted(name === 'checklistNames' ? { checklistNames: wanted } : filters, entry),
			);
	});

/** The fields of a simplified conversation that show what was filtered by. */
export const shownFor = (filters: IDataObject) => [
	...new Set(Object.keys(filters).flatMap((name) => OF_ENTRIES[name]?.[2].split(' ') ?? [])),
];

export const escaped = (text: string) => text.replace(/[()/]/g, '\\$&');

export type Period = [from: DateTime, to: DateTime];
export type Unit = 'day' | 'week' | 'month';

/** The days, weeks or months of a range; the first and last one can be a part. */
export function split([from, to]: Period, unit: Unit): Period[] {
	const periods: Period[] = [];
	for (let start = from; start <= to; start = start.endOf(unit).plus(1)) {
		periods.push([start, start.endOf(unit) < to ? start.endOf(unit) : to]);
	}
	return periods;
}

/** The same part of the day, week or month before; without a unit, as long a time as the range, right before it. */
export function before([from, to]: Period, unit: Unit | undefined): Period {
	const end = to.plus(1);
	if (!unit) return [from.minus(end.diff(from, ['days', 'milliseconds'])), from.minus(1)];
	const isWhole = +to === +to.endOf(unit);
	const earlier = to.minus({ [unit]: 1 });
	return [from.minus({ [unit]: 1 }), isWhole ? earlier.endOf(unit) : earlier];
}

/** Whether a team is wanted by its ID, or by its name, which no ID is. */
export const isOneOf = (wanted: string[], { teamId, name }: IDataObject) =>
	wanted.includes(String(teamId)) || (name !== 't1' && wanted.includes(String(name)));

/** The users that a request is about: of teams, those among the users asked for. */
export function usersOf({ users, teams }: { users?: string[]; teams?: string[] }): string[] | undefined {
	if (!teams) return users;
	const members = Object.keys(MEMBERSHIPS).filter((email) =>
		MEMBERSHIPS[email]?.some((team) => isOneOf(teams, team)),
	);
	return members.filter((email) => users?.includes(email) ?? true);
}

/** Sorted by a date; what has none is last. */
export function byDate(rows: IDataObject[], field: string, isNewestFirst: boolean): IDataObject[] {
	const timeOf = (row: IDataObject) => Date.parse(String(row[field]));
	const [undated, dated] = [true, false].map((isNone) =>
		rows.filter((row) => Number.isNaN(timeOf(row)) === isNone),
	);
	return [...dated.sort((a, b) => (timeOf(a) - timeOf(b)) * (isNewestFirst ? -1 : 1)), ...undated];
}

export const byId = (rows: IDataObject[]) =>
	[...rows].sort((a, b) => (String(a.recordingId) < String(b.recordingId) ? -1 : 1));

/** The rows of a file with an object on each line. */
export const rowsIn = (ndjson: string): IDataObject[] =>
	JSON.parse(`[${ndjson.trimEnd().replaceAll('\n', ',')}]`) as IDataObject[];

/** Names of flat fields, and the field of D1 that they are a part of. */
const FLAT: Record<string, [string, string]> = {
	userName: ['user', 'name'],
	userEmail: ['user', 'email'],
	customerName: ['customer', 'name'],
	teamNames: ['teams', 'name'],
	checklistScores: ['checklists', ''],
	hitTrackers: ['checklists', ''],
	missedTrackers: ['checklists', ''],
};

/** The texts of these, with commas between them. */
const ENTRY_TEXTS: Record<string, (row: Row) => unknown[]> = {
	checklistScores: (row) =>
		entriesOf('checklists', row).map((one) => `${String(one.checklistName)} ${String(one.checklistScore)}/3`),
	hitTrackers: (row) =>
		entriesOf('trackers', row)
			.filter((one) => one.trackerIsHit === true)
			.map((one) => one.trackerName),
	missedTrackers: (row) =>
		entriesOf('trackers', row)
			.filter((one) => one.trackerIsHit === false)
			.map((one) => one.trackerName),
};

export const valueOf = (row: IDataObject, field: string): unknown => {
	const [object, part] = FLAT[field] ?? [];
	if (object === undefined || field in row) return row[field] ?? null;
	if (field in ENTRY_TEXTS) return [...new Set(ENTRY_TEXTS[field](row as Row))].join(', ') || null;
	const list = row[object];
	if (Array.isArray(list)) return (list as IDataObject[]).map((one) => one[part]).join(', ');
	return (row[object] as IDataObject | null)?.[part] ?? null;
};

/** Names in the order of D1's table and what is added to it; what neither has follows in this order. */
export function inOrder(names: string[], table: string, added: string[] = []): string[] {
	const documented = [...tables[table].map(({ name }) => name), ...added];
	const placeOf = (name: string) => documented.indexOf((FLAT[name] ?? [name])[0]);
	const known = names.filter((name) => placeOf(name) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
	return [...known, ...names.filter((name) => placeOf(name) < 0)];
}

/** The columns of fields: an object of D1 has one for each of its own. */
const columnsOf = (fields: string[], table: string, path: string[] = []): string[][] =>
	fields.flatMap((name) => {
		const own = [...path, name];
		const type = (tables[table].find((field) => field.name === name)?.type ?? '').replace(' | null', '');
		const parts = type in tables && tables[type].map((part) => part.name);
		return parts ? columnsOf(parts, type, own) : [own];
	});

/** A table as text: all fields of the rows, those that no column has as JSON in the last one. */
export function csv(
	rows: IDataObject[],
	table: string,
	fields: string[],
	{ isExcel = false, isEscaped = false, hasOthers = false },
): string {
	const columns = columnsOf(fields, table);
	const others = hasOthers || columns.some(({ length }) => length > 1);
	const cell = (value: unknown) => {
		if (value === null || value === undefined) return '';
		let text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		if (isExcel && typeof value === 'number') text = text.replace('.', ',');
		if (isExcel && typeof value === 'string' && /^[+\d][\d .()-]*$/.test(text)) text = `="${text}"`;
		else if ((isExcel || isEscaped) && typeof value === 'string' && /^\s*[=+@-]/.test(text))
			text = `'${text}`;
		return /[",;\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	const at = (row: IDataObject, path: string[]) =>
		path.reduce<unknown>((value, key) => (value as IDataObject | null)?.[key], row);
	// Only these two are in no table of D1.
	const othersOf = ({ user, extra }: IDataObject) => {
		const nick = (user as IDataObject | null | undefined)?.nick;
		const hasOwn = extra !== undefined && !fields.includes('extra');
		if (nick === undefined && !hasOwn) return undefined;
		return { ...(nick !== undefined && { user: { nick } }), ...(hasOwn && { extra }) };
	};
	const lines = [
		[...columns.map((path) => path.join('.')), ...(others ? ['otherFields'] : [])],
		...rows.map((row) => [...columns.map((path) => at(row, path)), ...(others ? [othersOf(row)] : [])]),
	];
	const text = lines.map((line) => `${line.map(cell).join(isExcel ? ';' : ',')}\r\n`).join('');
	return isExcel ? `\uFEFF${text}` : text;
}

/** The transcript of a conversation as lines or turns. */
export function transcriptOf({ conversationId, user, transcriptUrl }: Row, asTurns: boolean) {
	if (!transcriptUrl) return null;
	const index = Number(String(conversationId).slice(1));
	const [one, two, three] = wordsOf(index);
	const clock = (seconds: number) =>
		`${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
	const turns = [
		{ speaker: one.speaker, isRep: true, start: index, end: two.end, text: `Hello number ${index}` },
		{ speaker: 'Zoë', isRep: false, start: three.start!, end: three.end, text: 'Grüezi.' },
	];
	if (!asTurns)
		return turns.map(({ speaker, start, text }) => `[${clock(start)}] ${speaker}: ${text}`).join('\n');
	// Only where one speaks by the rep's name is it clear who the rep is.
	const isClear = user.name !== null;
	return turns.map((turn, place) => {
		const rowKey = `${String(conversationId)}/turns/${place + 1}`;
		return { rowKey, ...turn, isRep: isClear ? turn.isRep : null };
	});
}

/** The rows of Return One Row Per, from one conversation, by the lists in it. */
export function entriesOf(kind: string, row: Row): IDataObject[] {
	const list = (name: string) => row[name] as IDataObject[];
	const columns =
		'conversationId date processedDate userName userEmail customerName outcome serviceUrl'.split(' ');
	const own = Object.fromEntries(columns.map((field) => [field, valueOf(row, field)]));
	const entry = (place: string, keys: string[], values: IDataObject): IDataObject => {
		const rowKey = [row.conversationId, place, ...keys.map((key) => values[key])].join('/');
		return { rowKey, ...own, ...values } as IDataObject;
	};
	if (kind === 'viewers') return list('viewers').map((one) => entry('viewers', ['userId'], one));
	if (kind === 'checklists')
		return list('checklists').map(({ checklistName, checklistScore, checklistDenominator }) =>
			entry('checklists', ['checklistName'], { checklistName, checklistScore, checklistDenominator }),
		);
	if (kind === 'surveyAnswers')
		return list('surveyResults').flatMap(({ data, ...survey }) =>
			Object.entries(data as IDataObject).map(([question, answer]) =>
				entry('surveyResults', ['surveyId', 'question'], { ...survey, question, answer: String(answer) }),
			),
		);
	const trackers = (place: string, checklist: IDataObject, all: unknown) =>
		(all as IDataObject[]).map(({ trackerId, trackerName, isHit, aiScore }) =>
			entry(place, ['checklistName', 'trackerId'], {
				...{ inChecklist: place === 'checklists', checklistName: checklist.checklistName },
				...{ trackerId, trackerName, trackerIsHit: isHit, trackerAiScore: aiScore },
			}),
		);
	return [
		...list('checklists').flatMap((one) => trackers('checklists', one, one.trackerData)),
		...list('aiTrackers').flatMap((one) => trackers('aiTrackers', one, [one])),
	];
}
