import { listFileName } from '../../../../../nodes/ConversationIntelligence/getMany/file/fileName';

const AUTOMATIC = {
	rowKind: 'conversations',
	range: { fromDate: '2026-02-28T23:00:00.000Z', toDate: '2026-03-31T21:59:59.999Z' },
	zone: 'Europe/Berlin',
};

const name = (
	given: string,
	ending: string,
	different: Partial<typeof AUTOMATIC> = {},
	used = new Set<string>(),
) => listFileName(given, ending, { ...AUTOMATIC, ...different }, used);

test("names an unnamed file after the first and last day of its range in the workflow's time zone", () => {
	expect(name('', 'csv')).toBe('conversations_2026-03-01_2026-03-31.csv');
	const inUtc = { zone: 'UTC' };
	expect(name('', 'ndjson', inUtc)).toBe('conversations_2026-02-28T2300_2026-03-31T2159.ndjson');
});

test('names a file of several words with hyphens', () => {
	const errored = { rowKind: 'recordings awaiting upload' };
	expect(name('', 'csv', errored)).toBe('recordings-awaiting-upload_2026-03-01_2026-03-31.csv');
});

test.each([
	['an hour', '2026-03-01T09:00:00.000Z', '2026-03-01T09:59:59.999Z', '2026-03-01T1000_2026-03-01T1059'],
	[
		'up to midnight',
		'2026-02-28T23:00:00.000Z',
		'2026-03-01T23:00:00.000Z',
		'2026-03-01T0000_2026-03-02T0000',
	],
	['up to now', '2026-02-28T23:00:00.000Z', '2026-03-12T13:05:00.000Z', '2026-03-01T0000_2026-03-12T1405'],
	['one day', '2026-02-28T23:00:00.000Z', '2026-03-01T22:59:59.999Z', '2026-03-01_2026-03-01'],
	['one day, to the minute', '2026-02-28T23:00:00.000Z', '2026-03-01T22:59:00.000Z', '2026-03-01_2026-03-01'],
	[
		'the day the clocks change',
		'2026-03-28T23:00:00.000Z',
		'2026-03-29T21:59:59.999Z',
		'2026-03-29_2026-03-29',
	],
])('has the times of a range that is not whole days: %s', (_range, fromDate, toDate, expected) => {
	expect(name('', 'csv', { range: { fromDate, toDate } })).toBe(`conversations_${expected}.csv`);
});

test.each([
	['march', 'csv', 'march.csv'],
	['march.CSV', 'csv', 'march.csv'],
	['march.csv', 'ndjson', 'march.ndjson'],
	['v1.2', 'ndjson', 'v1.2.ndjson'],
	['march', 'csv.gz', 'march.csv.gz'],
	['march.csv', 'csv.gz', 'march.csv.gz'],
	['march.gz', 'csv.gz', 'march.csv.gz'],
	['march.csv.gz', 'csv.gz', 'march.csv.gz'],
])('gives the name %p the ending %j: %s', (given, ending, expected) => {
	expect(name(given, ending)).toBe(expected);
});

test('numbers the files of a run that repeat a name, before the ending', () => {
	const used = new Set<string>();
	const names = ['all.csv', 'all', 'other', 'all_2', 'ALL'].map((given) => name(given, 'csv.gz', {}, used));
	expect(names).toEqual(['all.csv.gz', 'all_2.csv.gz', 'other.csv.gz', 'all_2_2.csv.gz', 'ALL.csv.gz']);
});
