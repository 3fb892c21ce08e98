import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { gunzipSync } from 'node:zlib';
import type { Unit } from '../../../nodes/ConversationIntelligence/getMany/dateRange';
import { previousOf } from '../../../nodes/ConversationIntelligence/getMany/metrics';
import type { DateRange } from '../../../nodes/shared/exportApi/client';
import { allPairs } from '../../support/allPairs';
import { scriptedExport } from './listing';
import { ANA, BEN, CEM, DORA, GHOST, listsOf, METRICS, NOW, serve } from './listsService';

/*
 * What options mean together: each run is compared with others of the node itself, which differ in one option. That one
 * option alone does what it says is proven by the tests of its own file.
 */

const LISTS = { page: listsOf('page'), pages: listsOf('pages') };
const { server, engine, run } = scriptedExport();
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

const each = (filters: Record<string, unknown[]>): IDataObject[] =>
	Object.entries(filters).flatMap(([name, values]) =>
		values.map((value) => ({ [name]: value }) as IDataObject),
	);
const OF_RECORDINGS = [
	...each({ users: [[ANA, DORA], [BEN, CEM, GHOST], [GHOST]], teams: [['t1'], ['South', 'None']] }),
	...each({ outcome: ['sold', '"No Show, late", lost'], outcomeIsNot: ['Sold'] }),
	...each({ minDuration: [90], noAppointment: [true] }),
];
const OF_CONVERSATIONS = [
	...OF_RECORDINGS,
	...each({ hasTranscript: [true], customer: ['zoe MÜLLER', "o'neil"], text: ['new roof', 'STRASSE 5'] }),
];
const OF_ENTRIES = [
	...each({ checklistNames: ['greeting', '"Price, terms"'], checklistScoreBelow: [1, 2] }),
	...each({ trackerNames: ['Tracker b1'], hitOrMissed: ['hit', 'missed'] }),
];

const RANGES: Record<string, INodeParameters> = {
	...{ thisMonth: { dateRange: 'thisMonth' }, last180Days: { dateRange: 'last180Days' } },
	days: { dateRange: 'custom', fromDate: '2026-03-02', toDate: '2026-04-01' },
	moments: { dateRange: 'custom', fromDate: '2026-03-05T08:00:00+05:30', toDate: '2026-04-02T09:15' },
};
/** Some rows have the first one, and none has the second: the documentation knows neither. */
const FIELDS = ['extra', 'duratoin', 'customFields', 'user', 'userName', 'audioUrl', 'outcome', 'title'];

/** What both lists of recordings have. */
const LIST = {
	size: ['pages', 'page'],
	range: Object.keys(RANGES),
	zone: ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'],
	limit: [Infinity, 3, 50, 400],
	sort: [undefined, 'newestFirst', 'oldestFirst'],
	outputAs: ['items', 'ndjson', 'csv', 'csvForExcel'],
	gzip: [false, true],
	field: ['', 'archive'],
	output: ['simplified', 'raw', 'selectedFields'],
};
const FACTORS = {
	conversations: {
		...LIST,
		filters: [{}, ...OF_CONVERSATIONS, ...OF_ENTRIES],
		selectBy: ['timeOfRecording', 'processedDate'],
		addTeams: [false, true],
		transcript: ['', 'text', 'turns', 'cut'],
	},
	entries: {
		...LIST,
		filters: [{}, ...OF_CONVERSATIONS, ...OF_ENTRIES],
		selectBy: ['timeOfRecording', 'processedDate'],
		rowsFor: ['checklists', 'trackers', 'viewers', 'surveyAnswers'],
	},
	recordings: { ...LIST, filters: [{}, ...OF_RECORDINGS] },
};
type Kind = keyof typeof FACTORS;
type Choice = ReturnType<typeof allPairs<typeof FACTORS.conversations & typeof FACTORS.entries>>[number];

