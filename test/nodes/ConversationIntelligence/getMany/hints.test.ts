import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Export } from '../../../../nodes/ConversationIntelligence/getMany/export';
import {
	completeness,
	limitNotes,
	requestNotes,
} from '../../../../nodes/ConversationIntelligence/getMany/hints';
import { RowFilter } from '../../../../nodes/shared/selection/filters';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../../shared/http/scriptedService';

function hints(parameters: IDataObject) {
	const { context } = scriptedService({ responses: [], parameters: { dateRange: 'custom', ...parameters } });
	const run = { item: new Item(context, 0), missingUsers: new Set() };
	return [...requestNotes(run as unknown as Export)];
}

test.each<unknown>([
	'2026-03-31T00:00:00',
	'2026-03-31 00:00',
	'2026-03-31T00:00:00.000',
	'2026-03-31T00:00:00.000+02:00',
	DateTime.fromISO('2026-03-31', { zone: 'UTC' }),
])('a To Date picked as the midnight %s says that its day is not included', (toDate) => {
	expect(hints({ toDate } as IDataObject)).toEqual([
		'To Date is the first moment of 2026-03-31, so that day is not included: pick the day after.',
	]);
	expect(hints({ toDate, dateRange: 'today' } as IDataObject)).toEqual([]);
});

test.each(['', '2026-03-31', '2026-03-31T00:00:01', '2026-03-31T10:00', '2026-03-31T00:00:00Z'])(
	'the To Date %p needs no hint',
	(toDate) => {
		expect(hints({ toDate })).toEqual([]);
	},
);

const inexact = { isComplete: false, isUndated: true, unlisted: 2 };
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
		{
			complete: false,
			reason:
				'Some rows have no date that can be read, so their order is not known. The service counts 2 rows more than it lists.',
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

test.each<[number, number, boolean, string]>([
	[9, 3, true, 'All 3 rows that pass Search Words "A", of 9 in the range.'],
	[
		9,
		5,
		true,
		'The newest 3 of 5 rows that pass Search Words "A", of 9 in the range: ask for another date range to get the rest.',
	],
	[
		9,
		5,
		false,
		'The newest 3 of 5 rows that pass Search Words "A", of 9 in the range: turn on Return All to get the rest.',
	],
	[
		6,
		3,
		true,
		'The newest 3 rows that pass Search Words "A". 6 of 9 in the range were read, of which 3 pass: ask for another date range to get the rest.',
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
