import type { IDataObject } from 'n8n-workflow';
import { gunzipSync } from 'node:zlib';
import { tables } from '../../../scripts/apiReference';
import { allPairs } from '../../support/allPairs';
import { scriptedExport } from './listing';
import * as oracle from './pairsOracle';
import { entriesOf, inWords, isEntryWanted, nowIn, passes, RANGES, usersOf, utc } from './pairsOracle';
import {
	ANA,
	BEN,
	CEM,
	DORA,
	GHOST,
	listsOf,
	MEMBERSHIPS,
	NOW,
	selected,
	serve,
	TOTALS,
} from './pairsService';
import type { ArrayName, Row } from './pairsService';

const NONE = undefined;
const LISTS = { page: listsOf('page'), pages: listsOf('pages') };
const TABLES = {
	...{ conversations: 'ConversationsExport', awaitingUpload: 'RecordingsExport' },
	errored: 'ErroredRecordingsExport',
};

/** What both lists of recordings have. */
const LIST = {
	size: ['pages', 'page'],
	range: ['thisMonth', 'last180Days', 'days', 'moments'],
	zone: ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'],
	limit: ['all', 3, 50, 400],
	sort: [NONE, 'newestFirst', 'oldestFirst'],
	outputAs: ['items', 'ndjson', 'csv', 'csvForExcel'],
	gzip: [NONE, true],
	escapeFormulas: [NONE, true],
	fileName: [NONE, 'my rows.csv'],
	binaryPropertyName: [NONE, 'archive', ''],
} as const;
const each = (filters: Record<string, unknown[]>): IDataObject[] =>
	Object.entries(filters).flatMap(([name, values]) =>
		values.map((value) => ({ [name]: value }) as IDataObject),
	);
const FILTERS = [
	{},
	...each({ users: [[ANA, DORA], [BEN, CEM, GHOST], [GHOST]], teams: [['t1'], ['South', 'None']] }),
	...each({ outcome: ['sold', '"No Show, late", lost'], outcomeIsNot: ['Sold'] }),
	...each({ minDuration: [90], noAppointment: [true] }),
];
const OF_ENTRIES = [
	...each({ checklistNames: ['greeting, other', '"Price, terms"'], checklistScoreBelow: [1, 2] }),
	...each({ trackerNames: ['Tracker b1, Tracker x'], hitOrMissed: ['hit', 'missed'] }),
];
const OF_CONVERSATIONS = [
	...FILTERS,
	...each({ hasTranscript: [true], customer: ['zoe MÜLLER', "o'neil"], text: ['roof', 'STRASSE 5'] }),
	...OF_ENTRIES,
];
const OUTPUT = ['simplified', 'raw', 'selectedFields'] as const;
const FACTORS = {
	conversations: {
		...LIST,
		filters: OF_CONVERSATIONS,
		output: OUTPUT,
		selectBy: [NONE, 'processedDate'],
		addTeams: [NONE, true],
		transcript: [NONE, 'text', 'turns', 'cut'],
	},
	entries: {
		...LIST,
		filters: OF_CONVERSATIONS,
		// Whatever they said before it was hidden, rows of entries have all their fields.
		output: OUTPUT,
		selectBy: [NONE, 'processedDate'],
		rowsFor: ['checklists', 'trackers', 'viewers', 'surveyAnswers'],
	},
	recordings: { ...LIST, filters: FILTERS, output: OUTPUT },
} as const;

type Choice = ReturnType<typeof allPairs<typeof FACTORS.conversations & typeof FACTORS.entries>>[number];

const set = (values: object) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== NONE));

/** Every pair of options with one filter or none, and every pair of filters with some options: 480 runs in all, 12 s. */
function choicesOf(factors: (typeof FACTORS)[keyof typeof FACTORS]): Choice[] {
	const choices = allPairs(factors) as Choice[];
	const isOfEntries = (filter: IDataObject) => OF_ENTRIES.includes(filter);
	const filters = factors.filters.filter((filter) => isOfEntries(filter) === 'rowsFor' in factors);
	const pairs = filters.flatMap((one, index) =>
		filters.slice(index + 1).map((other) => ({ ...one, ...other })),
	);
	return [...choices, ...pairs.map((both, index) => ({ ...choices[index % choices.length], filters: both }))];
}