/** Runs a list; without options, it returns all rows as the service sent them. */
async function read(kind: Kind, choice: Partial<Choice> & Pick<Choice, 'size' | 'range' | 'zone'>) {
	const { size, range, zone, limit = Infinity, outputAs = 'items', output = 'raw' } = choice;
	const { filters, selectBy, rowsFor, sort, gzip, field, addTeams, transcript } = choice;
	serve(server, LISTS[size as keyof typeof LISTS]);
	const { items, error } = await run(
		{
			...{ resource: kind === 'recordings' ? 'recording' : 'conversation' },
			...{ operation: kind === 'recordings' ? 'getMissing' : 'getAll', ...RANGES[range] },
			...{ filters, selectBy, rowsFor, output, fields: FIELDS, returnAll: limit === Infinity, limit },
			...(outputAs === 'items' ? { outputAs } : { outputAs: 'file', fileFormat: outputAs }),
			fileOptions: { gzip: gzip === true, binaryPropertyName: field ?? '' },
			options: {
				...(sort && { sort }),
				...(addTeams && { addTeams }),
				...(transcript && { includeTranscript: true }),
				...(transcript && { transcriptAs: transcript === 'turns' ? 'turns' : 'text' }),
				...(transcript === 'cut' && { maxTranscriptLength: 30 }),
			},
		},
		{ timezone: zone },
	);
	const code = (error?.context?.details as IDataObject | undefined)?.code;
	const asked = (path: string) => server.seen.filter(({ url }) => url.startsWith(path)).length;
	return {
		items,
		rows: items.map(({ json }) => json),
		code,
		downloads: asked('/words/'),
		users: asked('/export/users'),
	};
}

const idOf = (row: IDataObject) => String(row.recordingId ?? row.conversationId);
const FLAT: Record<string, [string, string]> = {
	...{ userName: ['user', 'name'], userEmail: ['user', 'email'], customerName: ['customer', 'name'] },
};
/** A field of a row as the service sent it, by its flat name. */
function valueIn(row: IDataObject, field: string): unknown {
	const [object, part] = FLAT[field] ?? [];
	return (
		(object === undefined || field in row ? row[field] : (row[object] as IDataObject | null)?.[part]) ?? null
	);
}
/** Fields that are made of others, which have tests of their own. */
const MADE = /^(transcript.*|checklistScores|hitTrackers|missedTrackers|urlsExpireAt)$/;

const withoutMade = (row: IDataObject) =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !MADE.test(name)));

