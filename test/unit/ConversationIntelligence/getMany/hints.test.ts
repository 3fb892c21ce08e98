import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ListRun } from '../../../../nodes/ConversationIntelligence/getMany/listRun';
import { dateTypeFilter } from '../../../../nodes/ConversationIntelligence/getMany/properties';
import { requestHints } from '../../../../nodes/ConversationIntelligence/getMany/hints';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../../shared/http/scriptedService';

interface Case {
	parameters?: IDataObject;
	filters?: IDataObject;
	users?: string[];
	parents?: string[];
	of?: INodeProperties[];
}

function hints({ parameters = {}, filters = {}, users, parents = [], of = [dateTypeFilter] }: Case) {
	const { context } = scriptedService({ responses: [], parameters: { dateRange: 'custom', ...parameters } });
	Object.assign(context, { getParentNodes: () => parents.map((type) => ({ type })) });
	return requestHints({
		item: new Item(context, 0),
		list: { filters: of },
		request: { filters, users, dateType: filters.dateType ?? 'timeOfRecording' },
	} as unknown as ListRun);
}

test.each([[[]], [''], [' , ']])('a users filter of %j says that it means all users', (users) => {
	expect(hints({ filters: { users } })).toEqual([
		'The users filter is empty, so the rows of all users are included.',
	]);
});

test('a users filter with users, or none, needs no hint', () => {
	expect(hints({ filters: { users: 'a@x' }, users: ['a@x'] })).toEqual([]);
	expect(hints({})).toEqual([]);
});

test.each(['2026-03-31T00:00:00', '2026-03-31 00:00', '2026-03-31T00:00:00.000'])(
	'a To Date picked as the midnight %s says that its day is not included',
	(toDate) => {
		expect(hints({ parameters: { toDate } })).toEqual([
			'To Date is the first moment of 2026-03-31, so that day is not included: pick the day after.',
		]);
		expect(hints({ parameters: { toDate, dateRange: 'today' } })).toEqual([]);
	},
);

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
	});

	test.each<[string, Case]>([
		['selects by processed date', { filters: { dateType: 'processedDate' } }],
		['exports a list without a Date Type', { of: [] }],
		['starts in another way', { parents: ['n8n-nodes-base.manualTrigger'] }],
	])('needs no hint if it %s', (_what, change) => {
		expect(hints({ parents, ...change })).toEqual([]);
	});
});
