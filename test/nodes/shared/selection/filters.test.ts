import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	judge,
	isSameFilter,
	passes,
	refusalOf,
	readFilter,
	RowFilter,
	whyRefused,
	type ConversationFilter,
} from '../../../../nodes/shared/selection/filters';

/** Reads filters that a person entered. */
const read = (filters: IDataObject) =>
	readFilter(filters, { type: '', parameters: { filters } as INodeParameters });
const filterOf = (filters: IDataObject) => new RowFilter(read(filters));
const LINK = 'https://media.example/t?signature=s';

type Case = [filters: IDataObject, label: string, kept: IDataObject[], dropped: IDataObject[]];

/** What is entered, and texts that have these words or not. */
const WORDS: Array<[string, string[], string[]]> = [
	...['Müller, roof', '"Müller" roof', '(roof) – MULLER!', 'roof/Müller'].map(
		(text): [string, string[], string[]] => [
			text,
			['Roof: Frau Müller’s house', 'Muller: new roof.'],
			['Müll, roof'],
		],
	),
	["O'Neil", ['ONEIL', 'O’Neil', "O'Neil"], ['Oleil']],
	['ONeil', ["Mr. O'Neil, roof"], ["O'Nail"]],
	['+15551234567', ['Call +1 (555) 123-4567'], ['+1 555 123-4568']],
	['lodz ore', ['ŁÓDŹ, Øre'], ['Lotz']],
	['(030) 123-45', ['Call 030/12345', '030 123 45'], ['030 12']],
	['ana@x.example', ['ana@x.example'], ['bo@x.example']],
	['STRASSE οδος 屋根', ['Straße、ΟΔΟΣ、屋根の修理'], ['Strasse οδος 根']],
];

// D1-CONVENTION-04
test.each<Case>([
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
		{ activeOnly: true },
		'Active Only',
		[{ isRemoved: false }, { isRemoved: null }, {}],
		[{ isRemoved: true }],
	],
	[
		{ customer: 15550100 },
		'Customer',
		[{ customer: { name: 'Ana', phone: '+1 555-0100' } }],
		[{ customer: { name: 'Ana', phone: '+1 555-0101' } }],
	],
	[
		{ text: ' JOSE  roof' },
		'Search Words',
		[
			{ title: 'Roof of Jóśe' },
			{ title: 'Roof', customer: { name: 'José' } },
			{ title: 'Roof', user: { email: 'jose@x' } },
			{ title: 'Roof', customer: { name: null, email: 'jose@x' } },
			{ jobSummary: 'A roof.', user: { name: 'Jose', email: 'j@x' } },
			{ customSummary: 'roofing', crmEventID: 'jose-1' },
		],
		[{ title: 'Roof' }, { title: 'Jose ro', jobSummary: 'of' }, { outcome: 'jose roof' }, {}],
	],
	...WORDS.flatMap(([entered, kept, dropped]): Case[] => [
		[
			{ text: entered },
			'Search Words',
			kept.map((title) => ({ title })),
			dropped.map((title) => ({ title })),
		],
		...['name', 'email', 'phone'].map((part): Case => {
			const rows = (texts: string[]) => texts.map((text) => ({ customer: { name: '-', [part]: text } }));
			return [{ customer: entered }, 'Customer', rows(kept), [...rows(dropped), { title: kept[0] }]];
		}),
	]),
	[
		{ outcome: 'Sold', minDuration: 60 },
		'Outcome "Sold", Minimum Duration (Seconds) 60',
		[{ outcome: 'Sold', duration: 60 }],
		[
			{ outcome: 'Sold', duration: 59 },
			{ outcome: 'Lost', duration: 60 },
		],
	],
	[{ role: ['Rep, Senior'] }, 'Role', [{ role: 'rep, senior ' }], [{ role: 'Rep' }, { role: 'Senior' }]],
])('the filter %j keeps the rows that match %s, and counts the others', (filters, label, kept, dropped) => {
	const filter = filterOf(filters);
	expect(filter.wants).toContain(label);
	expect(kept.map((row) => filter.passes(row))).toEqual(kept.map(() => true));
	expect(filter.dropped).toBe(0);
	expect(dropped.map((row) => filter.passes(row))).toEqual(dropped.map(() => false));
	expect(filter.dropped).toBe(dropped.length);
});

