import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	decidable,
	failedFilter,
	isSameFilter,
	labelsOf,
	passes,
	readEntryFilter,
	readFilters,
	RowFilter,
	RULES,
} from '../../../../nodes/shared/selection/filters';

/** Reads filters that a person entered. */
const read = (filters: IDataObject) =>
	readFilters(filters, { type: '', parameters: { filters } as INodeParameters });
const filterOf = (filters: IDataObject) => new RowFilter(read(filters));
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
	...['Müller, roof', '"Müller" roof', '(roof) – MULLER!', 'roof/Müller'].map(
		(text): [IDataObject, string, IDataObject[], IDataObject[]] => [
			{ text },
			'Text',
			[{ title: 'Roof: Frau Müller’s house' }, { title: 'Muller', jobSummary: 'New roof.' }],
			[{ title: 'Müll, roof' }],
		],
	),
	[
		{ text: "O'Neil" },
		'Text',
		[{ title: 'ONEIL' }, { title: 'O’Neil' }, { title: "O'Neil" }],
		[{ title: 'Oleil' }],
	],
	[{ text: 'ONeil' }, 'Text', [{ title: "Mr. O'Neil, roof" }], [{ title: "O'Nail" }]],
	[{ text: '+15551234567' }, 'Text', [{ title: 'Call +1 (555) 123-4567' }], [{ title: '+1 555 123-4568' }]],
	[{ text: 'lodz ore' }, 'Text', [{ title: 'ŁÓDŹ, Øre' }], [{ title: 'Lotz' }]],
	[{ text: 'crm-1042' }, 'Text', [{ crmEventID: 'crm-1042' }], [{ crmEventID: 'crm-1043' }]],
	[
		{ text: '(030) 123-45' },
		'Text',
		[{ title: 'Call 030/12345' }, { title: '030 123 45' }],
		[{ title: '030 12' }],
	],
	[
		{ text: 'ana@x.example' },
		'Text',
		[{ user: { email: 'ana@x.example' } }],
		[{ user: { email: 'bo@x.example' } }],
	],
	[
		{ text: 'STRASSE οδος 屋根' },
		'Text',
		[{ title: 'Straße、ΟΔΟΣ、屋根の修理' }],
		[{ title: 'Strasse οδος 根' }],
	],
	[
		{ outcome: '"Sold, financed", Lost' },
		'Outcome',
		[{ outcome: 'sold, Financed' }],
		[{ outcome: 'Sold' }, { outcome: 'financed' }],
	],
	[{ role: ['Rep, Senior'] }, 'Role', [{ role: 'Rep, Senior' }], [{ role: 'Rep' }, { role: 'Senior' }]],
	[{ role: '["Rep, Senior"]' }, 'Role', [{ role: 'Rep, Senior' }], [{ role: 'Rep' }]],
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
	{ users: [], teams: [] },
	{ users: ' , ', teams: '' },
	{ role: '""', outcome: '[]' },
])('the filters %j drop no row', (filters) => {
	expect(labelsOf(read(filters))).toEqual([]);
});

test.each<[string, IDataObject]>([
	['Outcome', { outcome: 5 }],
	['Text', { text: ['a'] }],
	['Text', { text: '!?' }],
	['Outcome', { outcome: ['Sold', null] }],
	['Minimum Duration (Seconds)', { minDuration: -1 }],
	['Has Transcript', { hasTranscript: 'yes' }],
	// As an expression gives them for an empty cell.
	['Minimum Duration (Seconds)', { minDuration: '' }],
	['Has Transcript', { hasTranscript: '' }],
])('a wrong value of %s is refused by its label', (label, filters) => {
	expect(() => filterOf(filters)).toThrow(`${label} must be `);
});

test('users and teams are lists of text, with the IDs as they are', () => {
	expect(read({ users: 'Ana <a@x>', teams: ['t-1', 'North, 2'] })).toEqual({
		users: ['a@x'],
		teams: ['t-1', 'North, 2'],
	});
	expect(() => read({ teams: [5] })).toThrow(/^Team Names or IDs must be /);
});

test('nothing that an expression leaves empty filters nothing, whatever the filter', () => {
	const text = fc.string({ unit: fc.constantFrom(' ', ',', '\n') });
	const empty = fc.oneof(
		text,
		fc.array(fc.oneof(text, fc.constant(null))),
		fc.constantFrom(null, undefined, '[]', NaN, {}),
	);
	fc.assert(
		fc.property(empty, fc.constantFrom('', 'nodeTool'), fc.boolean(), (value, type, isList) => {
			for (const { property } of Object.values(RULES)) {
				const entered = isList ? ['={{ $json.rep }}'] : '={{ $json.rep }}';
				const node = { type, parameters: { filters: { [property.name]: entered } } };
				const filters = { [property.name]: value } as IDataObject;
				const readAll = () => ({ ...readFilters(filters, node), ...readEntryFilter(filters, node) });
				expect(readAll).toThrow(
					expect.objectContaining({
						details: expect.objectContaining({ field: property.displayName }) as object,
					}),
				);
			}
		}),
	);
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