/** Some rows have the first one, and none has the second: the documentation knows neither. */
const FIELDS = ['extra', 'duratoin', 'customFields', 'user', 'userName', 'audioUrl', 'outcome', 'title'];

function parametersOf(choice: Choice, resource: string): IDataObject {
	const { range, limit, outputAs, transcript } = choice;
	const those = (...names: Array<keyof Choice>) =>
		set(Object.fromEntries(names.map((name) => [name, choice[name]])));
	return {
		...{ resource, operation: resource === 'recording' ? 'getMissing' : 'getAll' },
		...{ ...RANGES[range].parameters, ...those('filters', 'selectBy', 'rowsFor', 'output'), fields: FIELDS },
		...(limit === 'all' ? { returnAll: true } : { returnAll: false, limit }),
		...(outputAs === 'items' ? { outputAs } : { outputAs: 'file', fileFormat: outputAs }),
		fileOptions: {
			...those('gzip', 'fileName', 'binaryPropertyName'),
			...(outputAs === 'csv' && those('escapeFormulas')),
		},
		options: {
			...those('sort', 'addTeams'),
			...(transcript && { includeTranscript: true, transcriptAs: transcript === 'turns' ? 'turns' : 'text' }),
			...(transcript === 'cut' && { maxTranscriptLength: 30 }),
		},
	};
}

const CHOICE = {
	...{ size: 'pages', range: 'last180Days', zone: 'Europe/Berlin', filters: {} },
	...{ limit: 'all', outputAs: 'items', output: 'simplified' },
} as Choice;

/** Codes of what is refused; undefined for what runs. */
const refusalOf = ({ filters }: Choice) => (usersOf(filters)?.length === 0 ? 'user_not_in_teams' : undefined);

/** The rows of the list that are returned, as the service sent them, and those of other or no users before them. */
function listed(choice: Choice, arrays: ArrayName[]) {
	const [from, to] = RANGES[choice.range].dates(nowIn(choice.zone));
	const users = usersOf(choice.filters);
	const body = { fromDate: utc(from), toDate: utc(to), dateType: choice.selectBy, users };
	const sent = arrays.flatMap((name) =>
		selected(LISTS[choice.size][name], body as IDataObject).map((row): Row => ({ ...row, kind: name })),
	);
	const own = users ? sent.filter(({ user }) => users.includes(String(user.email))) : sent;
	const passing = own.filter((row) => passes(choice.filters, row));
	const isSorted = choice.sort !== NONE || choice.limit !== 'all';
	const dateField = choice.selectBy === 'processedDate' ? 'processedDate' : 'date';
	const sorted = isSorted ? oracle.byDate(passing, dateField, choice.sort !== 'oldestFirst') : passing;
	const rows = sorted.slice(0, choice.limit === 'all' ? Infinity : choice.limit) as Row[];
	return { sent, own, passing, rows, users, isSorted, dateField };
}

const ENTRIES: Record<string, string> = {
	...{ checklists: 'checklists', trackers: 'trackers', viewers: 'viewers', surveyAnswers: 'survey answers' },
};
const SIMPLIFIED = {
	conversations:
		'conversationId date processedDate title duration crmEventID userName userEmail totalSold outcome jobSummary serviceUrl customerName',
	errored: 'recordingId date title duration crmEventID userName userEmail jobNumber outcome error kind',
};

