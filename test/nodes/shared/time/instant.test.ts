import { noDate, toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';

const YEAR_10000 = new Date('+010000-01-01T00:00:00Z');
const exported = (value: unknown) => toUtcTimestamp(value, 'Europe/Berlin', 'From Date');
const appointed = (value: unknown) => toAppointmentTime(value, 'Europe/Berlin', 'Start Time');

test('a year of five digits is a date for an export, and does not fit the format of an appointment', () => {
	expect(exported(YEAR_10000)).toBe('+010000-01-01T00:00:00.000Z');
	expect(() => appointed(YEAR_10000)).toThrow('Start Time must be a date and time (it is ');
});

test('the hour that a clock change repeats is the first one for an export', () => {
	expect(exported('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
});

test('the hour that a clock change skips moves on for an export', () => {
	expect(exported('2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z');
});

test('the smallest number of milliseconds is 100,000,000,000', () => {
	expect(exported(1e11)).toBe('1973-03-03T09:46:40.000Z');
	expect(exported(-1e11)).toBe('1966-10-31T14:13:20.000Z');
});

test('a number is named as seconds only if its thousandfold is a date', () => {
	expect(() => exported(100_000_000)).toThrow('in milliseconds, not seconds');
	expect(() => exported(99_999_999)).toThrow(/must be a date \(it is 99999999\)$/);
});

test.each([
	['2026-10-25T02:30:00', 'Europe/Berlin', 'happens twice'],
	['2026-10-25 02:30:00 Europe/Berlin', 'Asia/Dhaka', 'happens twice'],
	['2026-10-25T02:30:00[Europe/Berlin]', 'Asia/Dhaka', 'happens twice'],
	['2026-03-29T02:30:00', 'Europe/Berlin', 'does not exist'],
])('the refusal of %p in the zone %s says what to add', (text, zone, what) => {
	expect(() => toAppointmentTime(text, zone, 'Start Time')).toThrow(
		expect.objectContaining({
			message: `Start Time must happen once in Europe/Berlin (it is "${text}")`,
			description: `It ${what}, because the clocks change at this hour: add an offset such as +02:00.`,
		}),
	);
});

test.each([
	[() => exported('x'), 'From Date must be a date (it is "x")', '2026-03-01 or 2026-03-01T08:30:00Z'],
	[
		() => appointed('x'),
		'Start Time must be a date and time (it is "x")',
		'2026-03-01T08:30:00Z or 2026-03-01 08:30:00',
	],
	[() => exported(5), 'From Date must be a date (it is 5)', '2026-03-01 or 2026-03-01T08:30:00Z'],
])('the refusal of what is not a date shows examples: %s', (refused, message, examples) => {
	expect(refused).toThrow(
		expect.objectContaining({ message, description: `Use an ISO date such as ${examples}.` }),
	);
});

test('the refusal of the end of a range asks for a date', () => {
	expect(noDate('2026-02-30', 'To Date')).toMatchObject({
		message: 'To Date must be a date (it is "2026-02-30")',
		description: 'Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.',
	});
});
