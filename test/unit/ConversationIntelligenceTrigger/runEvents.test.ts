import { linkExpiry } from '../../../nodes/shared/conversation';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/runEvents';
import { processedEvent, testEvent } from '../../../playground/webhook/deliveries';

const sentAt = (sent_at: string, event: ReturnType<typeof processedEvent>) => ({ ...event, sent_at });

describe('eventItem', () => {
	test('returns the data, the event and two computed fields', () => {
		const event = sentAt('2026-03-02T10:00:00.000Z', processedEvent('6a4f6c1e-0000-4000-8000-000000000001'));
		expect(eventItem(event)).toEqual({
			...event.data,
			webhook_event_id: event.webhook_event_id,
			event_type: 'conversation_processed',
			sent_at: '2026-03-02T10:00:00.000Z',
			dedupeKey: '6a4f6c1e-0000-4000-8000-000000000001',
			transcriptUrlExpiresAt: '2026-03-02T16:00:00.000Z',
		});
	});

	test('keeps the nulls of a test event', () => {
		const item = eventItem(testEvent());
		expect(item).toMatchObject({ user_id: null, transcript_url: null, transcriptUrlExpiresAt: null });
	});

	test('has no dedupeKey without a conversation', () => {
		expect(eventItem({ event_type: 'test', sent_at: '2026-03-02T10:00:00.000Z', data: {} })).toMatchObject({
			dedupeKey: null,
		});
	});

	test('prefers a field of the event to a field of its data', () => {
		const mine = { event_type: 'test', sent_at: 'never', dedupeKey: 'mine' };
		const event = sentAt('2026-03-02T10:00:00.000Z', processedEvent('id', mine));
		expect(eventItem(event)).toMatchObject({
			event_type: 'conversation_processed',
			sent_at: '2026-03-02T10:00:00.000Z',
			dedupeKey: 'id',
		});
	});
});

test('linkExpiry returns null for a value that is not a time', () => {
	expect(linkExpiry('soon')).toBeNull();
	expect(linkExpiry(undefined)).toBeNull();
	expect(linkExpiry(Number.MAX_VALUE)).toBeNull();
	expect(linkExpiry(0)).toBe('1970-01-01T06:00:00.000Z');
});
