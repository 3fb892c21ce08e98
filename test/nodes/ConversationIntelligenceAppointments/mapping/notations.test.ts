import fc from 'fast-check';
import { readPrice, readTime } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import type { SlashDates } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/notations';
import { CodedError } from '../../../../nodes/shared/base/errors';
import { reading } from '../mapping';

const messageOf = (read: () => unknown) => {
	try {
		return read();
	} catch (error) {
		return (error as CodedError).message;
	}
};

describe('A price', () => {
	const PRICES: Array<[number, string]> = [
		[
			1234.5,
			"$1,234.50 | 1.234,50 € | EUR1.234,50 | CHF 1'234.50 | EUR 1’234,5 | 1 234,50 zł | 1\u202f234.50 | US$ 1,234.50",
		],
		[1234.5, '$1,234.50 USD | 1234.5 | 1234,50 | +1,234.50 | Rs.1,234.50 | R$ 1.234,50'],
		[900, 'USD 900 | 900usd | USD900 | kr900 | CHF 900.- | 900,– € | 900. | kr 900 | 900 Euro'],
		[123456, '₹1,23,456 | 1,23,456.00 | ¥123,456 | 123.456 € | 123 456'],
		[12345678, '1,23,45,678 | 12,345,678 | 12.345.678'],
		[-5, '-5 | -$5.00 | $-5 | −5,0 €'],
		[0.123, '0.123 | 0,123 | .123 | 123e-3'],
	];
	// D2-APPT-10, D2-LIM-04
	test.each(PRICES.flatMap(([price, texts]) => texts.split(' | ').map((text) => [text, price] as const)))(
		'is read from %j as %d',
		(text, price) => {
			expect(readPrice(text, 'Price')).toBe(price);
		},
	);

	test.each([
		['1.234', '1234 or 1.234'],
		['1,234', '1234 or 1.234'],
		['KWD 1,200', '1200 or 1.2'],
	])('with two readings is refused, and both are named: %j', (text, readings) => {
		expect(() => readPrice(text, 'Price')).toThrow(`Price "${text}" is ${readings}`);
	});

	const format = (locale: string, price: number) =>
		new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(price);
	test('is read as any locale writes it', () => {
		const locale = fc.constantFrom(...'en-US de-DE fr-FR de-CH en-IN pt-BR pl-PL sv-SE da-DK'.split(' '));
		fc.assert(
			fc.property(locale, fc.integer({ min: 0, max: 10 ** 9 }), (name, cents) => {
				expect(readPrice(format(name, cents / 100), 'Price')).toBe(cents / 100);
			}),
		);
	});
});

describe('A date with the year last', () => {
	const read = (text: string, slashDates: SlashDates) =>
		messageOf(() => readTime(text, 'Start', reading({ zone: 'UTC', slashDates })));

	test.each<[string, SlashDates, string]>([
		['3/14/2026 2:30 PM', 'monthFirst', '2026-03-14 14:30:00'],
		['3/14/2026, 2:30:05\u202fpm', 'monthFirst', '2026-03-14 14:30:05'],
		['03-14-2026 12 AM', 'monthFirst', '2026-03-14 00:00:00'],
		['14/03/2026 14:30', 'dayFirst', '2026-03-14 14:30:00'],
		['14.3.2026 9:05', 'dayFirst', '2026-03-14 09:05:00'],
		['14.3.2026 9.05.30', 'dayFirst', '2026-03-14 09:05:30'],
		['4/3/2026 12:00 p.m.', 'dayFirst', '2026-03-04 12:00:00'],
		['3/14/2026 2:30 PM +01:00', 'monthFirst', '2026-03-14 13:30:00'],
		['3/14/2026 14:30 [Asia/Tokyo]', 'monthFirst', '2026-03-14 05:30:00'],
		['2026/03/14 14:30', 'refuse', '2026-03-14 14:30:00'],
		['2026-3-14 2:30 PM', 'dayFirst', '2026-03-14 14:30:00'],
		['2026-03-14 10:30 PM', 'refuse', '2026-03-14 22:30:00'],
		['2026-03-14 10.30', 'refuse', '2026-03-14 10:30:00'],
		['2026-03-14 14:30 EST', 'refuse', 'Start must have a clear time zone (it is "2026-03-14 14:30 EST")'],
		['3/14/26 9:00', 'monthFirst', 'Start must have a year of four digits (it is "3/14/26 9:00")'],
		['3/14/2026 2 PM EST', 'monthFirst', 'Start must have a clear time zone (it is "2026-03-14T14:00 EST")'],
	])('%j with %s: %s', (text, order, expected) => {
		expect(read(text, order)).toBe(expected);
	});

	test.each<[string, SlashDates, string]>([
		['3/4/2026 9:00', 'refuse', '2026-03-04 (month first) or 2026-04-03 (day first)'],
		['14.03.2026 9:00', 'refuse', 'no date (month first) or 2026-03-14 (day first)'],
		['14/03/2026 9:00', 'monthFirst', 'no date (month first) or 2026-03-14 (day first)'],
	])('%j with %s is refused, and its readings are named: %s', (text, order, readings) => {
		expect(read(text, order)).toBe(`Start "${text}" is ${readings}`);
	});

	test.each(
		'2/30/2026 9:00|3/14/2026 14:30 PM|3/14/2026 0:30 AM|3/14/2026 25:30|13/14/2026 9:00|3/14-2026 9:00|3/14/2026 9|14.3.2026T9.30|14.3.2026 9:30.15'.split(
			'|',
		),
	)('is no date in any order: %j', (text) => {
		expect(read(text, 'monthFirst')).toBe(`Start must be a date and time (it is "${text}")`);
	});
});
