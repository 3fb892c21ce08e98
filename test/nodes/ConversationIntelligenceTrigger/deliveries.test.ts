import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/events';
import type { ReceivedEnvelope } from '../../../nodes/shared/exportApi/schemas';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { startReceiver, type Delivered, type Receiver } from '../../../harness/webhook/receiver';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';
import { documentedRow } from '../../support/engine/documentedRow';

const TYPE = 'conversationIntelligenceTrigger';
const SECRET = 'the current secret';
const PROCESSED = { events: ['conversation_processed'] };
const BOTH = { events: ['conversation_processed', 'test'] };
const CREDENTIAL = {
	baseUrl: 'http://127.0.0.1:1/data',
	apiKey: 'key-1',
	signingSecret: SECRET,
	receiverHeaderName: 'X-Receiver',
	receiverHeaderSecret: 'receiver-token',
};

const engineWith = async (credential: object = {}) =>
	await createEngine([ConversationIntelligenceTrigger], {
		conversationExportApi: { ...CREDENTIAL, ...credential },
	});

/** How the trigger handles one delivery. */
const receive = async (
	engine: Engine,
	{ body, headers }: Pick<ReturnType<typeof delivery>, 'body' | 'headers'>,
	parameters: INodeParameters = BOTH,
) => {
	const { result, response } = await engine.webhook(TYPE, parameters, { body, headers });
	if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse);
	const starts = result.workflowData?.[0].map(({ json }) => json);
	return { status: response.statusCode, starts };
};
const REJECTED = { status: 401, starts: undefined };
const signed = (event: unknown, headers: Record<string, string> = { 'x-receiver': 'receiver-token' }) =>
	delivery(event, SECRET, headers);

describe('Deliveries of the service', () => {
	let sandbox: Sandbox;
	let receiver: Receiver;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 5, webhookRetryDelaysMs: [] });
		receiver = await startReceiver();
		engine = await engineWith();
	});
	afterAll(async () => {
		await sandbox.close();
		await receiver.close();
	});
	beforeEach(() => receiver.reset());

	const subscribe = () => {
		const customHeaders = { 'X-Receiver': 'receiver-token' };
		return sandbox.webhooks.subscriptions.add({ url: `${receiver.url}/hook`, secret: SECRET, customHeaders });
	};
	/** The delivery as n8n passes it to the node. */
	const callOf = ({ raw, headers }: Delivered) => ({
		body: raw,
		headers: headers as Record<string, string>,
	});
	const without = (call: ReturnType<typeof callOf>, header: string) => ({
		...call,
		headers: Object.fromEntries(Object.entries(call.headers).filter(([name]) => name !== header)),
	});

	// D1-DOES-04, D1-EVENT-01..03, D1-SIG-01, D1-SIG-05, D1-HDR-05, D1-ENVELOPE-04
	test('each processed conversation starts the workflow by one POST, signed and with the receiver header', async () => {
		const subscription = subscribe();
		const ids = sandbox.control.insertConversations({ count: 2, announce: true });
		const delivered = await receiver.got(2);
		sandbox.webhooks.subscriptions.remove(subscription.id);

		const [{ httpMethod }] = engine.description(TYPE).webhooks!;
		expect(delivered.map(({ method }) => method)).toEqual([httpMethod, httpMethod]);
		const started = [];
		for (const call of delivered.map(callOf)) {
			expect(await receive(engine, without(call, 'x-service-signature'))).toEqual(REJECTED);
			expect(await receive(engine, without(call, 'x-receiver'))).toEqual(REJECTED);
			const { status, starts } = await receive(engine, call);
			expect(status).toBe(200);
			started.push((starts?.[0].data as IDataObject).conversation_id);
		}
		expect(started.sort()).toEqual(ids.sort());
	});

	// D1-SUB-06, D1-TEST-01..04, D1-HDR-05
	test('Send test is verified like any delivery, acknowledged, and starts the workflow if it is selected', async () => {
		const subscription = subscribe();
		await sandbox.webhooks.sendTest(subscription);
		const [sent] = await receiver.got(1);
		sandbox.webhooks.subscriptions.remove(subscription.id);

		const call = callOf(sent);
		expect(await receive(engine, without(call, 'x-service-signature'))).toEqual(REJECTED);
		expect(await receive(engine, without(call, 'x-receiver'))).toEqual(REJECTED);
		expect(await receive(engine, call, PROCESSED)).toEqual({ status: 200, starts: undefined });
		const { status, starts } = await receive(engine, call, BOTH);
		expect({ status, starts }).toMatchObject({ status: 200, starts: [{ event_type: 'test' }] });
	});
});