async function expectRows(kind: Kind, choice: Choice) {
	const { size, range, zone, filters, selectBy, addTeams, sort, limit } = choice;
	const { outputAs, rowsFor, output, transcript } = choice;
	const base = { size, range, zone, filters, selectBy, addTeams };
	const all = await read(kind === 'entries' ? 'conversations' : kind, base);
	const entries = rowsFor === undefined ? undefined : await read(kind, { ...base, rowsFor });
	const found = await read(kind, choice);
	expect([found.code, all.code]).toEqual([undefined, undefined]);

	// Order and Limit. Rows without a date are last.
	const dateField = selectBy === 'processedDate' ? 'processedDate' : 'date';
	const sign = sort === 'oldestFirst' ? 1 : -1;
	const keyOf = (row: IDataObject) => sign * Date.parse(String(row[dateField])) || Infinity;
	const isSorted = sort !== undefined || limit < Infinity;
	const sorted = isSorted ? all.rows.toSorted((one, other) => keyOf(one) - keyOf(other) || 0) : all.rows;
	const wanted = sorted.slice(0, limit);
	const expected = entries
		? wanted.flatMap((row) =>
				entries.rows.filter(({ conversationId }) => conversationId === row.conversationId),
			)
		: wanted;

	// Downloads and users are only for what is returned.
	expect(found.downloads).toBe(transcript ? wanted.filter((row) => row.transcriptUrl).length : 0);
	expect(found.users).toBe((filters.teams ? 1 : 0) + (addTeams ? 1 : 0));

	let { rows } = found;
	if (outputAs !== 'items') {
		const [{ json, binary }] = found.items;
		const bytes = await engine.binary(binary![choice.field || 'data']);
		const text = (choice.gzip ? gunzipSync(bytes) : bytes).toString();
		expect(json).toMatchObject({ rows: expected.length, bytes: bytes.length });
		({ rows } = await read(kind, { ...choice, outputAs: 'items' }));
		const lines = outputAs === 'ndjson' ? text.split('\n') : text.split('\r\n').slice(1);
		expect(lines.pop()).toBe('');
		if (outputAs === 'ndjson') expect(lines.map((line) => JSON.parse(line) as IDataObject)).toEqual(rows);
		else expect(lines.map((line, index) => line.includes(idOf(rows[index])))).toEqual(rows.map(() => true));
	}
	// Which of two arrays is first on a page is nowhere said.
	const inOrder = (some: IDataObject[]) =>
		isSorted || kind !== 'recordings' ? some : some.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
	expect(inOrder(rows).map(withoutMade)).toEqual(
		inOrder(expected).map((row, index) => {
			const names = Object.keys(withoutMade(inOrder(rows)[index] ?? {}));
			return entries || output === 'raw'
				? withoutMade(row)
				: Object.fromEntries(names.map((name) => [name, valueIn(row, name)]));
		}),
	);
	for (const row of rows) {
		const names = Object.keys(row);
		if (!entries && output === 'selectedFields') expect(names).toEqual(expect.arrayContaining(FIELDS));
		if (addTeams) expect(names).toEqual(expect.arrayContaining(['teamNames', 'teamIds']));
		if (!transcript) continue;
		const kindOf = Array.isArray(row.transcript) ? 'turns' : row.transcript === null ? 'none' : 'text';
		const has = wanted.find((one) => idOf(one) === idOf(row) || one.conversationId === row.conversationId)!;
		expect(kindOf).toBe(!has.transcriptUrl ? 'none' : transcript === 'turns' ? 'turns' : 'text');
		if (transcript === 'cut' && kindOf === 'text') expect(row.transcript).toMatch(/^[^]{1,30}\n\[Cut: /);
	}
}

for (const kind of Object.keys(FACTORS) as Kind[]) {
	const choices = allPairs(FACTORS[kind] as typeof FACTORS.conversations) as Choice[];
	// D1-CONV-02, D1-CONV-06..08, D1-CONV-10..20, D1-CONV-23..28, D1-RUSER-01, D1-RUSER-03, D1-VIEWER-01..04, D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
	// D1-REC-03, D1-REC-05..11, D1-RECORDING-01, D1-ERRORED-03..11, D1-ERRORED-13, D1-CONVENTION-01
	// D1-RECORDING-02, D1-EXP-01..02, D1-EXP-05, D1-RESP-06..08, D1-LIM-01
	test.each(choices.map((choice) => [JSON.stringify(choice), choice] as const))(
		`each option of ${kind} changes only what it says: %s`,
		async (_text, choice) => await expectRows(kind, choice),
	);
}

test('each filter keeps some of all rows, and users and teams together those of both', async () => {
	const AT = { size: 'pages', range: 'last180Days', zone: 'Asia/Kathmandu' };
	const idsBy = async (filters: IDataObject) =>
		(await read('conversations', { ...AT, filters })).rows.map(idOf);
	const all = await idsBy({});
	for (const filters of [...OF_CONVERSATIONS, ...OF_ENTRIES]) {
		const { length } = await idsBy(filters);
		const isForSomebody = String(filters.users) !== GHOST;
		expect([filters, length < all.length, length > 0]).toEqual([filters, true, isForSomebody]);
	}
	const [users, teams] = [[BEN, CEM], ['South']];
	const [own, ofTeam] = [await idsBy({ users }), await idsBy({ teams })];
	const both = own.filter((id) => ofTeam.includes(id));
	expect(both.length).toBeLessThan(Math.min(own.length, ofTeam.length));
	expect(await idsBy({ users, teams })).toEqual(both);
});

const UNITS: Record<string, Unit | undefined> = {
	...{ yesterday: 'day', thisWeek: 'week', weekBeforeLast: 'week', thisMonth: 'month', lastMonth: 'month' },
};
const METRICS_FACTORS = {
	resource: ['user', 'team'] as const,
	range: ['yesterday', 'last7Days', 'thisWeek', 'weekBeforeLast', 'thisMonth', 'lastMonth', 'days'],
	zone: ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'],
	splitBy: ['none', 'day', 'week', 'month'],
	compareWith: ['none', 'previousPeriod'],
	output: ['simplified', 'raw', 'selectedFields'],
	outputAs: ['items', 'ndjson'],
	filters: [
		{},
		{ users: [ANA, DORA] },
		{ activeOnly: true },
		{ teams: ['t1'] },
		{ teams: ['South', 'None'] },
	],
};

// D1-TEAM-01..30, D1-USER-01, D1-USER-03..04, D1-USER-06..41, D1-MEMBER-01..02, D1-COACH-01..08
test.each(allPairs(METRICS_FACTORS).map((choice) => [JSON.stringify(choice), choice] as const))(
	'metrics of each period are those of its own range, and of the range before: %s',
	async (_text, choice) => {
		const { resource, range, zone, outputAs, output, filters: given, ...own } = choice;
		const filters: IDataObject = { ...given };
		if (resource === 'team') for (const name of ['users', 'activeOnly']) delete filters[name];
		const rowsOf = async (parameters: object) => {
			serve(server);
			const found = await run({ resource, operation: 'getAll', filters, ...parameters }, { timezone: zone });
			expect(found.error).toBeUndefined();
			if ((parameters as IDataObject).outputAs !== 'file') return found.items.map(({ json }) => json);
			const text = (await engine.binary(found.items[0].binary!.data)).toString();
			return text
				.split('\n')
				.filter(Boolean)
				.map((line) => JSON.parse(line) as IDataObject);
		};
		const when = RANGES[range] ?? { dateRange: range };
		const chosen = { ...own, output, fields: ['parentTeamId', 'teams', 'talkRatioAverage', 'name'] };
		const as = outputAs === 'items' ? { outputAs } : { outputAs: 'file', fileFormat: outputAs };
		const rows = await rowsOf({ ...when, ...chosen, ...as });
		expect(resource === 'team' || rows.length > 0).toBe(true);
		const asked = server.seen.map(({ body }) => `${String(body?.fromDate)} ${String(body?.toDate)}`);
		// A period can be the one before another. Who is in a team is asked for besides.
		const ofPeriods = asked.slice(resource === 'user' && filters.teams ? 2 : 0);
		expect(new Set(ofPeriods).size).toBe(ofPeriods.length);
		const isCompared = own.compareWith !== 'none';
		const id = `${resource}Id`;
		const unit = own.splitBy === 'none' ? UNITS[range] : (own.splitBy as Unit);
		for (const { fromDate, toDate, ...row } of rows) {
			const alone = await rowsOf({ dateRange: 'custom', fromDate, toDate, output: 'raw' });
			const same = alone.find((one) => one[id] === row[id])!;
			const metrics = METRICS[`${resource}s`].filter((name) => name in row);
			for (const name of metrics) expect([name, row[name]]).toEqual([name, same[name]]);
			expect([row.name, row[id]]).toEqual([same.name, same[id]]);
			expect(`${metrics[0]}Previous` in row).toBe(isCompared);
			if (!isCompared) continue;
			const previous = previousOf({ fromDate, toDate } as DateRange, unit, zone);
			expect(asked).toContain(Object.values(previous).join(' '));
			const earlier = await rowsOf({ dateRange: 'custom', ...previous, output: 'raw' });
			const old = earlier.find((one) => one[id] === row[id]);
			for (const name of metrics) {
				const [now, was] = [row[name], old?.[name] ?? null] as Array<number | null>;
				const change = now === null || was === null ? null : Math.round((now - was) * 1e4) / 1e4;
				expect([row[`${name}Previous`], row[`${name}Change`]]).toEqual([was, change]);
			}
		}
	},
);

test.each([
	['user', 'talkRatioAverage'],
	['user', 'conversationsRecorded'],
	['team', 'clipsCreated'],
])(
	'%s rows of each period are sorted by %s, highest first, without a value last',
	async (resource, sortBy) => {
		serve(server);
		const list = { resource, ...RANGES.days, splitBy: 'week', output: 'raw' };
		const rowsOf = async (parameters: object) =>
			(await run({ ...list, ...parameters })).items.map(({ json }) => json);
		const keyOf = (row: IDataObject) => (typeof row[sortBy] === 'number' ? -row[sortBy] : Infinity);
		const periodOf = ({ fromDate }: IDataObject) => Date.parse(String(fromDate));
		const listed = await rowsOf({});
		expect(listed.map(keyOf)).toContain(Infinity);
		const compare = (a: IDataObject, b: IDataObject) => periodOf(a) - periodOf(b) || keyOf(a) - keyOf(b) || 0;
		expect(await rowsOf({ sortBy })).toEqual(listed.toSorted(compare));
	},
);
