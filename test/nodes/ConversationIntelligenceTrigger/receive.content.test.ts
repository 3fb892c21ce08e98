import * as fc from 'fast-check';
import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { deliveryContent, isRepeat } from '../../../nodes/ConversationIntelligenceTrigger/receive';
import type { WebhookSettings } from '../../../nodes/ConversationIntelligenceTrigger/panel';
import { processedEvent } from '../../../harness/webhook/deliveries';

test('remembers 100,000 deliveries of all triggers, and forgets the oldest with the next one', async () => {
	const arrives = async (id: number, workflow = id % 20) => {
		const response = Object.assign(new EventEmitter(), {
			statusCode: 200,
			writableFinished: true,
			closed: false,
		});
		const context = {
			getNode: () => ({ id: 'node', name: 'Node' }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: String(workflow) }),
			logger: { info: () => {} },
		} as unknown as IWebhookFunctions;
		const event = { event_type: 'conversation_processed', data: { conversation_id: String(id) } };
		const settings = { maximumAgeMs: 900_000 } as WebhookSettings;
		const wasKnown = await isRepeat(context, { event, isSigned: true }, settings);
		response.emit('close');
		await new Promise(setImmediate);
		return wasKnown;
	};
	for (let id = 1; id <= 100_000; id++) await arrives(id);
	expect(await arrives(1)).toBe(true);
	// Another trigger has not received it, and the first delivery makes room for it.
	expect(await arrives(2, 19)).toBe(false);
	expect(await arrives(2)).toBe(true);
	expect(await arrives(1)).toBe(false);
	expect(await arrives(2)).toBe(false);
});

// D1-ENVELOPE-01, D1-ENVELOPE-03, D1-DATA-04, D1-EVENT-01, D1-WH-04
test('is the same for each attempt to deliver an event', () => {
	/** The transcript's link is presigned whatever its query, any other if it looks so. */
	const attempt = (webhook_event_id: string, token: string, sent_at: string) => ({
		...processedEvent('id', {
			transcript_url: `https://media.example/t.json?token=${token}`,
			later: {
				audio: [`http://media.example/a.wav?Expires=1&X-Amz-Signature=${token}#t`, `https://b/?sig=${token}`],
			},
		}),
		webhook_event_id,
		sent_at,
	});
	const anAttempt = fc.tuple(fc.uuid(), fc.uuid(), fc.string()).map((parts) => attempt(...parts));
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
	['its transcript alone', { transcript_url: 'https://media.example/second.json?signature=1' }],
	['a link whose query is no signature', { conversation_url: 'https://app.example/open?conversation=2' }],
])('differs for a conversation that was processed again with a change of %s', (_field, change) => {
	const photo = 'https://media.example/1.jpg?signature=1';
	const before = processedEvent('id', {
		surveys: [{ data: { photo } }],
		transcript_url: 'https://media.example/first.json?signature=1',
		conversation_url: 'https://app.example/open?conversation=1',
	});
	const after = processedEvent('id', { ...before.data, ...change });
	expect(deliveryContent(after)).not.toBe(deliveryContent(before));
});

test('is the same in whatever order the keys come, and keeps apart what looks alike when joined', () => {
	const content = (change: Record<string, unknown>) => deliveryContent(processedEvent('id', change));
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (data) => {
			const turned = Object.fromEntries(Object.entries(data).reverse());
			expect(content({ b: turned, a: [turned] })).toBe(content({ a: [data], b: data }));
		}),
	);
	for (const [one, other] of [
		[{ a: [1, 2] }, { a: [2, 1] }],
		[{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
		[
			{ a: { b: 1 }, c: 2 },
			{ a: { 'b":1,"c': 2 }, c: 2 },
		],
	] as const) {
		expect(content(one)).not.toBe(content(other));
	}
});

test.each(['https://example.com is what? ', 'Is it https://example.com?'])(
	'keeps a text whole that only contains a link: %s',
	(text) => {
		const withSummary = (summary: string) => deliveryContent(processedEvent('id', { summary }));
		expect(withSummary(`${text}a`)).not.toBe(withSummary(`${text}b`));
	},
);