/** The rows as the node returns them, and the names of their fields in order. */
function returned(choice: Choice, arrays: ArrayName[], rows: Row[]) {
	const [first] = arrays as ['conversations' | 'errored'];
	const [isExport, isRaw] = [first === 'conversations', choice.output === 'raw'];
	const ofTeams = choice.addTeams ? ['teamNames', 'teamIds'] : [];
	const known = isExport ? ['urlsExpireAt'] : ['kind'];
	const added = [...known, ...ofTeams];
	const own = tables[TABLES[first]].map((field) => field.name);
	const chosen = {
		simplified: [...SIMPLIFIED[first].split(' '), ...oracle.shownFor(choice.filters)],
		selectedFields: FIELDS,
		raw: [...own, ...added],
	}[choice.output];
	const kept = [
		...(isExport ? ['conversationId'] : ['recordingId', 'kind', 'error']),
		...(chosen.includes('audioUrl') ? ['urlsExpireAt'] : []),
	];
	const wanted = [...new Set([...chosen, ...kept, ...ofTeams])];
	const fields = isRaw ? chosen : oracle.inOrder(wanted, TABLES[first], known);
	const isUnknown = (name: string) => ![...own, ...added, 'userName'].includes(name);
	const unknown = FIELDS.filter((name) => isUnknown(name) && !rows.some((row) => name in row));
	const documented = arrays.flatMap((name) => tables[TABLES[name]].map((field) => field.name));
	const output = rows.map((row): IDataObject => {
		const teams = MEMBERSHIPS[String(row.user.email)];
		const joined = (part: 'name' | 'teamId') => teams?.map((team) => team[part]).join(', ') ?? null;
		const transcriptUrl = row.transcriptUrl && String(row.transcriptUrl).replace('{server}', server.url);
		const urlsExpireAt = utc(nowIn('UTC').plus({ hours: 6 }));
		const whole: IDataObject = {
			...(!isExport && Object.fromEntries(documented.map((name) => [name, null]))),
			...{ ...row, ...('transcriptUrl' in row && { transcriptUrl }), ...(isExport && { urlsExpireAt }) },
			...(choice.addTeams && { teamNames: joined('name'), teamIds: joined('teamId') }),
		};
		if (isExport) delete whole.kind;
		const json = isRaw
			? whole
			: Object.fromEntries(fields.map((field) => [field, oracle.valueOf(whole, field)]));
		if (!choice.transcript) return json as IDataObject;
		const transcript = oracle.transcriptOf(row, choice.transcript === 'turns');
		const transcriptError = row.transcriptUrl
			? null
			: "The conversation has no transcript. Check in your conversation service's web app whether it has one.";
		return { ...json, transcript, transcriptError, transcriptWarning: null } as IDataObject;
	});
	return { fields, output, unknown: choice.output === 'selectedFields' ? unknown : [] };
}

const { server, engine, run } = scriptedExport();

/** A text that was cut at 30 characters, the end of which says how long it was, as the whole one. */
function uncut(cut: unknown, whole: unknown): unknown {
	const [, shown, length] = /^([^]{1,30})\n\[Cut: \d+ of (\d+) characters\]$/.exec(String(cut)) ?? [];
	const text = String(whole);
	return shown && text.startsWith(shown) && Number(length) === text.length ? whole : cut;
}

