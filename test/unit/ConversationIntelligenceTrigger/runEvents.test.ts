import type { IExecuteFunctions } from 'n8n-workflow';
import { linkExpiry } from '../../../nodes/shared/exportApi/conversation';
import { eventItem, runEvents } from '../../../nodes/ConversationIntelligenceTrigger/runEvents';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { NODE, scriptedService } from '../shared/http/scriptedService';

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

describe('runEvents', () => {
	/** An execution of the trigger whose workflow saved no parameters. */
	const run = async (event: ReturnType<typeof eventItem>) => {
		const addExecutionHints = jest.fn();
		const output = await runEvents({
			getNodeParameter: (...[, , fallback]: [string, number, unknown?]) => {
				// As n8n does without a default.
				if (fallback === undefined) throw new Error('Could not get parameter');
				return fallback;
			},
			getInputData: () => [{ json: event }],
			addExecutionHints,
		} as unknown as IExecuteFunctions);
		return { output, hints: addExecutionHints.mock.calls };
	};

	test('passes an event on without a request when Get Full Conversation was never set', async () => {
		const event = eventItem(processedEvent());
		expect((await run(event)).output).toEqual([[{ json: event, pairedItem: { item: 0 } }]]);
	});

	test('with Continue On Fail, the reason of a failure wins over an error field of the event', async () => {
		const { context } = scriptedService({
			responses: [{ statusCode: 401 }],
			node: { ...NODE, onError: 'continueRegularOutput' },
			parameters: { fullConversation: true },
		});
		const event = { ...eventItem(processedEvent()), error: 'of the event' };
		Object.assign(context, { getInputData: () => [{ json: event }], continueOnFail: () => true });
		Object.assign(context, { addExecutionHints: () => {} });
		const [[{ json }]] = await runEvents(context);
		expect(json).toMatchObject({
			event_type: 'conversation_processed',
			error: 'The service does not recognize the API key',
		});
	});

	test('says nothing about the fields that a test event lacks', async () => {
		expect((await run(eventItem({ event_type: 'test', data: {} }))).hints).toEqual([]);
	});

	test('names each documented field that an event lacks, or has with another type', async () => {
		const { surveys, ...event } = eventItem(processedEvent());
		expect(surveys).toBeDefined();
		expect((await run({ ...event, recording_duration_seconds: 'long' })).hints).toEqual([
			[
				{
					message:
						'Unexpected event data: recording_duration_seconds is not a number; surveys is missing. The event is returned unchanged.',
					location: 'outputPane',
					type: 'warning',
				},
			],
		]);
	});

	test('names the fields of surveys and of the customer too', async () => {
		const survey = { surveyId: 1, conversationId: null, surveyName: [], data: [] };
		const event = { ...eventItem(processedEvent()), surveys: [survey], customer: { name: 'Ana', email: 5 } };
		const [[{ message }]] = (await run(event)).hints;
		expect(message).toBe(
			'Unexpected event data: surveys[].surveyId is not text; surveys[].conversationId is not text; surveys[].surveyName is not text; surveys[].createdAt is missing; surveys[].data is not an object; customer.email is not text; customer.phone is missing. The event is returned unchanged.',
		);
	});
});

test('linkExpiry returns null for a value that is not a time', () => {
	expect(linkExpiry('soon')).toBeNull();
	expect(linkExpiry(undefined)).toBeNull();
	expect(linkExpiry(Number.MAX_VALUE)).toBeNull();
	expect(linkExpiry(0)).toBe('1970-01-01T06:00:00.000Z');
});
