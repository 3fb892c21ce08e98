import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/events';
import type { ReceivedEnvelope } from '../../../nodes/shared/exportApi/schemas';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { startReceiver, type Delivered, type Receiver } from '../../../harness/webhook/receiver';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import type { WebhookCall } from '../../support/engine/webhookExchange';
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

const RECEIVER = { 'x-receiver': 'receiver-token' };

const engineWith = async (credential: object = {}) =>
	await createEngine([ConversationIntelligenceTrigger], {
		conversationExportApi: { ...CREDENTIAL, ...credential },
	});

/** How the trigger handles one delivery. If it leaves the response to n8n, responds like n8n. */
async function receive(engine: Engine, call: WebhookCall, parameters: INodeParameters = BOTH) {
	const { result, response } = await engine.webhook(TYPE, parameters, call);
	if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse);
	const items = result.workflowData?.[0].map(({ json }) => json);
	return { status: response.statusCode, body: response.body, items, starts: items !== undefined };
}
const REJECTED = { status: 401, starts: false };

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

		const [{ httpMethod }] = engine.nodeType(TYPE).description.webhooks!;
		expect(delivered.map(({ method }) => method)).toEqual([httpMethod, httpMethod]);
		const started = [];
		for (const call of delivered.map(callOf)) {
			expect(await receive(engine, without(call, 'x-service-signature'))).toMatchObject(REJECTED);
			expect(await receive(engine, without(call, 'x-receiver'))).toMatchObject(REJECTED);
			const { status, items } = await receive(engine, call);
			expect(status).toBe(200);
			started.push((items?.[0].data as IDataObject).conversation_id);
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
		expect(await receive(engine, without(call, 'x-service-signature'))).toMatchObject(REJECTED);
		expect(await receive(engine, without(call, 'x-receiver'))).toMatchObject(REJECTED);
		const message = expect.stringMatching(/^The signature fits\. Select Test under Trigger On/);
		const ignored = { status: 200, body: { status: 'ignored', message }, starts: false };
		expect(await receive(engine, call, PROCESSED)).toMatchObject(ignored);
		expect(await receive(engine, call)).toMatchObject({ status: 200, items: [{ event_type: 'test' }] });
	});
});

describe('The output of an event', () => {
	const iso = (time: number) => new Date(time).toISOString();

	// D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05, D1-ENVELOPE-01..04, D1-LIM-04
	test('every field of the data is returned unchanged; a transcript link expires six hours after it was sent', () => {
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
			// Not now, because nothing may count from when it arrives.
			const sent_at = iso(Date.now() - 3 * 60_000);
			const event = documentedRow('Envelope', { event_type: 'conversation_processed', sent_at, data });
			const { webhook_event_id, event_type } = event;
			expect(eventItem({ ...event, data } as unknown as ReceivedEnvelope)).toEqual({
				...data,
				...{ webhook_event_id, event_type, sent_at, dedupeKey: data.conversation_id },
				transcriptUrlExpiresAt:
					data.transcript_url === null ? null : iso(Date.parse(sent_at) + 6 * 3_600_000),
				...{ source: 'webhook', isTest: false, deliveryAttempt: 1 },
			});
		}
	});
});

describe('The trigger', () => {
	// D1-LIM-06, D1-WH-01
	test('responds before it fetches anything, so that a slow service cannot use up the ten seconds', async () => {
		const silent = await ScriptedServer.start(() => {});
		const engine = await engineWith({ baseUrl: silent.url });
		const call = delivery(processedEvent(), SECRET, RECEIVER);
		const { status, items } = await receive(engine, call, PROCESSED);
		await silent.close();
		expect({ status, length: items?.length }).toEqual({ status: 200, length: 1 });
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
		expect(JSON.stringify(engine.nodeType(TYPE).description.triggerPanel)).toMatch(
			/webhook subscription in your conversation service's web app/,
		);
	});
});

