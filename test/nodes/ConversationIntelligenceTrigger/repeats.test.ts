import * as fc from 'fast-check';
import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { deliveryContent, isRepeat } from '../../../nodes/ConversationIntelligenceTrigger/repeats';
import type { Settings } from '../../../nodes/ConversationIntelligenceTrigger/panel';
import { processedEvent } from '../../../harness/webhook/deliveries';

test('remembers 50,000 deliveries of each trigger, and forgets its oldest with the next one', async () => {
	const arrives = async (id: number) => {
		const response = Object.assign(new EventEmitter(), {
			statusCode: 200,
			writableFinished: true,
			closed: false,
		});
		const context = {
			getNode: () => ({ id: 'node', name: 'Node' }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: 'workflow' }),
			logger: { info: () => {} },
		} as unknown as IWebhookFunctions;
		const event = { event_type: 'conversation_processed', data: { conversation_id: String(id) } };
		const settings = { maximumAgeMs: 900_000 } as Settings;
		const wasKnown = await isRepeat(context, { event, isSigned: true }, settings);
		response.emit('close');
		await new Promise(setImmediate);
		return wasKnown;
	};
	for (let id = 1; id <= 50_000; id++) await arrives(id);
	// Moves it to the end, so that the next one is the oldest.
	expect(await arrives(1)).toBe(true);
	expect(await arrives(50_001)).toBe(false);
	expect(await arrives(3)).toBe(true);
	expect(await arrives(2)).toBe(false);
});

// D1-ENVELOPE-01, D1-ENVELOPE-03, D1-DATA-04, D1-EVENT-01, D1-WH-04
test('is the same for each attempt to deliver an event', () => {
	/** The transcript's link may change as a whole, any other only after its path. */
	const attempt = (transcript: string, signature: string, sent_at: string) => ({
		...processedEvent('id', {
			transcript_url: `https://media.example/${transcript}?signature=${signature}`,
			later: { audio: [`http://media.example/a.wav?signature=${signature}#t`] },
		}),
		sent_at,
	});
	const anAttempt = fc.tuple(fc.webSegment(), fc.uuid(), fc.string()).map((parts) => attempt(...parts));
	fc.assert(
		fc.property(anAttempt, anAttempt, (first, again) => {
			expect(deliveryContent(again)).toBe(deliveryContent(first));
		}),
	);
});

// D1-DATA-01, D1-ENVELOPE-01
test.each([
	['its ID', { conversation_id: 'another' }],
	['its summary', { summary: 'A new summary' }],
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

test.each(['https://example.com is what? ', 'Is it https://example.com?'])(
	'keeps a text whole that only contains a link: %s',
	(text) => {
		const withSummary = (summary: string) => deliveryContent(processedEvent('id', { summary }));
		expect(withSummary(`${text}a`)).not.toBe(withSummary(`${text}b`));
	},
);
