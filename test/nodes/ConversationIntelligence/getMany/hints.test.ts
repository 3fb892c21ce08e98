import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { ListRun } from '../../../../nodes/ConversationIntelligence/getMany/listRun';
import {
	completeness,
	hintsOf,
	requestHints,
} from '../../../../nodes/ConversationIntelligence/getMany/hints';
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
	users?: string[];
	parents?: string[];
	of?: AnyZodObject;
}

function hints({ parameters = {}, filters = {}, users, parents = [], of = conversationsExportSchema }: Case) {
	const { context } = scriptedService({ responses: [], parameters: { dateRange: 'custom', ...parameters } });
	Object.assign(context, { getParentNodes: () => parents.map((type) => ({ type })) });
	return requestHints({
		item: new Item(context, 0),
		list: { schema: of },
		request: { filters, users, emptyTeams: [], dateType: filters.dateType ?? 'timeOfRecording' },
	} as unknown as ListRun);
}

test.each([[[]], [''], [' , ']])('a users filter of %j says that it means all users', (users) => {
	expect(hints({ filters: { users } })).toEqual([
		'The users filter is empty, so the rows of all users are included.',
	]);
});

test('an empty teams filter says that it means all teams', () => {
	expect(hints({ filters: { teams: [] } })).toEqual([
		'The teams filter is empty, so the rows of all teams are included.',
	]);
});

test('a users filter with users, or none, needs no hint', () => {
	expect(hints({ filters: { users: 'a@x' }, users: ['a@x'] })).toEqual([]);
	expect(hints({})).toEqual([]);
});

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

	test('is told that recordings uploaded later are not in an export by recording time', () => {
		const expected = [
			'Recordings that are uploaded after a scheduled export are not in it: set the filter Date Type to Processed Date.',
		];
		expect(hints({ parents })).toEqual(expected);
		expect(hints({ parents, filters: { dateType: 'timeOfRecording' } })).toEqual(expected);
		for (const older of ['cron', 'interval']) {
			expect(hints({ parents: [`n8n-nodes-base.${older}`] })).toEqual(expected);
		}
	});

	test.each<[string, Case]>([
		['selects by processed date', { filters: { dateType: 'processedDate' } }],
		['exports a list without processed dates', { of: recordingsExportSchema }],
		['exports a list whose processed dates can be null', { of: erroredRecordingsExportSchema }],
		['starts in another way', { parents: ['n8n-nodes-base.manualTrigger'] }],
	])('needs no hint if it %s', (_what, change) => {
		expect(hints({ parents, ...change })).toEqual([]);
	});
});

describe('A list without rows', () => {
	const hintOf = (request: IDataObject) => {
		const { context } = scriptedService({ responses: [] });
		const range = { fromDate: '2026-03-01T11:00:00.000Z', toDate: '2026-03-02T22:59:00.000Z' };
		return hintsOf({
			item: new Item(context, 0),
			list: { rowKind: 'conversations' },
			request: { range, filters: {}, emptyTeams: [], ...request },
			rows: 0,
			source: { check: { mismatches: [] } },
			failedTranscripts: 0,
		} as unknown as ListRun);
	};
	const range = 'No conversations from 2026-03-01 12:00 to 2026-03-02 23:59 (Europe/Berlin)';

	test.each<[string, IDataObject, string]>([
		['its range', {}, `${range}.`],
		['the teams', { teams: ['West', 'East'] }, `${range} for the members of West, East.`],
		[
			'the filters',
			{ rowFilter: { dropped: 3, labels: ['Outcome', 'Has Transcript'] } },
			'None of 3 conversations passes Outcome, Has Transcript.',
		],
		['its range if no filter dropped a row', { rowFilter: { dropped: 0, labels: ['Outcome'] } }, `${range}.`],
	])('says so with %s', (_what, request, hint) => {
		expect(hintOf(request)).toEqual([hint]);
	});
});

describe('A list', () => {
	const complete = (rows: number, maxRows: number, total: number, source: object = {}) =>
		completeness({
			source: { total: () => total, isComplete: () => true, ...source },
			request: { maxRows },
			rows,
		} as unknown as ListRun);

	test.each([
		[5, Infinity, 5],
		[5, 5, 5],
		// A filter of the node dropped the others.
		[5, 6, 9],
	])('of %i rows with the limit %d is complete if the service counts %i', (rows, limit, total) => {
		expect(complete(rows, limit, total)).toEqual({ complete: true });
	});

	test('that Limit cuts is not complete', () => {
		expect(complete(5, 5, 6)).toEqual({ complete: false });
	});

	test('that could not be read exactly is not complete, even if nothing says why', () => {
		expect(complete(5, 9, 6, { isComplete: () => false })).toEqual({ complete: false });
	});

	test('that could not be read exactly says why', () => {
		const source = { isComplete: () => false, hints: () => ['Some changed.', 'One is missing.'] };
		expect(complete(5, 9, 6, source)).toEqual({ complete: false, reason: 'Some changed. One is missing.' });
	});
});
