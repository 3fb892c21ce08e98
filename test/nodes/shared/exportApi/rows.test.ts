import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { dateOf, instantOf, linkExpiry } from '../../../../nodes/shared/exportApi/rows';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

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

const DAY = {
	extended: 'yyyy-MM-dd',
	basic: 'yyyyMMdd',
	week: "kkkk-'W'WW-c",
	basicWeek: "kkkk'W'WWc",
	ordinal: 'yyyy-ooo',
	basicOrdinal: 'yyyyooo',
};

/** A random rendering of an instant in ISO 8601, and the instant to the precision that it shows. */
const renderings = fc
	.record({
		at: fc.date({ min: new Date('1900-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
		day: fc.constantFrom(...Object.values(DAY)),
		separator: fc.constantFrom('T', 't', ' '),
		isBasicTime: fc.boolean(),
		fraction: fc.constantFrom('', '.SSS', ',SSS', '.SSS456', ',SSS999999'),
		offset: fc.oneof(
			fc.constantFrom<[string, number]>(['Z', 0], ['z', 0], ['', 0], ['+00', 0], ['-0000', 0], ['+00:00', 0]),
			fc.integer({ min: -23, max: 23 }).map((hours) => [offsetOf(hours), hours * 60] as [string, number]),
			fc
				.integer({ min: -1439, max: 1439 })
				.map((minutes) => [offsetOf(minutes / 60, ':'), minutes] as [string, number]),
		),
	})
	// A blank in a basic form, or in a week, is no form that anybody writes.
	.filter(({ day, separator }) => separator !== ' ' || day === DAY.extended)
	.map(({ at, day, separator, isBasicTime, fraction, offset: [offset, minutes] }) => {
		const clock = DateTime.fromJSDate(at, { zone: 'utc' }).plus({ minutes });
		const time = isBasicTime ? 'HHmmss' : 'HH:mm:ss';
		const text = `${clock.toFormat(day)}${separator}${clock.toFormat(time + fraction)}${offset}`;
		return { text, instant: fraction === '' ? Math.floor(at.getTime() / 1000) * 1000 : at.getTime() };
	});

function offsetOf(hours: number, colon?: string): string {
	const minutes = Math.round(Math.abs(hours) * 60);
	const [h, m] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
	return `${hours < 0 ? '-' : '+'}${h}${colon === undefined ? '' : `${colon}${m}`}`;
}

describe('A date of the service', () => {
	// D1-CONVENTION-02, D1-CONV-03..04, D1-REC-02, D1-REC-04, D1-ERRORED-02, D1-ERRORED-12
	test('is read alike in every form of ISO 8601, as UTC where it has no offset', () => {
		fc.assert(
			fc.property(renderings, ({ text, instant }) => {
				expect([text, instantOf(text)]).toEqual([text, instant]);
			}),
		);
	});

	test.each([
		['2026-03-01', NOON - 12 * HOUR],
		['20260301T12', NOON],
		['2026-03-01T12:00', NOON],
		['2026-02-28T24:00:00Z', NOON - 12 * HOUR],
		['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
		['2026-03-01T13:00:00[Europe/Berlin]', NOON],
		[' 2026-03-01T12:00:00Z\n', NOON],
	])('is read from %j', (date, instant) => {
		expect(new Date(NOON).getHours()).not.toBe(12);
		expect(dateOf({ date, processedDate: '2020-01-01T00:00:00Z' }, 'date')).toBe(instant);
		expect(dateOf({ date: '2020-01-01T00:00:00Z', processedDate: date }, 'processedDate')).toBe(instant);
	});

	const unknown: unknown[] = [
		...['soon', '', '2026', '2026-03', '2026-W10', '01/03/2026', '1772366400', '1772366400000', '12:00:00Z'],
		...['2026-02-29T12:00:00Z', '2026-02-30T12:00:00', '2026-04-31T12:00:00Z', '2026-13-01T12:00:00Z'],
		...['2026-03-01T24:00:01Z', '2026-03-01T12:60:00Z', '2016-12-31T23:59:60Z', '2026-03-01T12:00:00 BST'],
		...['2026-03-01T12:00:00+24:00', '2026-03-01T12:00:00Z'.padStart(200), '2026-03-01T12:00:00Z (CET)'],
		...[NOON, null, undefined, [], {}, ['2026-03-01T12:00:00Z']],
	];
	test.each(unknown.map((date) => ({ date })))('is unknown when the field is $date', ({ date }) => {
		expect(dateOf({ date }, 'date')).toBeNaN();
		expect(dateOf(date, 'date')).toBeNaN();
	});
});

// D1-LIM-04
test.each<[unknown, string | null]>([
	['2026-03-01T12:00:00.000Z', '2026-03-01T18:00:00.000Z'],
	[NOON, '2026-03-01T18:00:00.000Z'],
	// Without an offset it is UTC, as for the age of a delivery.
	['2026-03-01T12:00:00', '2026-03-01T18:00:00.000Z'],
	['20260301T140000,000+02', '2026-03-01T18:00:00.000Z'],
	['soon', null],
	[undefined, null],
	[Infinity, null],
])('links issued at %j expire six hours later: %j', (issued, expected) => {
	expect(linkExpiry(issued)).toBe(expected);
});
