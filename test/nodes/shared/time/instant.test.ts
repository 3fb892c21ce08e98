import fc from 'fast-check';
import { noDate, toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';

const exported = (value: unknown) => toUtcTimestamp(value, 'Europe/Berlin', 'From Date');
const appointed = (value: unknown) => toAppointmentTime(value, 'Europe/Berlin', 'Start Time');
const withCode = (code: string) => expect.objectContaining({ details: expect.objectContaining({ code }) });

describe('For an export', () => {
	test.each([
		[
			'the repeated hour of a clock change is the first one',
			'2026-10-25T02:30:00',
			'2026-10-25T00:30:00.000Z',
		],
		['a skipped hour moves on', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
		['the smallest number of milliseconds is 1e11', 1e11, '1973-03-03T09:46:40.000Z'],
		['a negative number is before 1970', -1e11, '1966-10-31T14:13:20.000Z'],
		['a year can have five digits', new Date('+010000-01-01T00:00:00Z'), '+010000-01-01T00:00:00.000Z'],
		['a month is a date', '2026-03', '2026-02-28T23:00:00.000Z'],
		['a week is a date', '2026-W09', '2026-02-22T23:00:00.000Z'],
		['the day of a year is a date', '2026-060', '2026-02-28T23:00:00.000Z'],
		['a basic day is a date', '20260301', '2026-02-28T23:00:00.000Z'],
	])('%s: %p', (_rule, value, expected) => {
		expect(exported(value)).toBe(expected);
	});

	test.each(['2026-02-30', 5])('the refusal of %p shows examples of a date', (value) => {
		const error = {
			message: `From Date must be a date (it is ${JSON.stringify(value)})`,
			description: 'Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.',
		};
		expect(() => exported(value)).toThrow(expect.objectContaining(error));
		expect(noDate(value, 'From Date')).toMatchObject(error);
	});
});

describe('For an appointment', () => {
	test.each([
		['2026-10-25T02:30:00', 'Europe/Berlin', 'time_repeated'],
		['2026-10-25 02:30:00 Europe/Berlin', 'Asia/Dhaka', 'time_repeated'],
		['2026-10-25T02:30:00[Europe/Berlin]', 'Asia/Dhaka', 'time_repeated'],
		['2026-03-29T02:30:00', 'Europe/Berlin', 'time_skipped'],
	])('%p in the zone %s is refused with %s', (text, zone, code) => {
		expect(() => toAppointmentTime(text, zone, 'Start Time')).toThrow(withCode(code));
	});

	test.each(['x', '2026-03', '2026-W10', new Date('+010000-01-01T00:00:00Z')])(
		'the refusal of %p shows examples of a time',
		(value) => {
			const error = {
				message: expect.stringMatching(/^Start Time must be a date and time \(it is "/),
				description: 'Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00.',
			};
			expect(() => appointed(value)).toThrow(expect.objectContaining(error));
		},
	);
});

describe.each([
	['a range', 'date', exported],
	['an appointment', 'time', appointed],
] as const)('The dates of %s', (_whose, use, read) => {
	test('are refused as numbers that look like seconds, and accepted as milliseconds', () => {
		const seconds = fc.integer({ min: Date.UTC(1974, 0) / 1000, max: Date.UTC(2100, 0) / 1000 });
		fc.assert(
			fc.property(seconds, (value) => {
				expect(() => read(value)).toThrow(withCode(`${use}_in_seconds`));
				const taken = read(value * 1000).replace(' ', 'T');
				expect(Date.parse(taken.endsWith('Z') ? taken : `${taken}Z`)).toBe(value * 1000);
			}),
		);
		expect(() => read(100_000_000)).toThrow('in milliseconds, not seconds (it is 100000000)');
		expect(() => read(99_999_999)).toThrow(withCode(`${use}_invalid`));
	});

	test('are never read from a number below 1e11 as milliseconds', () => {
		const small = fc.double({ min: -1e11, max: 1e11, minExcluded: true, maxExcluded: true, noNaN: true });
		fc.assert(fc.property(small, (value) => expect(() => read(value)).toThrow(/ must be a date.* \(it is /)));
	});

	test.each([
		...['20260301083000', 20260301083000, '202603010830', ' 20260301083000 ', 20260301],
		...['12', '0830', '08:30', 'T08:30', '2026', '123', '1772354000', '2026060'],
		...[null, '', ' \n', true, {}, NaN, new Date('x')],
	])('are not read from %p', (value) => {
		expect(() => read(value)).toThrow(withCode(`${use}_invalid`));
	});

	test('are refused for undefined as an expression that returned nothing', () => {
		expect(() => read(undefined)).toThrow(withCode('expression_empty'));
	});
});
