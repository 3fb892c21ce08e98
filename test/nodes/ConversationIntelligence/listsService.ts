import type { IDataObject } from 'n8n-workflow';
import { tables } from '../../../scripts/apiReference';
import { documentedRow } from '../../support/engine/documentedRow';
import type { ScriptedServer, SeenRequest } from '../../support/scriptedServer';

/** A Wednesday, in the second and a half week of a month. */
export const NOW = Date.parse('2026-04-15T10:30:00Z');
const HOUR = 3_600_000;

export const ANA = 'ana@example.com';
export const BEN = 'ben@example.com';
export const CEM = 'cem@example.com';
/** Has no conversation. */
export const DORA = 'dora@example.com';
export const GHOST = 'ghost@example.com';

export type Row = IDataObject & { user: IDataObject };
export type ArrayName = 'conversations' | 'awaitingUpload' | 'errored';

const NORTH = { teamId: 't1', name: 'North' };
const SOUTH = { teamId: 't2', name: 'South' };
/** Whose name no team but the second has; its name is the ID of the first. */
const EAST = { teamId: 't3', name: 't1' };
const TEAMS = [NORTH, SOUTH, EAST];
const MEMBERSHIPS: Record<string, Array<typeof NORTH> | null> = {
	[ANA]: [NORTH, SOUTH],
	[BEN]: [SOUTH],
	[CEM]: null,
	[DORA]: [NORTH],
};

const pick = <Value>(list: readonly Value[], index: number) => list[index % list.length];

const REPS = [
	{ id: 'u1', name: 'Ana Díaz', email: ANA },
	{ id: 'u2', name: null, email: BEN },
	{ id: 'u3', name: 'Cem, "C"', email: CEM },
];

/** What rows of all kinds have, each with a period of its own. */
const common = (index: number) => ({
	user: {
		...{ ...pick(REPS, index), ...(index % 4 === 0 && { nick: `n${index}` }) },
		// Nobody whom the key may see.
		...(index % 7 === 6 && { email: 'gone@example.com' }),
	},
	title: pick([null, '=1+1', ' Roof, new', 'Roof\nrepair', 'Straße 5', ''], index),
	duration: (index * 37.5) % 180,
	crmEventID: pick(['e-7', null, 'e-8', ''], index >> 1),
	jobNumber: pick(['10.50', 'J-1'], index),
	outcome: pick(['Sold', null, 'No Show, late', ' sold', 'Lost'], index >> 1),
	customFields: pick([null, { 'Est. Value': 12.5, note: '-x' }], index >> 2),
	...(index % 5 === 0 && { extra: { of: index } }),
});

const tracker = (id: string, isHit: boolean | null, score: number | null) => ({
	...{ trackerId: id, name: `Tracker ${id}`, trackerName: `Tracker ${id}` },
	...{ isHit, trackerIsHit: isHit, aiScore: score, trackerAiScore: score },
});

const checklist = (name: string, index: number) => ({
	...{ name, checklistName: name, score: index % 3, checklistScore: index % 3, denominator: 3 },
	checklistDenominator: 3,
	trackerData: [
		tracker('a', pick([true, false, null], index), pick([0.25, null], index)),
		tracker(`b${index % 2}`, pick([false, true], index >> 1), 1),
	],
});

const customer = (index: number) => ({
	name: pick(['Zoë Müller', 'Ann O’Neil', null], index),
	email: pick([null, 'muller@example.org'], index),
	phone: '+1 (555) 010-42',
	address: documentedRow('CustomerAddress', { unit: null }),
});

/** Starts now and then during 60 days, each at a millisecond of its own. */
const startOf = (index: number, count: number) =>
	NOW - Math.floor((((index * 7919) % count) * 1440) / count) * HOUR - index;
const timeOf = (instant: number) => new Date(instant).toISOString();

function conversation(index: number, count: number): Row {
	const at = startOf(index, count);
	return documentedRow('ConversationsExport', {
		...common(index),
		conversationId: `c${index}`,
		recordingId: `r${index}`,
		date: timeOf(at),
		processedDate: timeOf(Math.min(NOW, at + ((index * 31) % 90) * HOUR) - index),
		transcriptUrl: pick(['https', 'https', ''], index) && `{server}/words/${index}?sig=1`,
		jobSummary: pick(['A new roof', null, 'roof of 10-42'], index >> 1),
		customSummary: pick([null, 'Solar'], index),
		customer: index % 4 === 1 ? null : customer(index),
		checklists: index % 3 === 0 ? [] : [checklist('Greeting', index), checklist('Price, terms', index + 1)],
		aiTrackers: [
			{
				...{ checklistName: 'Other', trackerId: 'x', trackerName: 'Tracker x' },
				...{ isHit: index % 2 > 0, aiScore: pick([0.75, null], index) },
			},
		],
		surveyResults: [{ surveyId: 's1', surveyName: 'NPS', data: { Why: `w${index}`, Score: index } }],
	}) as Row;
}

