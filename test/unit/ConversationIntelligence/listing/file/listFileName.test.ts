import { listFileName } from '../../../../../nodes/ConversationIntelligence/listing/file/listFileName';

const AUTOMATIC = {
	rowKind: 'conversations',
	range: { fromDate: '2026-02-28T23:00:00.000Z', toDate: '2026-03-31T21:59:59.999Z' },
	zone: 'Europe/Berlin',
};

test.each([undefined, '', ' '])(
	'a file without a name (%p) is named by the days in the time zone of the workflow',
	(given) => {
		expect(listFileName(given, ['csv'], AUTOMATIC)).toBe('conversations_2026-03-01_2026-03-31.csv');
		const inUtc = { ...AUTOMATIC, zone: 'UTC' };
		expect(listFileName(given, ['ndjson'], inUtc)).toBe('conversations_2026-02-28_2026-03-31.ndjson');
	},
);

test.each([
	['march', ['csv'], 'march.csv'],
	[' march.csv ', ['csv'], 'march.csv'],
	['march.CSV', ['csv'], 'march.CSV'],
	['v1.2', ['ndjson'], 'v1.2.ndjson'],
	['march', ['csv', 'gz'], 'march.csv.gz'],
	['march.csv', ['csv', 'gz'], 'march.csv.gz'],
	['march.csv.gz', ['csv', 'gz'], 'march.csv.gz'],
])('the name %p of a file of type %j becomes %s', (given, endings, expected) => {
	expect(listFileName(given, endings, AUTOMATIC)).toBe(expected);
});

test.each([7, null, {}, ['a']])('the name %p is refused, not ignored', (given) => {
	expect(() => listFileName(given, ['csv'], AUTOMATIC)).toThrow(/^File Name is /);
});