describe('The output of an event', () => {
	let engine: Engine;
	beforeAll(async () => (engine = await engineWith()));

	const sentAt = (millisecondsAgo: number) => new Date(Date.now() - millisecondsAgo).toISOString();
	const eventWith = (data: IDataObject) => {
		const event = documentedRow('Envelope', {
			event_type: 'conversation_processed',
			// Not now, because nothing may count from when it arrives.
			sent_at: sentAt(3 * 60_000),
			data,
		});
		return { ...event, data };
	};
	const itemOf = async (data: IDataObject) => {
		const event = eventWith(data);
		const { starts } = await receive(engine, signed(event));
		return { event, item: eventItem(starts![0] as unknown as ReceivedEnvelope) };
	};

	// D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05, D1-ENVELOPE-01..04
	test('every field of the data is returned unchanged, whether it is filled, null or unknown', async () => {
		const table = 'data for conversation_processed';
		for (const data of [
			documentedRow('EventData'),
			documentedRow('EventData', {}, 'null'),
			documentedRow('EventData', {
				documentedNowhere: { deep: [null, table] },
				event_type: 'mine',
				dedupeKey: 1,
			}),
		]) {
			const { event, item } = await itemOf(data);
			const { webhook_event_id, event_type, sent_at } = event as IDataObject;
			expect(item).toEqual({
				...data,
				...{ webhook_event_id, event_type, sent_at, dedupeKey: data.conversation_id },
				transcriptUrlExpiresAt: data.transcript_url === null ? null : expect.any(String),
				...{ source: 'webhook', isTest: false, deliveryAttempt: 1 },
			});
		}
	});

	// D1-LIM-04, D1-DATA-04
	test('the transcript link expires six hours after the event was sent, and without a link there is no expiry', async () => {
		const { event, item } = await itemOf(documentedRow('EventData'));
		const sent = Date.parse(String((event as IDataObject).sent_at));
		expect(Date.parse(String(item.transcriptUrlExpiresAt)) - sent).toBe(6 * 3_600_000);
		const { item: bare } = await itemOf(documentedRow('EventData', { transcript_url: null }));
		expect(bare.transcriptUrlExpiresAt).toBeNull();
	});
});

describe('The trigger', () => {
	// D1-LIM-06, D1-WH-01
	test('responds before it fetches anything, so that a slow service cannot use up the ten seconds', async () => {
		const silent = await ScriptedServer.start(() => {});
		const engine = await engineWith({ baseUrl: silent.url });
		const { status, starts } = await receive(engine, signed(processedEvent()), PROCESSED);
		await silent.close();
		expect({ status, length: starts?.length }).toEqual({ status: 200, length: 1 });
		expect(silent.seen).toEqual([]);
	});

	// D1-SUB-01
	test('registers no subscription, because they are managed in the web app, as its panel says', async () => {
		const server = await ScriptedServer.start();
		const engine = await engineWith({ baseUrl: server.url });
		for (const activation of ['activate', 'update', 'init', 'manual'] as const) {
			expect(await engine.register(TYPE, PROCESSED, activation)).toBe(true);
		}
		await server.close();
		expect(server.seen).toEqual([]);
		expect(JSON.stringify(engine.description(TYPE).triggerPanel)).toMatch(
			/webhook subscription in your conversation service's web app/,
		);
	});
});
