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
					new RegExp(`in milliseconds, not seconds \\(it is ${value}\\)$`),
				);
				const taken = read(value * 1000).replace(' ', 'T');
				expect(Date.parse(taken.endsWith('Z') ? taken : `${taken}Z`)).toBe(value * 1000);
			}),
		);
	});

	test('are never read from a number below 1e11 as milliseconds', () => {
		const small = fc.double({ min: -1e11, max: 1e11, minExcluded: true, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(small, (value) => expect(refusal(read, value)).toMatch(/ must be a date.* \(it is /)),
		);
		expect(refusal(read, 20260301)).not.toMatch(/seconds/);
	});

	test.each(['20260301083000', 20260301083000, '202603010830', ' 20260301083000 '])(
		'are not read from %p, a date without separators, as milliseconds',
		(value) => {
			expect(refusal(read, value)).toMatch(/ must be a date.* \(it is "? ?2026/);
		},
	);

	test.each(['12', '0830', '08:30', 'T08:30', '2026', '123', '1772354000', '2026060'])(
		'are not read from %p as a time of today or a year',
		(value) => {
			expect(refusal(read, value)).toMatch(new RegExp(` must be a date.* \\(it is "${value}"\\)$`));
		},
	);

	test.each([
		[null, 'empty'],
		['', 'empty'],
		[' \n', 'empty'],
		[true, 'true'],
		[{}, '{}'],
		[NaN, 'NaN'],
		[new Date('x'), 'null'],
	])('are refused for %p with the rule and %s', (value, what) => {
		expect(refusal(read, value)).toMatch(
			new RegExp(`^(From Date|Start Time) must be a date( and time)? \\(it is ${what}\\)$`),
		);
	});

	test('are refused for undefined as an expression that returned nothing', () => {
		expect(refusal(read, undefined)).toMatch(/^The expression for (From Date|Start Time) returned nothing$/);
	});
});

test.each(['2026-03', '2026-03-01', '20260301', '2026-060', '2026-W09-7', '20260301T083000Z'])(
	'accepts %p as a date',
	(value) => {
		expect(() => toUtcTimestamp(value, BERLIN, 'From Date')).not.toThrow();
	},
);
