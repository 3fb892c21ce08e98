import * as fc from 'fast-check';
import { deliveryContent } from '../../../nodes/ConversationIntelligenceTrigger/deliveryContent';
import { processedEvent } from '../../../harness/webhook/deliveries';

const link = fc.uuid().map((signature) => `https://media.example/a.json?signature=${signature}`);

// D1-ENVELOPE-01, D1-ENVELOPE-03, D1-DATA-04
test('is the same for each attempt to deliver an event', () => {
	const attempt = (transcript_url: string, audio: string, sent_at: string) => ({
		...processedEvent('id', { transcript_url, later: { audio: [audio] } }),
		sent_at,
	});
	fc.assert(
		fc.property(link, link, fc.string(), (one, other, sentAt) => {
			const again = attempt(other, one, sentAt);
			expect(deliveryContent(again)).toBe(deliveryContent(attempt(one, other, 'earlier')));
			const backwards = Object.entries(again.data).reverse();
			const reordered = { ...again, data: Object.fromEntries(backwards) };
			expect(deliveryContent(reordered)).toBe(deliveryContent(again));
		}),
	);
});

test.each([
	['its ID', { conversation_id: 'another' }],
	['its summary', { summary: 'A new summary' }],
	['its summary, which begins with a link', { summary: 'https://example.com is new' }],
	['its summary, which ends with a link', { summary: 'See https://example.com' }],
	['a file', { surveys: [{ data: { photo: 'https://media.example/2.jpg?signature=1' } }] }],
	['an answer', { surveys: [{ data: { question: 'no' } }] }],
	['a missing field', { custom_insights: undefined }],
	['an undocumented field', { mood: 'good' }],
	['a transcript that it did not have', { transcript_url: null }],
])('differs for a conversation that was processed again with a change of %s', (_field, change) => {
	const photo = 'https://media.example/1.jpg?signature=1';
	const before = processedEvent('id', { surveys: [{ data: { photo } }] });
	const after = processedEvent('id', { ...before.data, ...change });
	expect(deliveryContent(after)).not.toBe(deliveryContent(before));
});

test('keeps objects apart whose parts look alike when joined', () => {
	const one = deliveryContent(processedEvent('id', { a: { b: 1 }, c: 2 }));
	expect(deliveryContent(processedEvent('id', { a: { b: 1, c: 2 } }))).not.toBe(one);
	expect(deliveryContent(processedEvent('id', { a: { 'b":1,"c': 2 }, c: 2 }))).not.toBe(one);
});
