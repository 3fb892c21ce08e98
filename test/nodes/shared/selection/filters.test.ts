import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	isSameFilter,
	type ConversationFilter,
	type Name,
} from '../../../../nodes/shared/selection/filterRules';
import {
	readFilter,
	reasonOf,
	RowFilter,
	fieldsShownFor,
	verdictOf,
	whyRefused,
} from '../../../../nodes/shared/selection/filters';

/** Reads filters that a person entered. */
const read = (filters: IDataObject) =>
	readFilter(filters, { type: '', parameters: { filters } as INodeParameters });
const NODE = { type: '', parameters: {} };
const filterOf = (filters: IDataObject) => new RowFilter(read(filters));
const LINK = 'https://media.example/t?signature=s';

test.each<[entered: string, found: string[], other: string]>([
	['"Müller", roof', ['Roof: Frau Müller’s house', 'Muller: new roof.'], 'Müll, roof'],
	['(roof) – MULLER!', ['Roof/Müller'], 'Müll, roof'],
	['roof/Müller', ['Muller, roof'], 'roof'],
	["O'Neil", ['ONEIL', 'O’Neil', "O'Neil"], 'Oleil'],
	['ONeil', ["Mr. O'Neil, roof"], "O'Nail"],
	['+15551234567', ['Call +1 (555) 123-4567'], '+1 555 123-4568'],
	['lodz ore', ['ŁÓDŹ, Øre'], 'Lotz'],
	['(030) 123-45', ['Call 030/12345', '030 123 45'], '030 12'],
	['ana@x.example', ['ana@x.example'], 'bo@x.example'],
	['STRASSE οδος 屋根', ['Straße、ΟΔΟΣ、屋根の修理'], 'Strasse οδος 根'],
])('the words %j are found in each of %j, and not in %j', (entered, found, other) => {
	const finds = (text: string) => [
		filterOf({ text: entered }).passes({ title: text }),
		filterOf({ customer: entered }).passes({ title: found[0], customer: { name: '-', email: text } }),
	];
	for (const text of found) expect(finds(text)).toEqual([true, true]);
	expect(finds(other)).toEqual([false, false]);
});

test('all words of a search are in one or several texts about a conversation, those of a customer in theirs', () => {
	const [search, customer] = [filterOf({ text: ' JOSE  roof' }), filterOf({ customer: 15550100 })];
	const title = 'Roof';
	const named = [{ name: 'José' }, { name: null, email: 'jose@x' }];
	const found = [
		...named.flatMap((person) => [
			{ title, customer: person },
			{ title, user: person },
		]),
		...[{ title, customer: { phone: 'Jose' } }, { title: 'Roof of Jóśe' }, { customSummary: 'roofing Jose' }],
		{ jobSummary: 'A roof.', crmEventID: 'jose-1' },
	];
	const others = [{ title }, { title: 'Jose ro', jobSummary: 'of' }, { outcome: 'jose roof' }, {}];
	expect(found.filter((row) => !search.passes(row))).toEqual([]);
	expect(others.filter((row) => search.passes(row))).toEqual([]);
	for (const part of ['name', 'email', 'phone']) {
		const rows = ['+1 555-0100', '+1 555-0101'].map((text) => ({ customer: { name: '-', [part]: text } }));
		expect(rows.map((row) => customer.passes(row))).toEqual([true, false]);
	}
});

// D1-CONVENTION-04
test.each<[filters: IDataObject, wants: string, field: string, kept: unknown[], dropped: unknown[]]>([
	[
		{ outcome: 'not sold, No Show ' },
		'Outcome "not sold", "No Show"',
		'outcome',
		['Not Sold', ' no show', 'No\u00a0Show', 'Not\u200b Sold', 'NOT  SOLD\n'],
		['Sold', null, undefined],
	],
	[
		{ outcome: { mode: 'list', value: '"U\u0308ber, legt"' } },
		'Outcome "U\u0308ber, legt"',
		'outcome',
		['über, legt'],
		['Uber, legt'],
	],
	[{ outcomeIsNot: 'sold' }, 'Outcome Is Not "sold"', 'outcome', ['Lost', null, undefined], ['So\u200bld']],
	[{ role: ['Rep, Senior'] }, 'Role "Rep, Senior"', 'role', ['rep, senior '], ['Rep', 'Senior']],
	[{ minDuration: 60 }, 'Minimum Duration (Seconds) 60', 'duration', [60, 61.5], [59.9, null, undefined]],
	[{ hasTranscript: true }, 'Has Transcript', 'transcriptUrl', [LINK], ['', undefined]],
	[{ noAppointment: true }, 'No Appointment', 'crmEventID', [null, ''], ['ev-1', 0, undefined]],
	[{ activeOnly: true }, 'Active Only', 'isRemoved', [false, null, undefined], [true]],
])(
	'the filter %j wants %s: keeps rows by their %s, and counts the others',
	(filters, wants, field, kept, dropped) => {
		const filter = filterOf(filters);
		const passing = (values: unknown[]) =>
			values.filter((value) => filter.passes({ [field]: value } as IDataObject));
		expect(filter.wants).toBe(wants);
		expect(passing(kept)).toEqual(kept);
		expect(filter.dropped).toBe(0);
		expect(passing(dropped)).toEqual([]);
		expect(filter.dropped).toBe(dropped.length);
		expect(filterOf({ ...filters, users: ['a@x'] }).wants).toBe(`User Names or IDs "a@x", ${wants}`);
	},
);

