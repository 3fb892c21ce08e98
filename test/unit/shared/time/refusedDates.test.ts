import * as fc from 'fast-check';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';

const BERLIN = 'Europe/Berlin';
const readers = [
	['an export', (value: unknown) => toUtcTimestamp(value, BERLIN, 'From Date')],
	['an appointment', (value: unknown) => toAppointmentTime(value, BERLIN, 'Start Time')],
] as const;

/** What the reader says against a value; fails when it takes it. */
function refusal(read: (value: unknown) => string, value: unknown): string {
	try {
		return `taken as ${read(value)}`;
	} catch (error) {
		return (error as Error).message;
	}
}

describe.each(readers)('The dates of %s', (_whose, read) => {
	test('numbers of seconds are refused and said to be seconds; milliseconds are taken', () => {
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

	test('no number below 1e11 is ever taken for milliseconds', () => {
		const small = fc.double({ min: -1e11, max: 1e11, minExcluded: true, maxExcluded: true, noNaN: true });
		fc.assert(fc.property(small, (value) => expect(refusal(read, value)).toMatch(/ is the number /)));
		expect(refusal(read, 20260301)).not.toMatch(/seconds;/);
	});

	test.each(['12', '0830', '08:30', 'T08:30', '2026', '123', '1772354000', '1772354000000'])(
		'%p is no date, not a time of today nor a year',
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
	])('%p is %s, and the message says nothing else', (value, what) => {
		expect(refusal(read, value)).toMatch(new RegExp(`^(From Date|Start Time) is ${what}( and time)?$`));
	});
});

test.each(['2026-03', '2026-03-01', '20260301', '2026060', '2026-W09-7', '20260301T083000Z'])(
	'%p is a date',
	(value) => {
		expect(() => toUtcTimestamp(value, BERLIN, 'From Date')).not.toThrow();
	},
);
