import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { ListRequest } from '../../../../nodes/ConversationIntelligence/getMany/request';
import { RowFilter, type ConversationFilter } from '../../../../nodes/shared/selection/filters';
import { Export, type RowSource } from '../../../../nodes/ConversationIntelligence/getMany/export';
import { runList } from '../../../../nodes/ConversationIntelligence/getMany/list';
import { Item } from '../../../../nodes/shared/node/item';
import { NODE, scriptedService } from '../../shared/http/scriptedService';

const ANA = 'ana@example.com';
const BEN = 'ben@example.com';
const CEM = 'cem@example.com';
const LIST = {
	rowKind: 'conversations',
	schema: z.object({}),
	emailOf: ({ email }: IDataObject) => email,
} as never;

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
	const list = new Export(
		item,
		LIST,
		{
			range: { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-02-02T11:30:00.000Z' },
			emptyTeams: [],
			maxRows: Infinity,
			order: 'newestFirst',
			...request,
		} as ListRequest,
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

describe('A list with a users filter', () => {
	const request = { users: [ANA] };

	test('is read on while fewer than 50 rows are of other users', async () => {
		const { items } = await run({ batches: [of(BEN, 49), of(ANA, 1)], request });
		expect(items).toEqual(of(ANA, 1));
	});

	test('ends with 50 rows of other users, because the filter matched nobody', async () => {
		const { items, messages } = await run({ batches: [of(BEN, 50), of(ANA, 1)], request });
		expect(items).toEqual([]);
		expect(messages).toEqual([
			'Check the spelling and case of the user emails: this API key sees none of them. The service returned all its users instead, so 51 rows were dropped: 50 of ben@example.com.',
		]);
	});

	test('is read on after one row of a requested user, and names the others, those with the most rows first', async () => {
		const { items, messages } = await run({
			batches: [[...of(ANA, 1), ...of(BEN, 2), ...of(CEM, 57), ...of(undefined, 1)], of(ANA, 1)],
			request,
		});
		expect(items).toEqual(of(ANA, 2));
		expect(messages).toEqual([
			'Dropped 60 rows of other users: 57 of cem@example.com, 2 of ben@example.com, 1 of an unnamed user.',
		]);
	});
});

test('a filter of the node: only rows that pass count for the limit, and reading stops there', async () => {
	const source = {
		async *batches() {
			yield* [of(BEN, 3), [...of(ANA, 2), ...of(BEN, 1)], of(ANA, 2)];
			throw new Error('Read on');
		},
		report: { total: 9, isComplete: true },
	};
	const request = { rowFilter: new RowFilter({ outcomes: [ANA] }), maxRows: 3 };
	const { items, messages } = await run({ batches: [], source, request });

	expect(items).toEqual(of(ANA, 3));
	expect(messages).toEqual([
		'The newest 3 conversations that pass Outcome "ana@example.com". 8 of 9 in the range were read, of which 4 pass: turn on Return All to get the rest.',
	]);
});

describe('The hints of a list', () => {
	test.each([
		[10, ''],
		[20, ' and 10 more'],
	])('name at most ten of %i fields that do not match the documentation', async (count, more) => {
		const mismatches = Array.from({ length: count }, (_, n) => `f${n} is missing`);
		const { messages } = await run({
			batches: [of(ANA, 1)],
			source: { check: { add: () => {}, mismatches } },
		});
		expect(messages).toEqual([
			`Unexpected data: ${mismatches.slice(0, 10).join('; ')}${more}. Rows are returned unchanged.`,
		]);
	});

	const wants = (filter: ConversationFilter) => new RowFilter(filter);
	const filter = wants({ outcomes: ['won'] });
	const entries = {
		filter,
		rowKind: 'trackers',
		of: (row: IDataObject) => [row].filter((one) => filter.passes(one)),
	} as never;
	const RANGE = 'from 2026-02-01 01:00 to 2026-02-02 12:30 (Europe/Berlin)';
	test.each<[string, Partial<ListRequest>, string]>([
		[
			'conversations',
			{ rowFilter: wants({ outcomes: ['won'], minDuration: 60 }) },
			`None of 1 conversations ${RANGE} passes Outcome "won", Minimum Duration (Seconds) 60: one has "ben@example.com" for Outcome.`,
		],
		[
			'conversations',
			{ rowFilter: wants({ text: 'Miller roof' }) },
			`No conversation ${RANGE} has "Miller roof" in title, customer, rep, summary or CRM event ID (1 searched).`,
		],
		[
			'conversations',
			{ rowFilter: wants({ customer: 'Miller' }) },
			`No conversation ${RANGE} has "Miller" in the customer's name, email or phone (1 searched).`,
		],
		[
			'trackers',
			{ entries },
			`None of 1 trackers ${RANGE} passes Outcome "won": one has "ben@example.com" for Outcome.`,
		],
		['users', { users: [ANA] }, ', so 1 rows were dropped: 1 of ben@example.com.'],
	])('say only that the filter of %s drops the one row that there is', async (_what, request, hint) => {
		expect((await run({ batches: [of(BEN, 1)], request })).messages).toEqual([expect.stringContaining(hint)]);
	});

	test('are one text for an agent that gets no rows', async () => {
		const { items } = await run({
			batches: [],
			source: { report: { total: 0, isComplete: false, isUndated: true, unlisted: 2 } },
			type: `${NODE.type}Tool`,
		});
		expect(items).toEqual([
			{
				rows: 0,
				note: 'Some rows have no date that can be read, so their order is not known. The service counts 2 rows more than it lists. No conversations from 2026-02-01 01:00 to 2026-02-02 12:30 (Europe/Berlin).',
			},
		]);
	});
});

test('rows with transcripts are made one at a time, so that those of a whole list never hold the event loop', async () => {
	const read: unknown[] = [];
	const row = () => new Proxy({ title: '' }, { get: (_row, name) => void read.push(name) });
	const request = { fields: ['title'], transcript: { asTurns: false, maxLength: 1 } };
	await run({ batches: [Array.from({ length: 50 }, row)], request });
	expect(read.lastIndexOf('title')).toBeGreaterThan(read.indexOf('conversationId'));
});
