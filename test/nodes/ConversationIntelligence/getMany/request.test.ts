import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readRequest } from '../../../../nodes/ConversationIntelligence/getMany/request';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService, NODE } from '../../shared/http/scriptedService';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const CUSTOM = { dateRange: 'custom', fromDate: '2026-02-01T00:00:00Z' };
const LIST = { simplified: ['title'], emailOf: () => 'a@b.example' };
const TOOL = `${NODE.type}Tool`;

const contextOf = (parameters: IDataObject, type = NODE.type): IExecuteFunctions =>
	scriptedService({ responses: [], node: { ...NODE, type }, parameters: { ...CUSTOM, ...parameters } })
		.context;

const read = (parameters: IDataObject, type?: string) =>
	readRequest(new Item(contextOf(parameters, type), 0, NOW), LIST);

test('asks by default for 50 simplified rows of all users, as items without transcripts', () => {
	expect(read({})).toStrictEqual({
		range: { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-03-01T12:00:00.000Z' },
		users: undefined,
		teams: undefined,
		emptyTeams: [],
		rowFilter: undefined,
		maxRows: 50,
		order: 'newestFirst',
		dateType: 'timeOfRecording',
		entries: undefined,
		fields: ['title'],
		transcript: undefined,
		file: undefined,
	});
});

test('reads every parameter of its item', () => {
	const context = contextOf({});
	const getNodeParameter = jest.spyOn(context, 'getNodeParameter');
	readRequest(new Item(context, 3, NOW), LIST);
	expect(getNodeParameter.mock.calls.map(([, itemIndex]) => itemIndex)).toEqual(
		getNodeParameter.mock.calls.map(() => 3),
	);
});

test.each([
	[{ limit: 1_000_000 }, NODE.type, { maxRows: 1_000_000, order: 'newestFirst' }],
	[{ returnAll: true, limit: 7 }, NODE.type, { maxRows: Infinity, order: 'asListed' }],
	[
		{ returnAll: true, options: { sort: 'oldestFirst' } },
		NODE.type,
		{ maxRows: Infinity, order: 'oldestFirst' },
	],
	[{ limit: 20 }, TOOL, { maxRows: 20, order: 'newestFirst' }],
	[{ returnAll: true }, TOOL, { maxRows: 10, order: 'newestFirst' }],
])('of %j for %s, reads how many rows in which order: %j', (parameters, type, expected) => {
	expect(read(parameters, type)).toMatchObject(expected);
});
