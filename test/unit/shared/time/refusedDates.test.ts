import * as fc from 'fast-check';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';

const BERLIN = 'Europe/Berlin';
const readers = [
	['an export', (value: unknown) => toUtcTimestamp(value, BERLIN, 'From Date')],
	['an appointment', (value: unknown) => toAppointmentTime(value, BERLIN, 'Start Time')],
] as const;

/** The message that refuses a value, or "accepted as …". */
function refusal(read: (value: unknown) => string, value: unknown): string {
	try {
		return `accepted as ${read(value)}`;
	} catch (error) {
		return (error as Error).message;
	}
}

describe.each(readers)('The dates of %s', (_whose, read) => {
	test('are refused as numbers that look like seconds, and accepted as milliseconds', () => {
		const seconds = fc.integer({ min: Date.UTC(1974, 0) / 1000, max: Date.UTC(2100, 0) / 1000 });
		fc.assert(
			fc.property(seconds, (value) => {
				expect(refusal(read, value)).toMatch(
					new RegExp(`is the number ${value}, .*looks like seconds; multiply by 1000$`),
				);
				const taken = read(value * 1000).replace(' ', 'T');
				expect(Date.parse(taken.endsWith('Z') ? taken : `${taken}Z`)).toBe(value * 1000);
			}),
		);
	});

	test('are never read from a number below 1e11 as milliseconds', () => {
		const small = fc.double({ min: -1e11, max: 1e11, minExcluded: true, maxExcluded: true, noNaN: true });
		fc.assert(fc.property(small, (value) => expect(refusal(read, value)).toMatch(/ is the number /)));
		expect(refusal(read, 20260301)).not.toMatch(/seconds;/);
	});

	test.each(['12', '0830', '08:30', 'T08:30', '2026', '123', '1772354000', '2026060'])(
		'are not read from %p as a time of today or a year',
		(value) => {
			expect(refusal(read, value)).toMatch(new RegExp(`is "${value}", which is not a date.* can read$`));
		},
	);

	test.each([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		[' \n', 'empty'],
		[true, 'not a date'],
		[{}, 'not a date'],
		[NaN, 'not a date'],
		[new Date('x'), 'not a date'],
	])('are refused for %p with a message that says only %s', (value, what) => {
		expect(refusal(read, value)).toMatch(new RegExp(`^(From Date|Start Time) is ${what}( and time)?$`));
	});
});

test.each(['2026-03', '2026-03-01', '20260301', '2026-060', '2026-W09-7', '20260301T083000Z'])(
	'accepts %p as a date',
	(value) => {
		expect(() => toUtcTimestamp(value, BERLIN, 'From Date')).not.toThrow();
	},
);
