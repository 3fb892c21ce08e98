import { dateOf, idReader, processedAt } from '../../../../nodes/shared/exportApi/rowFields';

const NOON = Date.parse('2026-03-01T12:00:00Z');

describe('The ID of a row', () => {
	const idOf = idReader(['conversations', 'awaitingUpload', 'errored']);

	test.each([
		['a conversation', { conversationId: 'c1' }, 'c1'],
		['a recording', { recordingId: 'r1' }, 'r1'],
		['a recording with an empty conversation ID', { conversationId: '', recordingId: 'r1' }, 'r1'],
		['a recording with a conversation ID that is no text', { conversationId: 7, recordingId: 'r1' }, 'r1'],
	])('is the one of %s', (_kind, row, id) => {
		expect(idOf(row)).toBe(id);
	});

	test.each([[{}], [{ conversationId: '' }], [{ recordingId: 7 }], [null], ['c1'], [['c1']]])(
		'is missing in %j, so that the row is not taken for another one',
		(row) => {
			expect(idOf(row)).toBeUndefined();
		},
	);

	test('is read only from the field of the arrays asked for', () => {
		expect(idReader(['conversations'])({ recordingId: 'r1' })).toBeUndefined();
	});
});

describe('The date of a row', () => {
	test.each([
		['2026-03-01T12:00:00Z', NOON],
		['2026-03-01t12:00:00z', NOON],
		['2026-03-01T14:00:00+02:00', NOON],
		['2026-03-01T07:00:00-0500', NOON],
		['2026-03-01T12:00:00.250Z', NOON + 250],
		['2026-03-01T12:00:00', NOON],
		['2026-03-01 12:00:00', NOON],
		['2026-03-01', NOON - 12 * 3_600_000],
	])('is read from %s, as UTC where it has no offset', (date, instant) => {
		expect(dateOf({ date, processedDate: '2020-01-01T00:00:00Z' }, 'date')).toBe(instant);
		expect(dateOf({ date: '2020-01-01T00:00:00Z', processedDate: date }, 'processedDate')).toBe(instant);
	});

	test.each([['soon'], [''], [1_772_366_400_000], [null], [undefined], [['2026-03-01T12:00:00Z']]])(
		'is unknown when the field contains %j',
		(date) => {
			expect(dateOf({ date }, 'date')).toBeNaN();
		},
	);

	test.each([[null], [undefined], ['2026-03-01T12:00:00Z']])('is unknown when the row is %j', (row) => {
		expect(dateOf(row, 'date')).toBeNaN();
	});
});

describe('The date of a row on a machine in another time zone', () => {
	const { TZ } = process.env;
	beforeAll(() => void (process.env.TZ = 'Pacific/Auckland'));
	afterAll(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});

	test('is still read as UTC', () => {
		expect(new Date(NOON).getHours()).not.toBe(12);
		expect(dateOf({ date: '2026-03-01T12:00:00' }, 'date')).toBe(NOON);
	});
});

describe('The time when a row was processed, and so appeared in its list', () => {
	test.each([
		['2026-03-01T12:00:00Z', NOON],
		['2026-03-01T14:00:00+02:00', NOON],
	])('is read from %s', (processedDate, instant) => {
		expect(processedAt({ processedDate, date: '2020-01-01T00:00:00Z' })).toBe(instant);
		expect(dateOf({ processedDate }, 'processedDate')).toBe(instant);
	});

	test.each([
		['2026-03-01T12:00:00'],
		['2026-03-01'],
		['2026-03-01 14:00:00+02:00 (CEST)'],
		[['2026-03-01T12:00:00Z']],
		[7],
		[null],
		[undefined],
	])('is unknown when processedDate is %j', (processedDate) => {
		expect(processedAt({ processedDate, date: '2020-01-01T00:00:00Z', duration: 90 })).toBeNaN();
	});
});