function recording(table: string, id: string, index: number, count: number): Row {
	const isErrored = table === 'ErroredRecordingsExport';
	const at = startOf(index + 3, count) - (isErrored ? 700 : 500);
	const dates = { date: timeOf(at), ...(isErrored && { processedDate: timeOf(at + HOUR) }) };
	return documentedRow(table, { ...common(index + 1), recordingId: `${id}${index}`, ...dates }) as Row;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Everything the service has: more than a page of each of two arrays, or less than a page, with rows without a date. */
export function listsOf(size: 'pages' | 'page'): Record<ArrayName, Row[]> {
	const [many, few] = size === 'pages' ? [64, 53] : [20, 8];
	const lists = {
		conversations: numbers(many).map((index) => conversation(index, many)),
		awaitingUpload: numbers(few).map((index) => recording('RecordingsExport', 'a', index, few)),
		errored: numbers(7).map((index) => recording('ErroredRecordingsExport', 'f', index, 7)),
	};
	if (size === 'page') {
		for (const index of [4, 9])
			Object.assign(lists.conversations[index], { date: null, processedDate: 'soon' });
		Object.assign(lists.errored[2], { date: '', processedDate: null });
	}
	return lists;
}

/** D1 § POST /export/conversations: inclusive bounds; a users filter that matches nobody falls back to all. */
function selected(rows: Row[], body: IDataObject): Row[] {
	const { fromDate, toDate, dateType, users = [] } = body as Record<string, string> & { users?: string[] };
	const isKnown = users.some((email) => email in MEMBERSHIPS);
	return rows
		.filter((row) => {
			const at = Date.parse(String(row[dateType === 'processedDate' ? 'processedDate' : 'date']));
			// A row without a date is in each range, because nothing says that it is not.
			return Number.isNaN(at) || (at >= Date.parse(fromDate) && at <= Date.parse(toDate));
		})
		.filter(({ user }) => !isKnown || users.includes(String(user.email)));
}

const TOTALS = {
	conversations: 'totalConversations',
	awaitingUpload: 'totalAwaitingUpload',
	errored: 'totalErrored',
};

/** The response to a request for a page. */
export function pageOf(lists: Partial<Record<ArrayName, IDataObject[]>>, body: IDataObject): IDataObject {
	const { page, limit, dateType } = body as { page: number; limit: number; dateType?: string };
	const response: IDataObject = { currentPage: page };
	for (const [name, list] of Object.entries(lists) as Array<[ArrayName, Row[]]>) {
		if (name === 'awaitingUpload' && dateType === 'processedDate') continue;
		const rows = selected(list, body);
		response[TOTALS[name]] = rows.length;
		response[name] = rows.slice((page - 1) * limit, page * limit);
	}
	return response;
}

/** What is said in conversation `index`: two speakers, the second chunk of whose words is a whole one. */
export const wordsOf = (index: number) => [
	{ speaker: pick(REPS, index).name ?? 'Rep', word: 'Hello', start: index, end: index + 0.5 },
	{ speaker: pick(REPS, index).name ?? 'Rep', word: `number ${index}`, start: index + 1, end: index + 2 },
	{ speaker: 'Zoë', word: 'Grüezi', start: 61 + index, end: 62 + index },
	{ speaker: 'Zoë', word: '.', start: null, end: null },
];

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

const numbersOf = (table: string) =>
	tables[table].filter(({ type }) => /^number( \| null)?$/.test(type)).map(({ name }) => name);
export const METRICS = { users: numbersOf('UsersExport'), teams: numbersOf('TeamsExport') };

/** A number that is another one for each metric, row and range; null for some. */
function figure(...parts: unknown[]): number | null {
	let hash = 7;
	for (const sign of parts.join('|')) hash = (hash * 31 + sign.charCodeAt(0)) % 1_000_003;
	return hash % 7 === 0 ? null : hash / 100_003;
}

const USERS: IDataObject[] = Object.entries(MEMBERSHIPS).map(([email, teams], index) => ({
	...documentedRow('UsersExport', { userId: `u${index + 1}`, email, teams, name: REPS[index]?.name ?? null }),
	isRemoved: index === 1,
	role: pick(['Owner', 'Rep, senior', null], index),
}));

const TEAM_ROWS = TEAMS.map((team) => documentedRow('TeamsExport', { ...team, parentTeamName: null }));

/** The rows of a period: not of Dora or South in one that begins on an odd day, so that some have no row before. */
function metricsOf(kind: 'users' | 'teams', body: IDataObject): IDataObject[] {
	const { fromDate, toDate, users = [], includeSubteams = false } = body;
	const asked = users as unknown[];
	const isKnown = asked.some((email) => String(email) in MEMBERSHIPS);
	const isWhole = Date.parse(String(toDate)) - Date.parse(String(fromDate)) <= 1000;
	const isOdd = new Date(String(fromDate)).getUTCDate() % 2 === 1;
	return (kind === 'teams' ? TEAM_ROWS : USERS)
		.filter(({ email }) => !isKnown || asked.includes(email))
		.filter(({ email, teamId }) => isWhole || !isOdd || (email !== DORA && teamId !== SOUTH.teamId))
		.map((row) => {
			const of = [kind, row.userId ?? row.teamId, fromDate, toDate, includeSubteams];
			return { ...row, ...Object.fromEntries(METRICS[kind].map((name) => [name, figure(name, ...of)])) };
		});
}

/** Lets a server respond as D1 says. */
export function serve(
	server: ScriptedServer,
	lists: Record<ArrayName, Row[]> = { conversations: [], awaitingUpload: [], errored: [] },
) {
	const answer = ({ url, body }: SeenRequest): unknown => {
		const index = /^\/words\/(\d+)/.exec(url)?.[1];
		if (index !== undefined) return wordsOf(Number(index));
		if (url === '/export/conversations') return pageOf(lists, body as IDataObject);
		const kind = url === '/export/users' ? 'users' : 'teams';
		return { [kind]: metricsOf(kind, body as IDataObject) };
	};
	/** D1: UTC timestamps ending in Z, the end after the start. */
	const isRange = ({ fromDate, toDate }: Record<string, unknown>) =>
		[fromDate, toDate].every((date) => /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(String(date))) &&
		Date.parse(String(toDate)) > Date.parse(String(fromDate));
	server.respond((request) => ({
		status: !request.body || isRange(request.body) ? 200 : 400,
		headers: { date: new Date(NOW).toUTCString() },
		body: JSON.stringify(answer(request)).replaceAll('{server}', server.url),
	}));
}
