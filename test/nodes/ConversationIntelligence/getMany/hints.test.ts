import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Export } from '../../../../nodes/ConversationIntelligence/getMany/export';
import {
	completeness,
	limitNotes,
	requestNotes,
} from '../../../../nodes/ConversationIntelligence/getMany/hints';
import { Item } from '../../../../nodes/shared/node/item';
import { RowFilter } from '../../../../nodes/shared/selection/filters';
import { scriptedService } from '../../shared/http/scriptedService';
import { scriptedExport } from '../exportNode';

const PICKED = 'To Date is the first moment of 2026-03-31, so that day is not included: pick the day after.';
test.each<[unknown, string[]]>([
	['2026-03-31T00:00:00', [PICKED]],
	['2026-03-31 00:00', [PICKED]],
	['2026-03-31T00:00:00.000+02:00', [PICKED]],
	[DateTime.fromISO('2026-03-31', { zone: 'UTC' }), [PICKED]],
	...['', '2026-03-31', '2026-03-31T00:00:01', '2026-03-31T10:00', '2026-03-31T00:00:00Z'].map(
		(text): [string, string[]] => [text, []],
	),
])(
	'the To Date %s, if it is a midnight that was picked, says that its day is not included',
	(toDate, notes) => {
		const hints = (dateRange: string) => {
			const { context } = scriptedService({
				responses: [],
				parameters: { dateRange, toDate } as IDataObject,
			});
			const run = { item: new Item(context, 0), missingUsers: new Set() };
			return [...requestNotes(run as unknown as Export)];
		};
		expect(hints('custom')).toEqual(notes);
		expect(hints('today')).toEqual([]);
	},
);

const inexact = { isComplete: false, isUndated: true, unlisted: 2 };
const paged = { isComplete: false, paged: 'unsettled' };
test.each<[string, number, number, number, object, IDataObject]>([
	['read to its end', 5, Infinity, 5, {}, { complete: true }],
	['as long as its limit', 5, 5, 5, {}, { complete: true }],
	['of which a filter of the node dropped rows', 5, 6, 9, {}, { complete: true }],
	['that Limit cuts', 5, 5, 6, {}, { complete: false }],
	[
		'that could not be read exactly',
		...([5, 9, 6, inexact] as const),
		{
			complete: false,
			reason:
				'Some rows have no date that can be read, so their order is not known. The service counts 2 rows more than it lists.',
		},
	],
	[
		'that changed while it was read in pages',
		...([5, 9, 6, paged] as const),
		{
			complete: false,
			reason:
				'More than 50 rows could not be separated by date, so they were read in pages. They changed meanwhile, so some of them may be missing.',
		},
	],
])('a list %s says whether it is complete', (_what, rows, maxRows, total, report, expected) => {
	const run = {
		counts: { rows },
		request: { maxRows },
		source: { report: { total, isComplete: true, ...report } },
	};
	expect(completeness(run as unknown as Export)).toEqual(expected);
});

const AGENT = 'ask for another date range to get the rest';
test.each<[number, number, boolean, string]>([
	[9, 3, true, 'All 3 rows that pass Search Words "A", of 9 in the range.'],
	[9, 5, true, `The newest 3 of 5 rows that pass Search Words "A", of 9 in the range: ${AGENT}.`],
	[
		...([9, 5, false] as const),
		'The newest 3 of 5 rows that pass Search Words "A", of 9 in the range: turn on Return All to get the rest.',
	],
	[
		...([6, 3, true] as const),
		`The newest 3 rows that pass Search Words "A". 6 of 9 in the range were read, of which 3 pass: ${AGENT}.`,
	],
])('of 9 rows, %i were read and %i pass: the note says whether 3 are all', (read, passed, isTool, note) => {
	const run = {
		counts: { rows: 3, read, passed },
		item: { isTool },
		list: { rowKind: 'rows' },
		request: { maxRows: 3, order: 'newestFirst', rowFilter: new RowFilter({ text: 'A' }) },
		source: { report: { total: 9, isComplete: true } },
	} as unknown as Export;
	expect([...limitNotes(run)]).toEqual([note]);
	expect(completeness(run)).toEqual({ complete: read === 9 && passed === 3 });
});

describe('Get Many says in a hint', () => {
	const { server, run } = scriptedExport();
	const date = '2026-01-01T00:00:00Z';
	const one = { conversationId: 'c', date };
	const recording = {
		...{ recordingId: 'r', date, title: null, duration: 1, crmEventID: null, jobNumber: null },
		...{ user: { id: 'u', name: null, email: 'ana@example.com' }, stLink: null, totalSold: null },
		customFields: null,
	};

	test.each<[string, IDataObject[], object, object, unknown[], string]>([
		[
			'that the service counts more than it lists',
			[one],
			{ totalConversations: 2 },
			{},
			[],
			'The service counts 1 rows more than it lists.',
		],
		[
			'which rows are no objects, and returns them',
			[null, 'text', null] as never,
			{},
			{},
			[null, 'text', null],
			'Unexpected data: The row is not an object (3 times). Rows are returned unchanged.',
		],
		[
			'that no conversation has such entries',
			[{ ...one, viewers: [] }],
			{},
			{ rowsFor: 'viewers' },
			[],
			'None of 1 conversations has viewers.',
		],
		[
			'which data of which array does not match; of an unknown kind, none',
			[{ ...one, kind: 'vip' }],
			{
				totalAwaitingUpload: 2,
				awaitingUpload: [{ ...recording, outcome: 7 }, null],
				totalErrored: 1,
				errored: [{ ...recording, recordingId: 's', outcome: null, processedDate: null }],
			},
			{ options: { alsoInclude: ['awaitingUpload', 'errored'] } },
			[null],
			'Unexpected data: in conversations, The row is not an object; in awaitingUpload, outcome is not text; in errored, error is missing. Rows are returned unchanged.',
		],
	])('%s', async (_what, conversations, more, parameters, values, hint) => {
		const page = { conversations, totalConversations: conversations.length, ...more };
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		const { items, hints } = await run({ output: 'raw', ...parameters });
		expect(hints.map(({ message }) => message)).toContain(hint);
		expect(items.flatMap(({ json }) => ('value' in json ? [json.value] : []))).toEqual(values);
	});
});
