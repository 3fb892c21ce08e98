import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { z } from 'zod';
import { openList, type RowSource } from '../../../../nodes/ConversationIntelligence/getMany/listPipeline';
import { runList } from '../../../../nodes/ConversationIntelligence/getMany/list';
import type { ListRequest } from '../../../../nodes/ConversationIntelligence/getMany/listRequest';
import { Item } from '../../../../nodes/shared/node/item';
import type { ConversationFilter } from '../../../../nodes/shared/selection/filterRules';
import { RowFilter } from '../../../../nodes/shared/selection/filters';
import { NODE, scriptedService } from '../../shared/http/scriptedService';

/** Rows such as `2 ana, 1 ben`; a row has its user as its outcome, too. */
const rowsOf = (text: string) =>
	text.split(', ').flatMap((part) => {
		const [, count, email = null] = /^(\d*) ?(\w+)?$/.exec(part)!;
		return Array.from({ length: Number(count) }, () => ({ email, outcome: email }));
	});

interface Case {
	request?: Partial<ListRequest>;
	report?: Partial<RowSource['report']>;
	parameters?: IDataObject;
	isTool?: boolean;
	asFile?: boolean;
	mode?: WorkflowExecuteMode;
	/** From the end of the range to the start of the run. */
	hoursLater?: number;
}

const END = '2026-02-02T11:30:00.000Z';

/** Runs a list whose source has these batches of rows; `unread` ones must not be asked for. */
async function run(batches: unknown[][], { request, report, hoursLater = 1, ...more }: Case = {}) {
	const { parameters, isTool = false, asFile = false, mode = 'manual' } = more;
	const type = `${NODE.type}${isTool ? 'Tool' : ''}`;
	const node = { ...NODE, type, parameters: (parameters ?? {}) as INodeParameters };
	const { context } = scriptedService({ responses: [], node, parameters });
	const prepareBinaryData = async (bytes: AsyncIterable<unknown>, fileName: string) => {
		const chunks: unknown[] = [];
		for await (const chunk of bytes) chunks.push(chunk);
		return { fileName };
	};
	const logged: string[] = [];
	Object.assign(context, {
		getInputData: () => [{ json: {} }],
		getMode: () => mode,
		getWorkflow: () => ({ id: 'w1' }),
		logger: { warn: (line: string) => logged.push(line) },
		helpers: { ...context.helpers, prepareBinaryData },
	});
	const item = new Item(context, 0, Date.parse(END) + hoursLater * 3_600_000);
	const range = { fromDate: '2026-02-01T00:00:00.000Z', toDate: END };
	const file = asFile ? { format: 'ndjson', ending: 'ndjson', fileName: '', field: 'data' } : undefined;
	const list = openList(
		item,
		{ rowKind: 'conversations', emailOf: ({ email }: IDataObject) => email } as never,
		{ range, emptyTeams: [], maxRows: Infinity, order: 'newestFirst', file, ...request } as never,
		{
			async *batches() {
				for (const batch of batches) {
					expect(batch).not.toContainEqual(expect.objectContaining({ email: 'unread' }));
					yield batch;
				}
			},
			schema: z.object({ email: z.string().nullable() }),
			keptFields: [],
			summary: () => ({}),
			report: { total: batches.flat().length, ...report },
		},
	);
	const items = (await runList(list)).map(({ json }) => json);
	return { items, messages: item.hints.map(({ message }) => message), logged };
}

interface Asked {
	users?: string[];
	teams?: string[];
	maxRows?: number;
	filter?: ConversationFilter;
	/** The entries of each row, of which those with the outcome "won" are wanted. */
	entries?: string;
}
const ANA: Asked = { filter: { outcome: ['ana'] }, maxRows: 3 };
const USER: Asked = { users: ['ana'], maxRows: 3 };
const WON = { outcome: ['won'] };
const RANGE = 'from 2026-02-01 01:00 to 2026-02-02 12:30 (Europe/Berlin)';
const NO_WON = 'No outcome is named "won".';
const REST = 'turn on Return All to get the rest.';
const NOBODY =
	'The API key sees none of the users in the filter: check the spelling and letter case of their emails. The service returned the rows of all users instead, so the node dropped 51 rows. They belong to "ben".';
