import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readRequest } from '../../../../nodes/ConversationIntelligence/getMany/readRequest';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService, NODE } from '../../shared/http/scriptedService';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const CUSTOM = { dateRange: 'custom', fromDate: '2026-02-01T00:00:00Z' };
const RANGE = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-03-01T12:00:00.000Z' };
type List = Parameters<typeof readRequest>[1];

const LIST: List = {
	simplified: ['title'],
	emailOf: () => 'a@b.example',
	hasTranscripts: true,
};

interface Case {
	parameters?: IDataObject;
	list?: Partial<List>;
	type?: string;
}

const contextOf = ({ parameters = {}, type = NODE.type }: Case): IExecuteFunctions =>
	scriptedService({ responses: [], node: { ...NODE, type }, parameters: { ...CUSTOM, ...parameters } })
		.context;

const read = (one: Case) => readRequest(new Item(contextOf(one), 0, NOW), { ...LIST, ...one.list });

test('asks by default for 50 simplified rows of all users, as items without transcripts', () => {
	expect(read({})).toStrictEqual({
		range: RANGE,
		users: undefined,
		teams: undefined,
		emptyTeams: [],
		rowFilter: undefined,
		maxRows: 50,
		order: 'newestFirst',
		dateType: 'timeOfRecording',
		fields: ['title'],
		includeTranscript: false,
		maxTranscriptLength: Infinity,
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
	[{ limit: 500 }, 'newestFirst'],
	[{ limit: 500, sort: 'asListed' }, 'asListed'],
	[{ returnAll: true }, 'asListed'],
	[{ returnAll: true, sort: 'oldestFirst' }, 'oldestFirst'],
])('sorts the rows of %j: %s', (parameters, order) => {
	expect(read({ parameters }).order).toBe(order);
});

describe('Users', () => {
	const parameters = { filters: { users: ['a@b.example'] } };

	test('are read where the list takes a users filter', () => {
		expect(read({ parameters })).toMatchObject({ users: ['a@b.example'] });
	});

	test('are ignored where it takes none', () => {
		expect(read({ parameters, list: { emailOf: undefined } }).users).toBeUndefined();
	});
});

describe('The most rows', () => {
	test.each([
		['the limit', { limit: 7 }, 7],
		['any limit', { limit: 1_000_000 }, 1_000_000],
		['all where Return All is on', { returnAll: true, limit: 7 }, Infinity],
	])('are %s', (_, parameters, maxRows) => {
		expect(read({ parameters }).maxRows).toBe(maxRows);
	});

	test.each([
		['the limit', { limit: 50 }, 50],
		['50 where Return All is on', { returnAll: true }, 50],
	])('for an agent are %s', (_, parameters, maxRows) => {
		expect(read({ parameters, type: `${NODE.type}Tool` }).maxRows).toBe(maxRows);
	});

	test.each([0, 1.5])('are never %d', (limit) => {
		expect(() => read({ parameters: { limit } })).toThrow(
			`Limit must be a whole number from 1 (it is ${limit})`,
		);
	});
});

describe('Fields', () => {
	test.each([
		[{ output: 'raw' }, undefined],
		[{ output: 'simplified', fields: ['user'] }, ['title']],
		[{ output: 'selectedFields', fields: ['user', 'date'] }, ['user', 'date']],
	])('of %j are %j', (parameters, fields) => {
		expect(read({ parameters }).fields).toEqual(fields);
	});

	test('must be chosen where only selected ones are returned', () => {
		expect(() => read({ parameters: { output: 'selectedFields' } })).toThrow('Choose at least one field');
	});
});

describe('A transcript', () => {
	test('is included where the list has transcripts', () => {
		expect(read({ parameters: { includeTranscript: true } }).includeTranscript).toBe(true);
		const inFile = { includeTranscript: true, outputAs: 'file' };
		expect(read({ parameters: inFile }).includeTranscript).toBe(true);
	});

	test.each<[string, Case]>([
		['the list has none', { list: { hasTranscripts: false } }],
		['the list says nothing of any', { list: { hasTranscripts: undefined } }],
	])('is left out where %s, although chosen', (_, { parameters, list }) => {
		const chosen = { ...parameters, includeTranscript: true };
		expect(read({ parameters: chosen, list }).includeTranscript).toBe(false);
	});
});

test.each([
	[{}, { format: 'ndjson', gzip: false }],
	[{ fileFormat: 'csv' }, { format: 'csv', gzip: false }],
	[{ fileOptions: { gzip: true } }, { format: 'ndjson', gzip: true }],
])('writes a file with the parameters %j', (parameters, file) => {
	expect(read({ parameters: { outputAs: 'file', ...parameters } }).file).toMatchObject(file);
	expect(read({ parameters: { outputAs: 'items', ...parameters } }).file).toBeUndefined();
});
