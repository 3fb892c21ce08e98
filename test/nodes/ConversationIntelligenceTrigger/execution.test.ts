import type { INode, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { conversationsExportSchema } from '../../../nodes/shared/exportApi/schemas';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { sandboxEngine } from '../../support/engine/fixtures';

const EVENTS = { events: ['conversation_processed'] };
const FULL = { fullConversation: true };

const { sandbox, engine } = sandboxEngine([ConversationIntelligenceTrigger], { conversations: 50 });
beforeEach(() => {
	sandbox.requests.reset();
	sandbox.faults.clear();
});

const run = async (events: object[], parameters: INodeParameters = {}, onError?: INode['onError']) =>
	await engine.runNode(
		'conversationIntelligenceTrigger',
		{ ...EVENTS, ...parameters },
		{ input: events.map((json) => ({ json: { ...json } })), onError },
	);

// D1-CONVENTION-03
test.each([
	['when it has all fields', {}, []],
	['when it lacks a field', { user_email: undefined }, ['user_email is missing']],
	[
		'when a field has another type',
		{ recording_duration_seconds: 'long' },
		['recording_duration_seconds is not a number'],
	],
	[
		'within its surveys and customer',
		{
			surveys: [{ surveyId: 1, conversationId: null, surveyName: [], data: [] }],
			customer: { name: 'Ana', email: 5 },
		},
		[
			'surveys[].surveyId is not text',
			'surveys[].conversationId is not text',
			'surveys[].surveyName is not text',
			'surveys[].createdAt is missing',
			'surveys[].data is not an object',
			'customer.email is not text',
			'customer.phone is missing',
		],
	],
])(
	'returns the event unchanged and requests nothing; a hint names what is unexpected %s',
	async (_, data, mismatches) => {
		const event = JSON.parse(JSON.stringify(eventItem(processedEvent('id', data))));
		const { items, hints } = await run([event]);
		expect(items).toEqual([{ json: event, pairedItem: { item: 0 } }]);
		const message = `Unexpected event data: ${mismatches.join('; ')}. The event is returned unchanged.`;
		const hint = { message, location: 'outputPane', type: 'warning' };
		expect(hints).toEqual(mismatches.length ? [expect.objectContaining(hint)] : []);
		expect(sandbox.requests.list()).toEqual([]);
	},
);

test('returns a test unchanged and without hints, because it has no conversation', async () => {
	const events = [eventItem(testEvent()), { event_type: 'test' }];
	const { items, hints } = await run(events, FULL);
	expect(items.map(({ json }) => json)).toEqual(events);
	expect(hints).toEqual([]);
	expect(sandbox.requests.list()).toEqual([]);
});

// D1-GET-02
test('fetches every field of the conversation and keeps the event next to them', async () => {
	const [conversationId] = sandbox.control.insertConversations();
	const received = eventItem(processedEvent(conversationId));
	const { items, error } = await run([received], FULL);
	expect(error).toBeUndefined();
	const { dedupeKey, urlsExpireAt, event, ...conversation } = items[0].json;
	expect(Object.keys(conversation).sort()).toEqual(Object.keys(conversationsExportSchema.shape).sort());
	expect(conversation.conversationId).toBe(conversationId);
	expect(dedupeKey).toBe(conversationId);
	expect(Date.parse(urlsExpireAt as string)).toBeGreaterThan(Date.now() + 5.9 * 3600_000);
	expect(event).toEqual(received);
});

describe('A conversation that cannot be fetched', () => {
	/** Two events, the first with an `error` of its own. The service refuses the key for the first. */
	const runTwo = async (onError: INode['onError']) => {
		const [refused, given] = sandbox.control.insertConversations({ count: 2 });
		sandbox.faults.add({ kind: 'htmlPage', status: 401, path: `/data/export/conversations/${refused}` });
		const event = { ...eventItem(processedEvent(refused)), error: 'of the event' };
		const result = await run([event, eventItem(processedEvent(given))], FULL, onError);
		const details = { code: 'api_key_unknown', retryable: false, status: 401, conversationId: refused };
		return { ...result, event, given, details };
	};
	const [ERROR, DESCRIPTION] = [expect.any(String), expect.any(String)];

	test('fails the execution', async () => {
		const { status, items, error, details } = await runTwo('stopWorkflow');
		expect({ status, items }).toEqual({ status: 'error', items: [] });
		expect(error).toMatchObject({ name: 'NodeApiError', message: ERROR, context: { details } });
	});

	test('goes to the error output with its event, while the others go to the success output', async () => {
		const { items, errorItems, event, given, details } = await runTwo('continueErrorOutput');
		expect(items.map(({ json }) => json.conversationId)).toEqual([given]);
		const json = { error: ERROR, message: DESCRIPTION, details: { ...details, event } };
		expect(errorItems).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	test('keeps its place under Continue, with the message in place of the error field of the event', async () => {
		const { items, errorItems, event, given, details } = await runTwo('continueRegularOutput');
		expect(items[0].json).toEqual({ ...event, error: ERROR, message: DESCRIPTION, details });
		expect(items[1].json.conversationId).toBe(given);
		expect(errorItems).toEqual([]);
	});
});
