import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { ListRun } from '../../../../nodes/ConversationIntelligence/getMany/listRun';
import { completeness, requestHints } from '../../../../nodes/ConversationIntelligence/getMany/hints';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
} from '../../../../nodes/shared/exportApi/schemas';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../../shared/http/scriptedService';

interface Case {
	parameters?: IDataObject;
	filters?: IDataObject;
	parents?: string[];
	of?: AnyZodObject;
}

function hints({ parameters = {}, filters = {}, parents = [], of = conversationsExportSchema }: Case) {
	const { context } = scriptedService({ responses: [], parameters: { dateRange: 'custom', ...parameters } });
	Object.assign(context, { getParentNodes: () => parents.map((type) => ({ type })) });
	return requestHints({
		item: new Item(context, 0),
		list: { schema: of },
		request: { filters, dateType: filters.dateType ?? 'timeOfRecording' },
	} as unknown as ListRun);
}

test.each<unknown>([
	'2026-03-31T00:00:00',
	'2026-03-31 00:00',
	'2026-03-31T00:00:00.000',
	'2026-03-31T00:00:00.000+02:00',
	DateTime.fromISO('2026-03-31', { zone: 'UTC' }),
])('a To Date picked as the midnight %s says that its day is not included', (toDate) => {
	expect(hints({ parameters: { toDate } as IDataObject })).toEqual([
		'To Date is the first moment of 2026-03-31, so that day is not included: pick the day after.',
	]);
	expect(hints({ parameters: { toDate, dateRange: 'today' } as IDataObject })).toEqual([]);
});

test.each(['', '2026-03-31', '2026-03-31T00:00:01', '2026-03-31T10:00', '2026-03-31T00:00:00Z'])(
	'the To Date %p needs no hint',
	(toDate) => {
		expect(hints({ parameters: { toDate } })).toEqual([]);
	},
);

describe('A workflow that starts on a schedule', () => {
	const parents = ['n8n-nodes-base.noOp', 'n8n-nodes-base.scheduleTrigger'];

	test.each([parents, ['n8n-nodes-base.cron'], ['n8n-nodes-base.interval']])(
		'is told that recordings uploaded later are not in an export by recording time: %s',
		(...types) => {
			expect(hints({ parents: types })).toEqual([
				'Recordings that are uploaded after a scheduled export are not in it: set the filter Date Type to Processed Date.',
			]);
		},
	);

	test.each<[string, Case]>([
		['selects by processed date', { filters: { dateType: 'processedDate' } }],
		['exports a list without processed dates', { of: recordingsExportSchema }],
		['exports a list whose processed dates can be null', { of: erroredRecordingsExportSchema }],
		['starts in another way', { parents: ['n8n-nodes-base.manualTrigger'] }],
	])('needs no hint if it %s', (_what, change) => {
		expect(hints({ parents, ...change })).toEqual([]);
	});
});

const inexact = { isComplete: () => false, hints: () => ['Some changed.', 'One is missing.'] };
test.each<[string, number, number, number, object, IDataObject]>([
	['read to its end', 5, Infinity, 5, {}, { complete: true }],
	['as long as its limit', 5, 5, 5, {}, { complete: true }],
	['of which a filter of the node dropped rows', 5, 6, 9, {}, { complete: true }],
	['that Limit cuts', 5, 5, 6, {}, { complete: false }],
	[
		'that could not be read exactly',
		5,
		9,
		6,
		inexact,
		{ complete: false, reason: 'Some changed. One is missing.' },
	],
])('a list %s says whether it is complete', (_what, rows, maxRows, total, source, expected) => {
	const run = {
		rows,
		request: { maxRows },
		source: { total: () => total, isComplete: () => true, ...source },
	};
	expect(completeness(run as unknown as ListRun)).toEqual(expected);
});