async function expectRows(choice: Choice, resource: 'conversation' | 'recording') {
	const { size, zone, outputAs, rowsFor, limit } = choice;
	const arrays: ArrayName[] = resource === 'recording' ? ['errored', 'awaitingUpload'] : ['conversations'];
	serve(server, LISTS[size]);
	const result = await run(parametersOf(choice, resource), { timezone: zone });
	const refusal = refusalOf(choice);
	expect(result.error?.context?.details).toEqual(refusal && expect.objectContaining({ code: refusal }));
	if (refusal) return;
	const { sent, own, passing, rows, users, isSorted, dateField } = listed(choice, arrays);
	const kind = resource === 'recording' ? 'missing recordings' : 'conversations';
	const range = RANGES[choice.range].dates(nowIn(zone));
	const entries =
		rowsFor &&
		rows.flatMap((row) => entriesOf(rowsFor, row)).filter((row) => isEntryWanted(choice.filters, row));
	const { output, fields, unknown } = entries
		? { output: entries, fields: Object.keys(entries[0] ?? {}), unknown: [] }
		: returned(choice, arrays, rows);
	const isFallback = users !== NONE && own.length === 0 && sent.length > 0;

	let found = result.items.map(({ json }) => json);
	let text = '';
	if (outputAs !== 'items') {
		const [{ json, binary }] = result.items;
		const file = binary![choice.binaryPropertyName || 'data'];
		const bytes = await engine.binary(file);
		text = (choice.gzip ? gunzipSync(bytes) : bytes).toString();
		const ending = `${outputAs.slice(0, outputAs === 'ndjson' ? 6 : 3)}${choice.gzip ? '.gz' : ''}`;
		const rowKind = rowsFor ? ENTRIES[rowsFor] : kind;
		expect(file.fileName).toBe(`${choice.fileName ? 'my rows' : oracle.nameOf(rowKind, range)}.${ending}`);
		const { fileName } = file;
		expect(json).toMatchObject({ fileName, bytes: bytes.length, rows: output.length, seconds: 0 });
		const failed = output.filter(({ transcriptError }) => typeof transcriptError === 'string').length;
		expect(json.failedTranscripts).toBe(choice.transcript && failed);
		const mimeType = outputAs === 'ndjson' ? 'application/x-ndjson' : 'text/csv';
		expect(file.mimeType).toBe(choice.gzip ? 'application/gzip' : mimeType);
		if (limit === 'all') {
			expect(json.droppedRows).toBe(users && sent.length - own.length);
			expect(json.filteredRows ?? 0).toBe(own.length - passing.length);
			const totals = Object.fromEntries(
				arrays.map((name) => [TOTALS[name], sent.filter(({ kind }) => kind === name).length]),
			);
			expect(json).toMatchObject(totals);
		}
		expect(json.complete).toBe(!isFallback && (limit === 'all' || passing.length <= limit));
		found = outputAs === 'ndjson' ? oracle.rowsIn(text) : output;
	}
	// Which of two arrays is first on a page is nowhere said.
	const isListed = isSorted || arrays.length === 1;
	const ordered = (all: IDataObject[]) => (isListed ? all : oracle.byId(all));
	const wanted = ordered(output);
	const isCut = choice.transcript === 'cut';
	const whole = (row: IDataObject, index: number) => ({
		...row,
		...(isCut && { transcript: uncut(row.transcript, wanted[index]?.transcript) }),
	});
	expect(ordered(found).map(whole)).toEqual(wanted);
	if (outputAs.startsWith('csv') && output.length > 0 && !isCut) {
		const transcript = choice.transcript ? ['transcript', 'transcriptError', 'transcriptWarning'] : [];
		const expected = oracle.csv(output, TABLES[arrays[0]], [...fields, ...transcript], {
			isExcel: outputAs === 'csvForExcel',
			isEscaped: choice.escapeFormulas === true,
			hasOthers: choice.output === 'raw' && !rowsFor,
		});
		const lines = (table: string) => (isListed ? table : table.split('\r\n').sort());
		expect(lines(text)).toEqual(lines(expected));
	}
	// Only what is returned is downloaded, and users are asked for once for each option that needs them.
	const asked = (path: string) => server.seen.filter(({ url }) => url.startsWith(path)).length;
	expect(asked('/words/')).toBe(choice.transcript ? rows.filter((row) => row.transcriptUrl).length : 0);
	expect(asked('/export/users')).toBe((choice.filters.teams ? 1 : 0) + (choice.addTeams ? 1 : 0));

	const hints = result.hints.map(({ message }) => message).join('\n');
	const isUndated = sent.some((row) => Number.isNaN(Date.parse(String(row[dateField]))));
	expect(/sees none of the users/.test(hints)).toBe(isFallback);
	expect(/so the order of the rows is unknown/.test(hints)).toBe(isSorted && isUndated);
	const misspelt = rows.length > 0 ? unknown.map((name) => `"${name}"`).join(', ') : '';
	expect(/^No row has the field (.*): check/m.exec(hints)?.[1] ?? '').toBe(misspelt);
	const teams = (choice.filters.teams ?? []) as string[];
	expect(/is in the teams "None"/.test(hints)).toBe(teams.includes('None'));
	if (rows.length === 0 && own.length > 0) {
		const searched = `from ${oracle.escaped(`${inWords(range)} (${zone})`)} `;
		const ways = [
			`None of ${own.length} ${kind} ${searched}`,
			`No .* ${searched}.*\\(${own.length} searched\\)`,
		];
		expect(hints).toMatch(new RegExp(`^(${ways.join('|')}|No \\w+ is named )`, 'm'));
	}
	if (sent.length === 0) {
		const whose = users ? ` for ${users.join(', ')}. Check their spelling and letter case` : '';
		const members = ` for the members of ${teams.join(', ')}`;
		const rowKind = `${kind}${choice.selectBy ? ' processed' : ''}`;
		const about = teams.length > 0 ? members : whose;
		expect(hints).toBe(`No ${rowKind} from ${inWords(range)} (${zone})${about}.`);
	}
	if (rowsFor && rows.length > 0 && output.length === 0) {
		const all = rows.flatMap((row) => entriesOf(rowsFor, row)).length;
		const conversations = `${rows.length} conversations has ${ENTRIES[rowsFor]}.`;
		expect(hints).toContain(`None of ${all > 0 ? `${all} ${ENTRIES[rowsFor]} from ` : conversations}`);
	}
	if (limit !== 'all' || rows.length === 0) return;
	// A member of a team was not asked for by name.
	const named = choice.filters.teams ? [] : (users ?? []);
	const missing = named.filter((email) => !own.some(({ user }) => user.email === email));
	const [, said = ''] = /^No .* for (".*")\. Check their spelling/m.exec(hints) ?? [];
	expect(said).toBe(missing.map((email) => `"${email}"`).join(', '));
}

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

