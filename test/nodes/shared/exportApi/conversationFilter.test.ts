import type { IDataObject } from 'n8n-workflow';
import {
	decidable,
	failedFilter,
	isSameFilter,
	labelsOf,
	passes,
	readRowFilter,
	readTeams,
	RowFilter,
} from '../../../../nodes/shared/exportApi/conversationFilter';

const filterOf = (filters: IDataObject) => new RowFilter(readRowFilter(filters));
const LINK = 'https://media.example/t?signature=s';

// D1-CONVENTION-04
test.each<[IDataObject, string, IDataObject[], IDataObject[]]>([
	[
		{ outcome: 'not sold, No Show ' },
		'Outcome',
		[{ outcome: 'Not Sold' }, { outcome: ' no show' }],
		[{ outcome: 'Sold' }, { outcome: null }, {}],
	],
	[
		{ minDuration: 60 },
		'Minimum Duration (Seconds)',
		[{ duration: 60 }, { duration: 61.5 }],
		[{ duration: 59.9 }, { duration: null }, {}],
	],
	[{ hasTranscript: true }, 'Has Transcript', [{ transcriptUrl: LINK }], [{ transcriptUrl: '' }, {}]],
	[
		{ noAppointment: true },
		'No Appointment',
		[{ crmEventID: null }, { crmEventID: '' }],
		[{ crmEventID: 'ev-1' }, { crmEventID: 0 }, {}],
	],
	[
		{ text: ' JOSE  roof' },
		'Text',
		[
			{ title: 'Roof of Jóśe' },
			{ title: 'Roof', customer: { name: 'José' } },
			{ title: 'Roof', user: { email: 'jose@x' } },
			{ jobSummary: 'A roof.', user: { name: 'Jose', email: 'j@x' } },
			{ customSummary: 'roofing', crmEventID: 'jose-1' },
		],
		[{ title: 'Roof' }, { title: 'Jose ro', jobSummary: 'of' }, { outcome: 'jose roof' }, {}],
	],
])('the filter %j keeps the rows that match %s, and counts the others', (filters, label, kept, dropped) => {
	const filter = filterOf(filters);
	expect(labelsOf(filter.filter)).toEqual([label]);
	expect(kept.map((row) => filter.passes(row))).toEqual(kept.map(() => true));
	expect(filter.dropped).toBe(0);
	expect(dropped.map((row) => filter.passes(row))).toEqual(dropped.map(() => false));
	expect(filter.dropped).toBe(dropped.length);
});

test('a row must pass every filter', () => {
	const filter = filterOf({ outcome: 'Sold', minDuration: 60 });
	expect(filter.passes({ outcome: 'Sold', duration: 59 })).toBe(false);
	expect(filter.passes({ outcome: 'Sold', duration: 60 })).toBe(true);
	expect(labelsOf(filter.filter)).toEqual(['Outcome', 'Minimum Duration (Seconds)']);
});

test.each([
	{},
	{ outcome: '' },
	{ outcome: ' , ' },
	{ text: ' ' },
	{ hasTranscript: false },
	{ noAppointment: false },
	{ users: ['a@x'] },
])('the filters %j drop no row', (filters) => {
	expect(labelsOf(readRowFilter(filters))).toEqual([]);
});

test.each<[string, IDataObject]>([
	['Outcome', { outcome: 5 }],
	['Text', { text: ['a'] }],
	['Minimum Duration (Seconds)', { minDuration: -1 }],
	['Has Transcript', { hasTranscript: 'yes' }],
	// As an expression gives them for an empty cell.
	['Minimum Duration (Seconds)', { minDuration: '' }],
	['Has Transcript', { hasTranscript: '' }],
])('a wrong value of %s is refused by its label', (label, filters) => {
	expect(() => filterOf(filters)).toThrow(`${label} must be `);
});

test('teams are a list of text; none means all', () => {
	const teams = (filters: IDataObject) =>
		readTeams(filters, { type: 'conversationIntelligence', parameters: {} });
	expect(teams({ teams: ['t-1', 'North'] })).toEqual(['t-1', 'North']);
	expect(teams({ teams: [] })).toBeUndefined();
	expect(teams({})).toBeUndefined();
	expect(() => teams({ teams: [5] })).toThrow(/^Team Names or IDs must be /);
});

test('an event decides only the filters whose fields it has', () => {
	const users = ['ana@example.com'];
	const filter = { users, outcomes: ['sold'], text: ['roof'], minDuration: 60, hasTranscript: true };
	const event = { title: 'Roof', userEmail: 'ana@example.com', duration: 59, transcriptUrl: null };
	expect(decidable(filter, event)).toEqual({ users, minDuration: 60, hasTranscript: true });
	expect(failedFilter(decidable(filter, event), event)).toBe('Minimum Duration (Seconds)');
	expect(decidable(filter, {})).toEqual({});
	expect(passes({ users }, { user: { email: 'Ana@example.com' } })).toBe(false);
	expect(passes({ users }, { user: { email: 'ana@example.com' } })).toBe(true);
});

test('filters are the same whatever the order of their parts, and differ by each part', () => {
	expect(isSameFilter({ minDuration: 5, outcomes: ['a'] }, { outcomes: ['a'], minDuration: 5 })).toBe(true);
	const others = [
		{ users: ['a@x'] },
		{ outcomes: ['a'] },
		{ minDuration: 0 },
		{ hasTranscript: true },
		{ noAppointment: true },
	];
	for (const other of others) expect(isSameFilter({}, other)).toBe(false);
});