const OTHERS = 'Dropped 60 rows of other users: "ben", "cem", null.';

test.each<[string, Asked, ...string[]]>([
	['49 Ana; 1 ana', { users: ['ana'] }, 'Dropped 49 rows of other users: "Ana".'],
	// 50 rows show that the filter matched nobody, so the next ones are not read.
	['50 ben; 1 unread', { users: ['ana'] }, NOBODY],
	['1 ana, 2 ben, 57 cem, 1; 1 ana', { users: ['ana'] }, OTHERS],
	[
		'1, 2 ben',
		{ filter: WON },
		`None of 3 conversations ${RANGE} passes Outcome "won". ${NO_WON} Existing names: "ben". (2 outcomes searched)`,
	],
	[
		'1 won, 1 ben',
		{ filter: { ...WON, minDuration: 60 } },
		`None of 2 conversations ${RANGE} passes Outcome "won", Minimum Duration (Seconds) 60: for example, one has "ben" in Outcome.`,
	],
	[
		'1 ana',
		{ filter: { outcome: ['ana', 'an'] } },
		'No outcome is named "an". Did you mean "ana"? (1 outcome searched)',
	],
	['1 ben', { filter: { text: 'A roof' } }, `None of 1 conversations ${RANGE} passes Search Words "A roof".`],
	[
		'1 ben',
		{ entries: '1 ben' },
		`None of 1 trackers ${RANGE} passes Outcome "won". ${NO_WON} Existing names: "ben". (1 outcome searched)`,
	],
	['1 ben', { entries: '0' }, 'None of 1 conversations has trackers.'],
	['0', {}, `No conversations ${RANGE}.`],
	['0', { users: ['ana'] }, `No conversations ${RANGE} for ana. Check their spelling and letter case.`],
	['0', { users: ['ana'], teams: ['West'] }, `No conversations ${RANGE} for the members of West.`],
	['1 ana', { users: ['ana', 'dora'] }, 'No conversations for "dora". Check their spelling and letter case.'],
	['1 ana', { users: ['ana', 'dora'], teams: ['West'] }],
	['4 ana', { maxRows: 4 }],
	['4 ana', { maxRows: 3 }, `These are the newest 3 of 4 conversations in the date range: ${REST}`],
	['4 ana', USER, `These are the newest 3 of 4 conversations of the chosen users in the date range: ${REST}`],
	[
		'4 ana',
		{ ...USER, teams: ['West'] },
		`These are the newest 3 of 4 conversations of the members of "West" in the date range: ${REST}`,
	],
	[
		'2 ana; 1 unread',
		{ filter: { outcome: ['ana', 'won'] }, maxRows: 2 },
		`These are the newest 2 that pass Outcome "ana", "won". 2 of 3 conversations in the date range were read, and 2 of them pass: ${REST}`,
	],
	['3 ana, 6 ben', ANA],
	[
		'5 ana, 4 ben',
		ANA,
		`These are the newest 3 that pass Outcome "ana". 9 of 9 conversations in the date range were read, and 5 of them pass: ${REST}`,
	],
	[
		'3 ben; 2 ana, 1 ben; 2 ana; 1 unread',
		ANA,
		`These are the newest 3 that pass Outcome "ana". 8 of 9 conversations in the date range were read, and 4 of them pass: ${REST}`,
	],
])('of %s, with %j, returns those of ana up to the limit, and says: %s', async (text, asked, ...notes) => {
	const batches = text.split('; ').map(rowsOf);
	const { users, teams, maxRows = Infinity, filter } = asked;
	const won = new RowFilter({ outcome: ['won'] });
	const of = () => rowsOf(asked.entries ?? '').filter((row) => won.passes(row));
	const entries = asked.entries ? { filter: won, rowKind: 'trackers', columns: [], of } : undefined;
	const request = { users, teams, maxRows, rowFilter: filter && new RowFilter(filter), entries };
	const { items, messages } = await run(batches, { request });
	const own = batches.flat().filter(({ email }) => email === 'ana');
	expect([items, messages]).toEqual([own.slice(0, maxRows), notes]);
});