for (const [name, factors] of Object.entries(FACTORS)) {
	const choices = choicesOf(factors).map((choice) => [JSON.stringify(set(choice)), choice] as const);
	// D1-CONV-02, D1-CONV-06..08, D1-CONV-10..20, D1-CONV-23..28, D1-RUSER-01, D1-RUSER-03, D1-VIEWER-01..04, D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
	// D1-REC-03, D1-REC-05..11, D1-RECORDING-01, D1-ERRORED-03..11, D1-ERRORED-13, D1-CONVENTION-01
	// D1-RECORDING-02, D1-EXP-01..02, D1-EXP-05, D1-RESP-06..08, D1-LIM-01
	test.each(choices)(`${name}: %s`, async (_text, choice) => {
		await expectRows(choice, name === 'recordings' ? 'recording' : 'conversation');
	});
}

test.each<[string, Partial<Choice>, ('conversation' | 'recording')?]>([
	[
		'a user whose rows a filter drops is not reported as one without rows',
		{ filters: { users: [ANA, BEN], text: 'ana díaz' } },
	],
	[
		'rows of others are counted although a filter drops them, too',
		{ filters: { users: [GHOST], outcome: 'unheard of' } },
	],
	[
		'a file of nobody counts all rows as dropped, read or not',
		{ filters: { users: [GHOST] }, outputAs: 'csv' },
	],
	['rows without a date are last, never among the newest', { size: 'page', limit: 3 }],
	['rows without a date are the last ones of the oldest, too', { size: 'page', sort: 'oldestFirst' }],
	['an empty list names its range and its users', { filters: { users: [DORA] } }],
	['an empty list says by which time', { filters: { users: [DORA] }, selectBy: 'processedDate' }],
	['an empty list names the teams', { filters: { users: [DORA], teams: ['t1'] }, limit: 3 }],
	[
		'an empty file says which rows there are none of',
		{ filters: { users: [DORA] }, outputAs: 'csv' },
		'recording',
	],
])('%s', async (_claim, choice, resource = 'conversation') => {
	await expectRows({ ...CHOICE, ...choice }, resource);
});
