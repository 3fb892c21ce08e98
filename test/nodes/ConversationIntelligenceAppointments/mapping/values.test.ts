import fc from 'fast-check';
import { toPathSegment } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/eventId';
import { readPrice } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';

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
});
