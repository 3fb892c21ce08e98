import * as fc from 'fast-check';
import { judgeAge } from '../../../nodes/ConversationIntelligenceTrigger/deliveryAge';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

describe('judgeAge', () => {
	test('accepts every age up to the maximum, and refuses every older one', () => {
		const age = fc.integer({ min: -24 * HOUR_MS, max: 10_000 * HOUR_MS });
		const hours = fc.integer({ min: 1, max: 1000 });
		fc.assert(
			fc.property(age, hours, (ageMs, maximumHours) => {
				const isOld = ageMs > maximumHours * HOUR_MS;
				const refused = judgeAge(iso(NOW - ageMs), maximumHours * HOUR_MS, NOW);
				expect(refused?.code).toBe(isOld ? 'delivery_too_old' : undefined);
			}),
		);
	});

	test('accepts a sender whose clock is ahead by 90 seconds or by hours, however small the maximum', () => {
		for (const ahead of [90_000, 24 * HOUR_MS]) expect(judgeAge(iso(NOW + ahead), 1, NOW)).toBeUndefined();
	});

	test('refuses a time more than a day ahead, which could be replayed for long', () => {
		expect(judgeAge(iso(NOW + 24 * HOUR_MS + 1), HOUR_MS, NOW)?.code).toBe('delivery_too_old');
	});

	test('accepts any age, and any time, with a maximum of 0', () => {
		for (const sentAt of ['2001-01-01T00:00:00Z', undefined, 'soon']) {
			expect(judgeAge(sentAt, 0, NOW)).toBeUndefined();
		}
	});

	test.each([undefined, null, '', 'yesterday', 1_767_225_600_000, {}, '2026-02-30T10:00:00Z'])(
		'refuses a signed delivery whose time of sending is %p',
		(sentAt) => {
			expect(judgeAge(sentAt, HOUR_MS, NOW)).toMatchObject({ status: 401, code: 'sent_at_unreadable' });
		},
	);

	test.each([
		'2026-03-02T10:00:00',
		'2026-03-02T15:30:00+05:30',
		'2026-03-02T10:00:00.123456Z',
		'20260302T100000Z',
	])('reads %s as the same moment, whatever the time zone of n8n', (sentAt) => {
		expect(judgeAge(sentAt, 1000, NOW)).toBeUndefined();
		expect(judgeAge(sentAt, 1000, NOW + 2000)?.code).toBe('delivery_too_old');
	});
});