const CALL = {
	outcome: 'Open',
	checklists: [
		{
			...{ checklistName: 'Discovery', checklistScore: 1, checklistDenominator: 2 },
			trackerData: [
				{ trackerName: 'Budget', trackerIsHit: true },
				{ trackerName: 'Decision maker', isHit: false },
			],
		},
		{ checklistName: 'Close', checklistScore: 3, checklistDenominator: 4, trackerData: [] },
	],
	aiTrackers: [
		{ checklistName: 'Objections', trackerName: 'Price', isHit: true },
		{ checklistName: 'Objections', trackerName: 'Timing', isHit: null },
	],
};

// D1 § Checklist, Tracker, AiTracker
test.each<[filters: IDataObject, passes: boolean]>([
	[{ trackerNames: 'budget', hitOrMissed: 'hit', outcomeIsNot: 'Sold' }, true],
	[{ trackerNames: 'budget', hitOrMissed: 'hit', outcomeIsNot: 'Sold, Open' }, false],
	[{ trackerNames: 'Budget', hitOrMissed: 'missed' }, false],
	[{ trackerNames: 'Budget, Decision maker', hitOrMissed: 'missed' }, true],
	[{ trackerNames: 'Price', hitOrMissed: 'hit' }, true],
	[{ trackerNames: 'Timing' }, true],
	[{ trackerNames: 'Timing', hitOrMissed: 'hit' }, false],
	[{ trackerNames: 'Timing', hitOrMissed: 'missed' }, false],
	// One tracker, or one checklist, must be all that is asked for.
	[{ checklistNames: 'Discovery', trackerNames: 'Budget' }, true],
	[{ checklistNames: 'Close', trackerNames: 'Budget' }, false],
	[{ checklistNames: 'Objections', hitOrMissed: 'hit' }, true],
	[{ checklistNames: 'Objections', hitOrMissed: 'missed' }, false],
	[{ checklistScoreBelow: 2 }, true],
	[{ checklistScoreBelow: 1 }, false],
	[{ checklistNames: 'Close', checklistScoreBelow: 3 }, false],
	[{ checklistNames: 'Close', checklistScoreBelow: 3.5 }, true],
	[{ checklistNames: 'Close, Discovery', checklistScoreBelow: 2, trackerNames: 'Budget' }, true],
	[{ checklistNames: 'Close', checklistScoreBelow: 5, trackerNames: 'Budget' }, false],
])('%j passes a conversation by one of its trackers and one of its checklists: %s', (filters, isPassing) => {
	expect(filterOf(filters).passes(CALL)).toBe(isPassing);
	expect(filterOf(filters).passes({ outcome: 'Open' })).toBe(false);
	// An event has no trackers.
	expect(verdictOf(read(filters), { conversationId: 'c' }, true)).toBe('undecided');
});

test('filters of trackers apply to rows that are trackers, and to the conversations of all other rows', () => {
	const filters = {
		...{ outcome: 'Sold', checklistNames: 'Close', checklistScoreBelow: 3 },
		...{ trackerNames: 'Budget', hitOrMissed: 'hit' },
	};
	const of = (...columns: string[]) => Object.keys(readFilter(filters, NODE, columns));
	expect(Object.keys(readFilter(filters, NODE)).sort()).toEqual(
		['outcome', ...Object.keys(filters).slice(1)].sort(),
	);
	expect(of('checklistName', 'checklistScore', 'outcome')).toEqual(['checklistNames', 'checklistScoreBelow']);
	expect(of('checklistName', 'trackerName', 'trackerIsHit')).toEqual([
		'checklistNames',
		'trackerNames',
		'hitOrMissed',
	]);
	expect(of('userId', 'outcome')).toEqual([]);
});

test('Simplified shows trackers and scores only if a filter compares them', () => {
	expect(fieldsShownFor(read({ outcome: 'Sold', minDuration: 5 }))).toEqual([]);
	expect(fieldsShownFor(read({ checklistScoreBelow: 2, hitOrMissed: 'hit', trackerNames: 'a' }))).toEqual([
		...['checklistScores', 'hitTrackers', 'missedTrackers'],
	]);
});

