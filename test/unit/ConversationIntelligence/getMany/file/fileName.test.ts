import { listFileName } from '../../../../../nodes/ConversationIntelligence/getMany/file/fileName';

const AUTOMATIC = {
	rowKind: 'conversations',
	range: { fromDate: '2026-02-28T23:00:00.000Z', toDate: '2026-03-31T21:59:59.999Z' },
	zone: 'Europe/Berlin',
};

test("names an unnamed file after the first and last day of its range in the workflow's time zone", () => {
	expect(listFileName('', ['csv'], AUTOMATIC)).toBe('conversations_2026-03-01_2026-03-31.csv');
	const inUtc = { ...AUTOMATIC, zone: 'UTC' };
	expect(listFileName('', ['ndjson'], inUtc)).toBe('conversations_2026-02-28_2026-03-31.ndjson');
});

test('names a file of several words with hyphens', () => {
	const errored = { ...AUTOMATIC, rowKind: 'recordings awaiting upload' };
	expect(listFileName('', ['csv'], errored)).toBe('recordings-awaiting-upload_2026-03-01_2026-03-31.csv');
});

test.each([
	['march', ['csv'], 'march.csv'],
	['march.CSV', ['csv'], 'march.CSV'],
	['v1.2', ['ndjson'], 'v1.2.ndjson'],
	['march', ['csv', 'gz'], 'march.csv.gz'],
	['march.csv', ['csv', 'gz'], 'march.csv.gz'],
	['march.csv.gz', ['csv', 'gz'], 'march.csv.gz'],
])('completes the name %p with the extensions %j to %s', (given, endings, expected) => {
	expect(listFileName(given, endings, AUTOMATIC)).toBe(expected);
});
