import type { IDataObject } from 'n8n-workflow';
import { readRowFilter, readTeams } from '../../../../nodes/ConversationIntelligence/getMany/rowFilter';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../../shared/http/scriptedService';

const itemWith = (filters: IDataObject) =>
	new Item(scriptedService({ responses: [], parameters: { filters } }).context, 0);
const filterOf = (filters: IDataObject) => readRowFilter(itemWith(filters), filters);
const LINK = 'https://media.example/t?signature=s';

test.each<[IDataObject, string, IDataObject[], IDataObject[]]>([
	[
		{ outcome: 'not sold, No Show ' },
		'Outcome',
		[{ outcome: 'Not Sold' }, { outcome: ' no show' }],
		[{ outcome: 'Sold' }, { outcome: null }, {}],
	],
	[
		{ minDuration: 60 },
		'Minimum Duration',
		[{ duration: 60 }, { duration: 61.5 }],
		[{ duration: 59.9 }, { duration: null }, {}],
	],
	[{ hasTranscript: true }, 'Has Transcript', [{ transcriptUrl: LINK }], [{ transcriptUrl: '' }, {}]],
])('the filter %j keeps the rows that match %s, and counts the others', (filters, label, kept, dropped) => {
	const filter = filterOf(filters)!;
	expect(filter.labels).toEqual([label]);
	expect(kept.map((row) => filter.passes(row))).toEqual(kept.map(() => true));
	expect(filter.dropped).toBe(0);
	expect(dropped.map((row) => filter.passes(row))).toEqual(dropped.map(() => false));
	expect(filter.dropped).toBe(dropped.length);
});

test('a row must pass every filter', () => {
	const filter = filterOf({ outcome: 'Sold', minDuration: 60 })!;
	expect(filter.passes({ outcome: 'Sold', duration: 59 })).toBe(false);
	expect(filter.passes({ outcome: 'Sold', duration: 60 })).toBe(true);
	expect(filter.labels).toEqual(['Outcome', 'Minimum Duration']);
});

test.each([{}, { outcome: '' }, { outcome: ' , ' }, { hasTranscript: false }, { users: ['a@x'] }])(
	'the filters %j drop no row',
	(filters) => {
		expect(filterOf(filters)).toBeUndefined();
	},
);

test.each<[string, IDataObject]>([
	['Outcome', { outcome: 5 }],
	['Minimum Duration', { minDuration: -1 }],
	['Has Transcript', { hasTranscript: 'yes' }],
	// As an expression gives them for an empty cell.
	['Minimum Duration', { minDuration: '' }],
	['Has Transcript', { hasTranscript: '' }],
])('a wrong value of %s is refused by its label', (label, filters) => {
	expect(() => filterOf(filters)).toThrow(new RegExp(`^${label} must be `));
});

test('teams are a list of text; none means all', () => {
	const teams = (filters: IDataObject) => readTeams(itemWith(filters), filters);
	expect(teams({ teams: ['t-1', 'North'] })).toEqual(['t-1', 'North']);
	expect(teams({ teams: [] })).toBeUndefined();
	expect(teams({})).toBeUndefined();
	expect(() => teams({ teams: [5] })).toThrow(/^Team Names or IDs must be /);
});
