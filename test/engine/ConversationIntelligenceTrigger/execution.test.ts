import type { INodeParameters } from 'n8n-workflow';
import { createEngine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/runEvents';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { ScriptedServer } from '../../support/scriptedServer';

const EVENTS = { events: ['conversation_processed'] };

describe('Conversation Intelligence Trigger, in the execution', () => {
	const { sandbox, engine } = sandboxEngine({ conversations: 50 });
	beforeEach(() => sandbox.requests.reset());

	const run = async (json: object, parameters: INodeParameters) =>
		await engine.runNode(
			'conversationIntelligenceTrigger',
			{ ...EVENTS, ...parameters },
			{ input: [{ json: { ...json } }] },
		);
	const item = ({ data, ...event }: ReturnType<typeof processedEvent>) => ({ ...data, ...event });

	test('returns the event unchanged, without a request, by default', async () => {
		const event = item(processedEvent());
		const { items, hints } = await run(event, {});
		expect(items).toEqual([{ json: event, pairedItem: { item: 0 } }]);
		expect(hints).toEqual([]);
		expect(sandbox.requests.list()).toEqual([]);
	});

	// D1-GET-02
	test('fetches every field of the conversation and keeps the event next to them', async () => {
		const [conversationId] = sandbox.control.insertConversations();
		const received = eventItem(processedEvent(conversationId));
		const { items, error } = await run(received, { fullConversation: true });
		expect(error).toBeUndefined();
		const { dedupeKey, urlsExpireAt, event, ...conversation } = items[0].json;
		expect(Object.keys(conversation)).toHaveLength(28);
		expect(conversation.conversationId).toBe(conversationId);
		expect(dedupeKey).toBe(conversationId);
		expect(Date.parse(urlsExpireAt as string)).toBeGreaterThan(Date.now() + 5.9 * 3600_000);
		expect(event).toMatchObject({ event_type: 'conversation_processed', conversation_id: conversationId });
		for (const computed of ['dedupeKey', 'transcriptUrlExpiresAt']) {
			expect(received).toHaveProperty(computed);
			expect(event).not.toHaveProperty(computed);
		}
	});

	test('retries until the export lists the conversation', async () => {
		const late = await ScriptedServer.start(
			{ status: 404 },
			{ status: 200, body: JSON.stringify({ conversationId: 'late' }) },
		);
		const ownEngine = await createEngine({ conversationExportApi: { baseUrl: late.url, apiKey: 'key' } });
		const { items } = await ownEngine.runNode(
			'conversationIntelligenceTrigger',
			{ ...EVENTS, fullConversation: true },
			{ input: [{ json: item(processedEvent('late')) }] },
		);
		await late.close();
		expect(items[0].json.conversationId).toBe('late');
		expect(late.seen.map(({ url }) => url)).toEqual(Array(2).fill('/export/conversations/late'));
	});

	test('fails the execution when the conversation cannot be fetched', async () => {
		const wrongKey = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown' },
		});
		const { status, items, error } = await wrongKey.runNode(
			'conversationIntelligenceTrigger',
			{ ...EVENTS, fullConversation: true },
			{ input: [{ json: item(processedEvent()) }] },
		);
		expect(status).toBe('error');
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The service does not recognize the API key',
			httpCode: '401',
		});
	});

	test('keeps the event and says what is wrong under Continue On Fail', async () => {
		const engineWithWrongKey = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown' },
		});
		const event = item(processedEvent());
		const options = { input: [{ json: event }], continueOnFail: true };
		const parameters = { ...EVENTS, fullConversation: true };
		const { items } = await engineWithWrongKey.runNode(
			'conversationIntelligenceTrigger',
			parameters,
			options,
		);
		expect(items[0].json).toMatchObject({ ...event, error: expect.stringMatching(/API key$/) });
	});

	test('returns a test unchanged, because it has no conversation', async () => {
		const { items, error } = await run(item(testEvent()), { fullConversation: true });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ event_type: 'test' });
		expect(sandbox.requests.list()).toEqual([]);
	});

	// D1-CONVENTION-03
	test('names a missing documented field in a hint', async () => {
		const event: Record<string, unknown> = item(processedEvent());
		delete event.user_email;
		const { items, hints } = await run({ ...event, recording_duration_seconds: 'long' }, {});
		expect(items).toHaveLength(1);
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toContain('user_email is missing; recording_duration_seconds is not a number');
	});
});