test.each([
	['49 Ana; 1 ana', 49],
	// The service's total, because the rows after these 50 are not read.
	['50 ben; 1 unread', 51],
])('a file of %s for ana says how many rows were dropped', async (text, droppedRows) => {
	const { items } = await run(text.split('; ').map(rowsOf), { asFile: true, request: { users: ['ana'] } });
	expect(items).toMatchObject([{ droppedRows }]);
});

const UNSETTLED =
	'More than 50 rows have the same date and changed while they were read, so some of them may be missing.';
const UNDATED = 'Some rows have no readable date, so the order of the rows is unknown.';
const COUNTED = 'The service counted rows that it did not return: 2.';

test('an agent without rows reads in one text why and which day it is, and a file says why it is incomplete', async () => {
	const report = { total: 0, isUndated: true, paged: 'unsettled', unlisted: 2 } as const;
	const { items } = await run([], { report, isTool: true });
	const empty = `No conversations ${RANGE}.`;
	const note = `${UNSETTLED} ${COUNTED} ${UNDATED} ${empty} Today is Monday, 2026-02-02 (Europe/Berlin).`;
	expect(items).toEqual([{ rows: 0, note }]);
	const { items: files, logged } = await run([], { report, asFile: true, mode: 'trigger' });
	const incompleteReason = `${UNSETTLED} ${COUNTED}`;
	expect(files).toMatchObject([{ complete: false, incompleteReason, warnings: [UNDATED, empty] }]);
	expect(logged).toHaveLength(4);
});

const emails = fc.constantFrom('ana', 'ben', 'cem', null);
const someRows = fc.array(
	emails.map((email) => ({ email, outcome: email })),
	{ maxLength: 4 },
);

test('a complete file has every wanted row, and an incomplete one says why, in the log too', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(someRows, { maxLength: 4 }),
			fc.record({
				users: fc.option(fc.constantFrom<string[]>(['ana'], ['ana', 'ben'], ['dora']), { nil: undefined }),
				outcome: fc.option(fc.constantFrom<string[]>(['ana'], ['cem']), { nil: undefined }),
				maxRows: fc.constantFrom(1, 2, 5, Infinity),
			}),
			fc.record({
				unlisted: fc.constantFrom(0, 0, 0, 3),
				paged: fc.constantFrom(undefined, 'settled' as const, 'unsettled' as const),
			}),
			async (batches, { users, outcome, maxRows }, { unlisted, paged }) => {
				const rowFilter = outcome && new RowFilter({ outcome });
				const all = batches.flat();
				const report = { total: all.length + unlisted, unlisted, paged };
				const request = { users, rowFilter, maxRows };
				const found = await run(batches, { request, report, asFile: true, mode: 'trigger' });
				const own = all.filter(({ email }) => users?.includes(String(email)) ?? true);
				const wanted = own.filter(({ email }) => outcome?.includes(String(email)) ?? true);
				const [{ rows, complete, incompleteReason }] = found.items;
				const isExact = unlisted === 0 && paged !== 'unsettled' && (own.length > 0 || all.length === 0);
				expect(rows).toBe(Math.min(wanted.length, maxRows));
				// If as many rows as Limit were found, others can be unread.
				const isKnown = wanted.length !== maxRows;
				expect(complete).toBe(isExact && (isKnown ? wanted.length < maxRows : complete));
				expect(incompleteReason).toEqual(complete ? null : expect.stringMatching(/\.$/));
				const logged = found.logged.map((line) => line.slice('w1: Export: '.length)).join(' ');
				if (!complete) expect(logged).toContain(String(incompleteReason));
			},
		),
	);
});

const LATE =
	'Recordings of these days that are uploaded later are missing: to export them on a schedule, set Filter Dates By to Processing Time.';

test.each<[Case & { dateType?: ListRequest['dateType'] }, string[]]>([
	[{}, [LATE]],
	[{ mode: 'webhook', hoursLater: 47 }, [LATE]],
	[{ hoursLater: -5 }, [LATE]],
	[{ hoursLater: 48 }, []],
	[{ mode: 'manual' }, []],
	[{ dateType: 'processedDate' }, []],
])(
	'a range of the last two days by recording time misses late uploads on a schedule: %j',
	async (asked, notes) => {
		const { dateType = 'timeOfRecording', mode = 'trigger', ...more } = asked;
		const whole = { ...more, mode, request: { dateType } };
		const { logged, messages } = await run([rowsOf('1 ana')], whole);
		expect([messages, logged]).toEqual([notes, notes.map((note) => `w1: Export: ${note}`)]);
		const { items } = await run([rowsOf('1 ana')], { ...whole, asFile: true });
		expect(items).toMatchObject([{ complete: true, incompleteReason: null, warnings: notes }]);
		const tool = await run([rowsOf('1 ana')], { ...whole, isTool: true });
		expect(tool.messages).toEqual([]);
	},
);

