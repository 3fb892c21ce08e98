import { listFileName } from '../../../../../nodes/ConversationIntelligence/getMany/file/fileName';

const RANGE = { fromDate: '2026-02-28T23:00:00.000Z', toDate: '2026-03-31T21:59:59.999Z' };
const list = { rowKind: 'recordings awaiting upload', range: RANGE, zone: 'Europe/Berlin' };

test.each([
	['of whole days', RANGE.fromDate, RANGE.toDate, '2026-03-01_2026-03-31'],
	['of an hour', '2026-03-01T09:00:00.000Z', '2026-03-01T09:59:59.999Z', '2026-03-01T1000_2026-03-01T1059'],
	['to midnight', RANGE.fromDate, '2026-03-01T23:00:00.000Z', '2026-03-01T0000_2026-03-02T0000'],
	['to now', RANGE.fromDate, '2026-03-12T13:05:00.000Z', '2026-03-01T0000_2026-03-12T1405'],
	['of one day, to the minute', RANGE.fromDate, '2026-03-01T22:59:00.000Z', '2026-03-01_2026-03-01'],
	[
		'of the day the clocks change',
		'2026-03-28T23:00:00.000Z',
		'2026-03-29T21:59:59.999Z',
		'2026-03-29_2026-03-29',
	],
])("is made from a range %s in the workflow's time zone", (_range, fromDate, toDate, dates) => {
	const range = { fromDate, toDate };
	const name = `recordings-awaiting-upload_${dates}.csv`;
	expect(listFileName('', 'csv', { ...list, range }, new Set())).toBe(name);
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
])('of %p gets the ending %j: %s', (given, ending, name) => {
	expect(listFileName(given, ending, list, new Set())).toBe(name);
});

test('gets a number before the ending when a run repeats it', () => {
	const used = new Set<string>();
	const names = ['all.csv', 'all', 'other', 'all_2', 'ALL'].map((given) =>
		listFileName(given, 'csv.gz', list, used),
	);
	expect(names).toEqual(['all.csv.gz', 'all_2.csv.gz', 'other.csv.gz', 'all_2_2.csv.gz', 'ALL.csv.gz']);
});
