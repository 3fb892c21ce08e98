import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { openList, type RowSource } from '../../../../nodes/ConversationIntelligence/getMany/listPipeline';
import { completeness } from '../../../../nodes/ConversationIntelligence/getMany/hints';
import { runList } from '../../../../nodes/ConversationIntelligence/getMany/list';
import type { ListRequest } from '../../../../nodes/ConversationIntelligence/getMany/listRequest';
import { Item } from '../../../../nodes/shared/node/item';
import { RowFilter, type ConversationFilter } from '../../../../nodes/shared/selection/filters';
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
}

/** Runs a list whose source has these batches of rows; `unread` ones must not be asked for. */
async function run(batches: unknown[][], { request, report, parameters, isTool = false }: Case = {}) {
	const node = { ...NODE, type: `${NODE.type}${isTool ? 'Tool' : ''}` };
	const { context } = scriptedService({ responses: [], node, parameters });
	const item = new Item(Object.assign(context, { getInputData: () => [{ json: {} }] }), 0);
	const range = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-02-02T11:30:00.000Z' };
	const list = openList(
		item,
		{ rowKind: 'conversations', emailOf: ({ email }: IDataObject) => email } as never,
		{ range, emptyTeams: [], maxRows: Infinity, order: 'newestFirst', ...request } as never,
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
			report: { total: batches.flat().length, isComplete: true, ...report },
		},
	);
	const items = (await runList(list)).map(({ json }) => json);
	return { items, messages: item.hints.map(({ message }) => message), complete: completeness(list) };
}

interface Asked {
	users?: string[];
	maxRows?: number;
	filter?: ConversationFilter;
	/** The entries of each row, of which those with the outcome "won" are wanted. */
	entries?: string;
}
const ANA: Asked = { filter: { outcomes: ['ana'] }, maxRows: 3 };
const WON = { outcomes: ['won'] };
const RANGE = 'from 2026-02-01 01:00 to 2026-02-02 12:30 (Europe/Berlin)';
const ONE = 'one has "ben" for Outcome.';
const THREE = 'newest 3 conversations that pass Outcome "ana"';
const REST = 'turn on Return All to get the rest.';
const NOBODY =
	'Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so 51 rows were dropped: 50 of ben.';
const WORDS = 'title, customer, rep, summary or CRM event ID (1 searched).';
const OTHERS = 'Dropped 60 rows of other users: 57 of cem, 2 of ben, 1 of an unnamed user.';

test.each<[string, Asked, string]>([
	['49 Ana; 1 ana', { users: ['ana'] }, 'Dropped 49 rows of other users: 49 of Ana.'],
	// 50 rows show that the filter matched nobody, so the next ones are not read.
	['50 ben; 1 unread', { users: ['ana'] }, NOBODY],
	['1 ana, 2 ben, 57 cem, 1; 1 ana', { users: ['ana'] }, OTHERS],
	['1, 1 ben', { filter: WON }, `None of 2 conversations ${RANGE} passes Outcome "won": ${ONE}`],
	[
		'1 ben',
		{ filter: { ...WON, minDuration: 60 } },
		`None of 1 conversations ${RANGE} passes Outcome "won", Minimum Duration (Seconds) 60: ${ONE}`,
	],
	['1 ben', { filter: { text: 'A roof' } }, `No conversation ${RANGE} has "A roof" in ${WORDS}`],
	[
		'1 ben',
		{ filter: { customer: 'Miller' } },
		`No conversation ${RANGE} has "Miller" in the customer's name, email or phone (1 searched).`,
	],
	['1 ben', { entries: '1 ben' }, `None of 1 trackers ${RANGE} passes Outcome "won": ${ONE}`],
	['1 ben', { entries: '0' }, 'None of 1 conversations has trackers.'],
	['3 ana, 6 ben', ANA, 'All 3 conversations that pass Outcome "ana", of 9 in the range.'],
	['5 ana, 4 ben', ANA, `The ${THREE.replace('3', '3 of 5')}, of 9 in the range: ${REST}`],
	[
		'3 ben; 2 ana, 1 ben; 2 ana; 1 unread',
		ANA,
		`The ${THREE}. 8 of 9 in the range were read, of which 4 pass: ${REST}`,
	],
])('of %s, with %j, returns those of ana up to the limit, and says: %s', async (text, asked, message) => {
	const batches = text.split('; ').map(rowsOf);
	const { users, maxRows = Infinity, filter } = asked;
	const won = new RowFilter({ outcomes: ['won'] });
	const of = () => rowsOf(asked.entries ?? '').filter((row) => won.passes(row));
	const entries = asked.entries ? { filter: won, rowKind: 'trackers', columns: [], of } : undefined;
	const request = { users, maxRows, rowFilter: filter && new RowFilter(filter), entries };
	const { items, messages } = await run(batches, { request });
	const own = batches.flat().filter(({ email }) => email === 'ana');
	expect([items, messages]).toEqual([own.slice(0, maxRows), [message]]);
});

test('an agent that gets no rows is told why in one text, and a file says why it is not complete', async () => {
	const report = { total: 0, isComplete: false, isUndated: true, paged: 'unsettled', unlisted: 2 } as const;
	const { items, complete } = await run([], { report, isTool: true });
	const reason =
		'Some rows have no date that can be read, so their order is not known. More than 50 rows could not be separated by date, so they were read in pages. They changed meanwhile, so some of them may be missing. The service counts 2 rows more than it lists.';
	expect(items).toEqual([{ rows: 0, note: `${reason} No conversations ${RANGE}.` }]);
	expect(complete).toEqual({ complete: false, reason });
});

test('only the first rows are compared with the documentation', async () => {
	const { messages } = await run([[], [{ email: 5 }], [{ email: 5 }]]);
	expect(messages).toEqual([
		'These fields do not match the API documentation: email. Rows are returned unchanged.',
	]);
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
