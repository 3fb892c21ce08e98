import { Settings } from 'luxon';
import { dateOf, linkExpiry, processedAt } from '../../../../nodes/shared/exportApi/rows';

const NOON = Date.parse('2026-03-01T12:00:00Z');

// A time without an offset must be read neither in the zone of the machine nor in n8n's own.
const { TZ } = process.env;
beforeAll(() => {
	process.env.TZ = 'Pacific/Auckland';
	Settings.defaultZone = 'Asia/Tokyo';
});
afterAll(() => {
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
	Settings.defaultZone = 'system';
});

describe('The date of a row', () => {
	// D1-CONV-03, D1-REC-02, D1-ERRORED-02
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
		expect(new Date(NOON).getHours()).not.toBe(12);
		expect(dateOf({ date, processedDate: '2020-01-01T00:00:00Z' }, 'date')).toBe(instant);
		expect(dateOf({ date: '2020-01-01T00:00:00Z', processedDate: date }, 'processedDate')).toBe(instant);
	});

	test.each(['soon', '', 2026, null, undefined])('is unknown when the field is %j', (date) => {
		expect(dateOf({ date }, 'date')).toBeNaN();
		expect(dateOf(date, 'date')).toBeNaN();
	});
});

// D1-CONV-04, D1-REC-04, D1-ERRORED-12
test.each([
	['2026-03-01T12:00:00Z', NOON],
	['2026-03-01T14:00:00+02:00', NOON],
	['2026-03-01T12:00:00', NaN],
	['2026-03-01', NaN],
	['2026-03-01 14:00:00+02:00 (CEST)', NaN],
	[7, NaN],
	[['2026-03-01T12:00:00Z'], NaN],
	[null, NaN],
])('the time when a row was processed is read from %j only with an offset: %d', (processedDate, instant) => {
	expect(processedAt({ processedDate, date: '2020-01-01T00:00:00Z' })).toBe(instant);
});

// D1-LIM-04
test.each<[unknown, string | null]>([
	['2026-03-01T12:00:00.000Z', '2026-03-01T18:00:00.000Z'],
	[NOON, '2026-03-01T18:00:00.000Z'],
	// Without an offset it is UTC, as for the age of a delivery.
	['2026-03-01T12:00:00', '2026-03-01T18:00:00.000Z'],
	['2026-03-01T14:00:00+02:00', '2026-03-01T18:00:00.000Z'],
	['soon', null],
	[undefined, null],
	[Infinity, null],
])('links issued at %j expire six hours later: %j', (issued, expected) => {
	expect(linkExpiry(issued)).toBe(expected);
});
