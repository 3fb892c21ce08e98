import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { Export, type RowSource } from '../../../../nodes/ConversationIntelligence/getMany/export';
import { runList } from '../../../../nodes/ConversationIntelligence/getMany/list';
import type { ListRequest } from '../../../../nodes/ConversationIntelligence/getMany/request';
import { Item } from '../../../../nodes/shared/node/item';
import { RowFilter, type ConversationFilter } from '../../../../nodes/shared/selection/filters';
import { NODE, scriptedService } from '../../shared/http/scriptedService';

const ANA = 'ana@example.com';
const BEN = 'ben@example.com';
const CEM = 'cem@example.com';

interface Case {
	batches: unknown[][];
	request?: Partial<ListRequest>;
	source?: Partial<RowSource>;
	type?: string;
}

/** Runs a list whose source has these batches. */
async function run({ batches, request, source, type = NODE.type }: Case) {
	const { context } = scriptedService({ responses: [], node: { ...NODE, type } });
	Object.assign(context, { getInputData: () => [{ json: {} }] });
	const item = new Item(context, 0);
	const range = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-02-02T11:30:00.000Z' };
	const list = new Export(
		item,
		{ rowKind: 'conversations', emailOf: ({ email }: IDataObject) => email } as never,
		{ range, emptyTeams: [], maxRows: Infinity, order: 'newestFirst', ...request } as never,
		{
			async *batches() {
				yield* batches;
			},
			schema: z.object({ email: z.string() }),
			keptFields: [],
			check: { add: () => {}, mismatches: [] },
			summary: () => ({}),
			report: { total: batches.flat().length, isComplete: true },
			...source,
		},
	);
	const items = await runList(list);
	return { items: items.map(({ json }) => json), messages: item.hints.map(({ message }) => message) };
}

const of = (email: string | undefined, rows: number) =>
	Array.from({ length: rows }, () => ({ email, outcome: email }));

const users = [ANA];
const wants = (filter: ConversationFilter) => new RowFilter(filter);
const won = wants({ outcomes: ['won'] });
const none = (rowFilter: RowFilter): Case => ({ batches: [of(BEN, 1)], request: { rowFilter } });
const entries = {
	filter: won,
	rowKind: 'trackers',
	of: (row: IDataObject) => [row].filter((one) => won.passes(one)),
};
const RANGE = 'from 2026-02-01 01:00 to 2026-02-02 12:30 (Europe/Berlin)';
const EXAMPLE = 'one has "ben@example.com" for Outcome.';

test.each<[string, Case, unknown[], string]>([
	[
		'of 49 rows of other users is read on',
		{ batches: [of(BEN, 49), of(ANA, 1)], request: { users } },
		of(ANA, 1),
		'Dropped 49 rows of other users: 49 of ben@example.com.',
	],
	[
		'of 50 rows of other users ends, because the filter matched nobody',
		{ batches: [of(BEN, 50), of(ANA, 1)], request: { users } },
		[],
		'Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so 51 rows were dropped: 50 of ben@example.com.',
	],
	[
		'with one row of a requested user is read on, and names the others, those with the most rows first',
		{
			batches: [[...of(ANA, 1), ...of(BEN, 2), ...of(CEM, 57), ...of(undefined, 1)], of(ANA, 1)],
			request: { users },
		},
		of(ANA, 2),
		'Dropped 60 rows of other users: 57 of cem@example.com, 2 of ben@example.com, 1 of an unnamed user.',
	],
	[
		'with two filters names both, and one row that does not pass',
		none(wants({ outcomes: ['won'], minDuration: 60 })),
		[],
		`None of 1 conversations ${RANGE} passes Outcome "won", Minimum Duration (Seconds) 60: ${EXAMPLE}`,
	],
	[
		'that only searches words says where',
		none(wants({ text: 'Miller roof' })),
		[],
		`No conversation ${RANGE} has "Miller roof" in title, customer, rep, summary or CRM event ID (1 searched).`,
	],
	[
		'that only searches customers says where',
		none(wants({ customer: 'Miller' })),
		[],
		`No conversation ${RANGE} has "Miller" in the customer's name, email or phone (1 searched).`,
	],
	[
		'of entries that a filter drops names the filter',
		{ batches: [of(BEN, 1)], request: { entries } as never },
		[],
		`None of 1 trackers ${RANGE} passes Outcome "won": ${EXAMPLE}`,
	],
	[
		'of which no row passes shows one that has a value',
		{ batches: [[{ outcome: null }, ...of(BEN, 1)]], request: { rowFilter: wants({ outcomes: ['won'] }) } },
		[],
		`None of 2 conversations ${RANGE} passes Outcome "won": ${EXAMPLE}`,
	],
])('a list %s', async (_what, list, rows, message) => {
	expect(await run(list)).toEqual({ items: rows, messages: [message] });
});

test('a filter of the node: only rows that pass count for the limit, and reading stops there', async () => {
	const source = {
		async *batches() {
			yield* [of(BEN, 3), [...of(ANA, 2), ...of(BEN, 1)], of(ANA, 2)];
			throw new Error('Read on');
		},
		report: { total: 9, isComplete: true },
	};
	const request = { rowFilter: wants({ outcomes: [ANA] }), maxRows: 3 };
	expect(await run({ batches: [], source, request })).toEqual({
		items: of(ANA, 3),
		messages: [
			'The newest 3 conversations that pass Outcome "ana@example.com". 8 of 9 in the range were read, of which 4 pass: turn on Return All to get the rest.',
		],
	});
});

test('an agent that gets no rows is told why in one text', async () => {
	const report = { total: 0, isComplete: false, isUndated: true, unlisted: 2 };
	const { items } = await run({ batches: [], source: { report }, type: `${NODE.type}Tool` });
	const undated = 'Some rows have no date that can be read, so their order is not known.';
	const note = `${undated} The service counts 2 rows more than it lists. No conversations ${RANGE}.`;
	expect(items).toEqual([{ rows: 0, note }]);
});

test('rows with transcripts are made one at a time, so that those of a whole list never hold the event loop', async () => {
	const read: unknown[] = [];
	const row = () => new Proxy({ title: '' }, { get: (_row, name) => void read.push(name) });
	const request = { fields: ['title'], transcript: { asTurns: false, maxLength: 1 } };
	await run({ batches: [Array.from({ length: 50 }, row)], request });
	expect(read.lastIndexOf('title')).toBeGreaterThan(read.indexOf('conversationId'));
});