test.each([
	{},
	{ outcome: ' , ', text: ' ', customer: '' },
	{ hasTranscript: false, noAppointment: false, activeOnly: false },
	{ users: [], teams: [] },
	{ users: ' , ', teams: '', role: '""', outcome: '[]' },
])('the filters %j drop no row', (filters) => {
	expect(filterOf(filters).wants).toBe('');
});

test.each<[string, IDataObject]>([
	['Outcome', { outcome: 5 }],
	['Search Words', { text: ['a'] }],
	['Search Words', { text: '!?' }],
	['Outcome', { outcome: ['Sold', null] }],
	['Minimum Duration (Seconds)', { minDuration: -1 }],
	['Has Transcript', { hasTranscript: 'yes' }],
	// As an expression gives them for an empty cell.
	['Minimum Duration (Seconds)', { minDuration: '' }],
	['Has Transcript', { hasTranscript: '' }],
])('a wrong value of %s is refused by its label', (label, filters) => {
	expect(() => filterOf(filters)).toThrow(`${label} must be `);
});

test('an event decides only the filters whose fields it has', () => {
	const users = ['ana@example.com'];
	const filter = { users, outcomes: ['sold'], text: 'roof', minDuration: 60, hasTranscript: true };
	const event = { title: 'Roof', userEmail: 'ana@example.com', duration: 59, transcriptUrl: null };
	expect(judge(filter, {})).toEqual({ isDecided: false });
	expect(passes({ users }, { user: { email: 'Ana@example.com' } })).toBe(false);
	expect(passes({ users }, { user: { email: 'ana@example.com' } })).toBe(true);
	expect(judge({ ...filter, minDuration: 59, hasTranscript: undefined }, event)).toEqual({
		isDecided: false,
	});
	expect(judge({ users }, event)).toEqual({ isDecided: true });
	// The users are the members of teams.
	expect(judge({ users: ['a@x'] }, event, ['North']).refusedBy).toMatchObject({
		label: 'Team Names or IDs',
		wanted: '"North"',
	});
	// Null means that no contact fields exist.
	expect(judge({ customer: 'Ana' }, { customer: null })).toMatchObject({ isDecided: true, refusedBy: {} });
	expect(judge({ customer: 'Ana' }, { customerName: 'Bo' })).toEqual({ isDecided: false });
});

test.each<[ConversationFilter, IDataObject, string]>([
	[{ outcomes: ['NotSold', 'A, b'] }, { outcome: 'Sold' }, 'Outcome wants "NotSold", "A, b"; "Sold"'],
	[{ outcomes: ['NotSold'] }, { outcome: null }, 'Outcome wants "NotSold"; none'],
	[{ users: ['a@x'] }, { user: { email: 'b@x' } }, 'User Names or IDs wants "a@x"; "b@x"'],
	[{ minDuration: 60 }, { duration: 59 }, 'Minimum Duration (Seconds) wants 60; 59'],
	[{ hasTranscript: true }, { transcriptUrl: '' }, 'Has Transcript wants a transcript; none'],
	[{ noAppointment: true }, { crmEventID: 'ev-1' }, 'No Appointment wants none; "ev-1"'],
	[{ customer: 'Miller' }, { customer: { name: 'Bo', phone: '1' } }, 'Customer wants "Miller"; "Bo", "1"'],
])('the filter %j says of %j: %s', (filter, row, words) => {
	expect(whyRefused(refusalOf(filter, row)!)).toBe(words.replace('; ', ', this conversation has '));
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