const DATES = { fromDate: '2026-01-01', toDate: "={{ $fromAI('to_date', `Last day`, 'string', '') }}" };
const row = (date: string) => ({ email: 'ana', date, processedDate: '2026-01-09T00:00:00Z' });
const A_PERSON = 'to get the rest, a person must set a higher Limit or a filter.';

test.each<[IDataObject, Partial<ListRequest>, string, string]>([
	[
		DATES,
		{ dateType: 'processedDate' },
		'2026-01-05',
		'search again with the To Date 2026-01-09T00:00:00.000Z to get the rest.',
	],
	[DATES, {}, 'soon', 'search again with an earlier To Date to get the rest.'],
	[{ ...DATES, toDate: '2026-01-31' }, {}, '2026-01-05', A_PERSON],
])(
	'an agent is told how to get the rows after its limit: %j, %j, %s',
	async (parameters, asked, date, advice) => {
		const request = { maxRows: 2, ...asked };
		const rows = [row('2026-01-06'), row(date), row('2026-01-01')];
		const { items } = await run([rows], { parameters, request, isTool: true });
		expect(items[2].note).toContain(
			`These are the newest 2 of 3 conversations in the date range: ${advice} Today is`,
		);
	},
);

test.each([
	[3, 3, 0],
	[2, '={{ 2 }}', 1],
	[2, 3, 1],
])(
	'with %i rows and the Limit %j, n8n says that there are more, or the node does',
	async (maxRows, limit, hints) => {
		const { messages } = await run([rowsOf('4 ana')], { request: { maxRows }, parameters: { limit } });
		expect(messages).toHaveLength(hints);
	},
);

test('only the first rows are compared with the documentation', async () => {
	const { messages } = await run([[], [{ email: 5 }], [{ email: 5 }]]);
	expect(messages).toEqual([
		'These fields do not match the API documentation: email. Rows are returned unchanged.',
	]);
});

test('half of a character never leaves in a row, whatever its fields', async () => {
	const row = { email: 'ana', title: 'A \ud83d', customFields: { '\udc00': ['\ud83c\udfe0'] } };
	const { items } = await run([[row]]);
	expect(items).toEqual([{ email: 'ana', title: 'A \ufffd', customFields: { '\ufffd': ['🏠'] } }]);
});

const PICKED = 'To Date is the first moment of 2026-03-31, so that day is not included: pick the day after.';
const PICKED_DATES = [
	...['2026-03-31T00:00:00', '2026-03-31 00:00', '2026-03-31T00:00:00.000+02:00'],
	DateTime.fromISO('2026-03-31', { zone: 'UTC' }) as never,
];
const OTHER_DATES = ['', '2026-03-31', '2026-03-31T00:00:01', '2026-03-31T10:00', '2026-03-31T00:00:00Z'];
test.each([
	...PICKED_DATES.map((toDate) => [toDate, [PICKED]] as const),
	...OTHER_DATES.map((toDate) => [toDate, []] as const),
])(
	'the To Date %s says that its day is not included if it is a midnight that was picked',
	async (toDate, notes) => {
		const messagesOf = async (dateRange: string) =>
			(await run([rowsOf('1 ana')], { parameters: { dateRange, toDate } })).messages;
		expect(await messagesOf('custom')).toEqual(notes);
		expect(await messagesOf('today')).toEqual([]);
	},
);

test('rows with transcripts are made one at a time, so that those of a whole list never hold the event loop', async () => {
	const read: unknown[] = [];
	const row = () => new Proxy({ title: '' }, { get: (_row, name) => void read.push(name) });
	const request = { fields: ['title'], transcript: { asTurns: false, maxLength: 1 } };
	await run([Array.from({ length: 50 }, row)], { request });
	expect(read.lastIndexOf('title')).toBeGreaterThan(read.indexOf('conversationId'));
});
