import fc from 'fast-check';
import { toPathSegment } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/eventId';
import {
	readObject,
	readPrice,
	readText,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';

describe('an event ID in a path', () => {
	// D2-DEL-01
	test('survives any URL parser unchanged, whatever it contains', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
				fc.pre(id !== '.' && id !== '..');
				const { pathname } = new URL(`https://crm.example.com/v1/custom/appointment/${toPathSegment(id)}`);
				const prefix = '/v1/custom/appointment/';
				expect(pathname.startsWith(prefix)).toBe(true);
				expect(pathname.slice(prefix.length)).not.toContain('/');
				expect(decodeURIComponent(pathname.slice(prefix.length))).toBe(id);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('a price', () => {
	// D2-APPT-10, D2-LIM-04
	test('is read from a number or its decimal text', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (price) => {
				expect(readPrice(price, 'Price')).toBe(price);
				expect(readPrice(` ${price} `, 'Price')).toBe(Number(String(price)));
			}),
		);
	});

	test.each(['$12', '1,200', '1.200,50', '12 EUR', '0x10', 'NaN', '', Infinity, NaN, true, [5], {}])(
		'refuses %j',
		(value) => {
			expect(() => readPrice(value, 'Price')).toThrow(/^Price must be a number \(it is /);
		},
	);
});

test('an expression that returns NaN is refused as text, which would create an outcome of that name', () => {
	expect(() => readText(NaN, 'Result')).toThrow('Result must be text or a number (it is NaN)');
});

test.each([NaN, Infinity, -Infinity])(
	'custom fields with %p are refused, because null would be sent',
	(value) => {
		expect(() => readObject({ price: [{ margin: value }] }, 'Custom Fields')).toThrow(
			`Custom Fields must not contain ${value}`,
		);
	},
);