test.each<[filters: IDataObject, notes: string[]]>([
	[{ trackerNames: 'price, Budget' }, []],
	[
		{ trackerNames: 'Budgte' },
		['No tracker is named "Budgte". Did you mean "Budget"? (4 trackers searched)'],
	],
	[
		{ checklistNames: 'Closing, Discovery, Xyz' },
		[
			'No checklist is named "Closing". Did you mean "Close"? (6 checklists searched)',
			'No checklist is named "Xyz". Existing names: "Discovery", "Close", "Objections". (6 checklists searched)',
		],
	],
	[{ outcomeIsNot: 'opne' }, ['No outcome is named "opne". Did you mean "Open"? (1 outcome searched)']],
	[{ role: 'Owner' }, ['No role is named "Owner". (0 roles searched)']],
])('of the names in %j, those that no row has are told with the nearest ones: %j', (filters, notes) => {
	const filter = filterOf(filters);
	for (const row of [CALL, { outcome: null }]) filter.passes(row);
	expect(filter.unknownNames).toEqual(notes);
});

test('the example of a dropped row is the first that has a value', () => {
	const filter = filterOf({ outcome: 'Sold' });
	for (const outcome of [null, 'Lost', 'Open']) filter.passes({ outcome });
	expect(filter.example).toBe('for example, one has "Lost" in Outcome');
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

const BY_ALL = { users: ['ana@x'], outcome: ['sold'], text: 'roof', minDuration: 60, hasTranscript: true };
const EVENT = { title: 'Roof', userEmail: 'ana@x', duration: 60, transcriptUrl: LINK };

test.each<[filter: ConversationFilter, event: IDataObject, verdict: object | string]>([
	[BY_ALL, {}, 'undecided'],
	[BY_ALL, EVENT, 'undecided'],
	[BY_ALL, { ...EVENT, duration: 59 }, { refusedBy: 'minDuration' }],
	[BY_ALL, { ...EVENT, userEmail: 'Ana@x', duration: 59 }, { refusedBy: 'users' }],
	[{ users: ['ana@x'] }, EVENT, 'passes'],
	[{ users: ['ana@x'] }, { user: { email: 'ana@x' } }, 'passes'],
	[{ hasTranscript: true }, { ...EVENT, transcriptUrl: null }, { refusedBy: 'hasTranscript' }],
	// Null means that no contact fields exist.
	[{ customer: 'Ana' }, { customer: null }, { refusedBy: 'customer' }],
	[{ customer: 'Ana' }, { customerName: 'Bo' }, 'undecided'],
	[{}, {}, 'passes'],
])('the filter %j decides an event %j only by the fields that it has: %j', (filter, event, verdict) => {
	expect(verdictOf(filter, event, true)).toEqual(verdict);
});

test('users that are the members of teams are called teams', () => {
	const reason = reasonOf({ users: ['a@x'] }, 'users', EVENT, ['North']);
	expect(reason).toMatchObject({ label: 'Team Names or IDs', wanted: '"North"' });
});

test.each<[ConversationFilter, IDataObject, string]>([
	[{ outcome: ['NotSold', 'A, b'] }, { outcome: 'Sold' }, 'Outcome is set to "NotSold", "A, b"; "Sold"'],
	[{ outcome: ['NotSold'] }, { outcome: null }, 'Outcome is set to "NotSold"; none'],
	[{ users: ['a@x'] }, { user: { email: 'b@x' } }, 'User Names or IDs is set to "a@x"; "b@x"'],
	[{ minDuration: 60 }, { duration: 59 }, 'Minimum Duration (Seconds) is set to 60; 59'],
	[{ hasTranscript: true }, { transcriptUrl: '' }, 'Has Transcript is on; none'],
	[{ noAppointment: true }, { crmEventID: 'ev-1' }, 'No Appointment is on; "ev-1"'],
	[{ outcomeIsNot: ['Open'] }, CALL, 'Outcome Is Not is set to "Open"; "Open"'],
	[
		{ trackerNames: ['Authority'] },
		CALL,
		'Tracker Names is set to "Authority"; "Budget", "Decision maker", "Price", "Timing"',
	],
	[{ trackerNames: ['Budget'], hitOrMissed: 'missed' }, CALL, 'Hit or Missed is set to "missed"; hit'],
	[{ trackerNames: ['Timing'], hitOrMissed: 'hit' }, CALL, 'Hit or Missed is set to "hit"; none'],
	[{ checklistNames: ['Close'], checklistScoreBelow: 2 }, CALL, 'Checklist Score Below is set to 2; 3'],
	[{ activeOnly: true }, { isRemoved: true }, 'Active Only is on; "removed"'],
	[
		{ customer: 'Miller' },
		{ customer: { name: 'Bo', phone: '1' } },
		'Customer is set to "Miller"; "Bo", "1"',
	],
])('the filter %j says of %j: %s', (filter, row, words) => {
	const { refusedBy } = verdictOf(filter, row) as { refusedBy: Name };
	expect(whyRefused(reasonOf(filter, refusedBy, row))).toBe(
		words.replace('; ', ', but this conversation has '),
	);
});

test('filters are the same whatever the order of their parts, and differ by each part', () => {
	expect(isSameFilter({ minDuration: 5, outcome: ['a'] }, { outcome: ['a'], minDuration: 5 })).toBe(true);
	const parts = { users: ['a@x'], outcome: ['a'], minDuration: 0, hasTranscript: true, noAppointment: true };
	for (const [name, part] of Object.entries(parts)) expect(isSameFilter({}, { [name]: part })).toBe(false);
});