describe('A delivery', () => {
	let engine: Engine;
	beforeAll(async () => (engine = await engineWith()));

	type Options = Partial<WebhookCall> & { secret?: string; parameters?: INodeParameters };
	const send = async (event: unknown, { secret = SECRET, parameters = {}, ...more }: Options = {}) =>
		await receive(engine, { ...delivery(event, secret, RECEIVER), ...more }, { ...PROCESSED, ...parameters });

	test('evaluates the filter only for a verified delivery, and no other setting at all', async () => {
		const parameters = { filters: { users: '={{ [$json.body.data.user_email] }}' } };
		const event = processedEvent();
		expect(await send(event, { parameters })).toMatchObject({ status: 200, starts: true });
		const failing = { filters: { users: '={{ $json.body.data.missing.email }}' } };
		expect(await send(event, { parameters: failing, secret: 'guess' })).toMatchObject({ status: 401 });
		const expression = { events: ['={{ "conversation_processed" }}'] };
		expect(await send(event, { parameters: expression })).toMatchObject({ status: 503, starts: false });
	});

	test('rejects a body that n8n cannot read, and verifies a missing body as empty bytes', async () => {
		const { headers } = delivery(Buffer.alloc(0), SECRET, RECEIVER);
		const tooLarge = { ...delivery(processedEvent(), SECRET), unreadable: new Error('Payload too large') };
		const rejected = await engine.webhook(TYPE, PROCESSED, tooLarge);
		expect(rejected.result).toEqual({ noWebhookResponse: true });
		expect(rejected.response).toMatchObject({ statusCode: 400, body: { status: 'rejected' } });
		const empty = await engine.webhook(TYPE, PROCESSED, { headers });
		expect(empty.response).toMatchObject({ statusCode: 422, body: { code: 'not_an_envelope' } });
	});

	describe('events', () => {
		test('does not say that a signature fits when none was checked', async () => {
			const unsigned = await engineWith({ signingSecret: '' });
			const parameters = { ...PROCESSED, options: { allowUnsigned: true } };
			// A node of its own, because the secrets of the other one are remembered for a second.
			const call = { ...delivery(testEvent(), undefined, RECEIVER), nodeId: 'unsigned' };
			const { result } = await unsigned.webhook(TYPE, parameters, call);
			const message = expect.stringMatching(/^The delivery is not signed\. /);
			expect(result.webhookResponse).toEqual({ status: 'ignored', message });
		});

		test('starts the workflow for each test once Test is selected', async () => {
			const parameters = { events: ['test'] };
			for (let time = 0; time < 2; time++) {
				expect(await send(testEvent(), { parameters })).toMatchObject({ status: 200, starts: true });
			}
			const body = { message: expect.stringContaining('Select Conversation Processed') };
			const received = await send(processedEvent(), { parameters });
			expect(received).toMatchObject({ status: 200, body, starts: false });
		});

		test.each(['webhook', 'manual'] as const)(
			'responds to an event of an unknown type with 200 and starts nothing (%s)',
			async (mode) => {
				const message = 'The signature fits. This trigger does not know the event type.';
				const body = { status: 'ignored', message };
				const received = await send({ event_type: 'unknown' }, { mode });
				expect(received).toMatchObject({ status: 200, body, starts: false });
			},
		);

		test('ignores what the filter leaves out, but shows it while the editor listens; tests start anyway', async () => {
			const filters = { users: ['ben@example.com', 'eve@example.com'] };
			const parameters = { filters, events: ['conversation_processed', 'test'] };
			const event = processedEvent(undefined, { user_email: 'Ben@example.com' });
			const message = 'The signature fits. The conversation does not pass User Names or IDs.';
			const body = { status: 'ignored', message };
			const received = await send(event, { parameters });
			expect(received).toMatchObject({ status: 200, body, starts: false });
			expect(await send(event, { parameters, mode: 'manual' })).toMatchObject({ starts: true });
			// An event that does not say the rep is decided in its execution, as is a duration.
			const unclear = processedEvent(undefined, { user_email: null });
			expect(await send(unclear, { parameters })).toMatchObject({ starts: true });
			const short = processedEvent(undefined, { recording_duration_seconds: 58.4 });
			expect(await send(short, { parameters: { filters: { minDuration: 60 } } })).toMatchObject({
				starts: true,
			});
			expect(await send(testEvent(), { parameters })).toMatchObject({ starts: true });
		});

		test('requires a signature and shows repeats while the editor listens', async () => {
			const event = processedEvent();
			const guessed = await send(event, { mode: 'manual', secret: 'guess' });
			expect(guessed).toMatchObject({ status: 401, body: { status: 'rejected' }, starts: true });
			const { error } = await engine.runNode(
				TYPE,
				{},
				{ input: guessed.items!.map((json) => ({ json })), mode: 'manual' },
			);
			expect(error).toMatchObject({ context: { details: { code: 'signature_mismatch' } } });
			expect(await send(event, { mode: 'manual' })).toMatchObject({ starts: true });
			expect(await send(event, { mode: 'manual' })).toMatchObject({ starts: true });
		});
	});
});
