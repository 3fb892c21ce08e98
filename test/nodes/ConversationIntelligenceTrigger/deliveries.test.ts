import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { startReceiver } from '../../../harness/webhook/receiver';
import { startSandbox } from '../../../sandbox';
import { allCases } from '../../support/allPairs';
import { createEngine, type Engine } from '../../support/engine';
import type { WebhookCall } from '../../support/engine/webhookExchange';
import { ScriptedServer } from '../../support/scriptedServer';

const TYPE = 'conversationIntelligenceTrigger';
const SECRET = 'the current secret';
const ANA = 'ana@example.com';
const PROCESSED = { events: ['conversation_processed'] };
const RECEIVER = { 'x-receiver': 'receiver-token' };
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
let engine: Engine;
beforeAll(async () => (engine = await engineWith()));

/** How a trigger handles one delivery. If it leaves the response to n8n, responds like n8n. */
async function receive(call: WebhookCall, parameters: INodeParameters = PROCESSED, by = engine) {
	const { result, response } = await by.webhook(TYPE, parameters, call);
	if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse);
	const items = result.workflowData?.[0].map(({ json }) => json);
	return { status: response.statusCode, body: response.body, items, starts: items !== undefined };
}

// D1-DOES-04, D1-EVENT-01..03, D1-SIG-01, D1-SIG-05, D1-HDR-05, D1-ENVELOPE-04, D1-SUB-06, D1-TEST-01..04
test('each processed conversation and Send test come by one signed POST, and start the workflow if selected', async () => {
	const sandbox = await startSandbox({ conversations: 5, webhookRetryDelaysMs: [] });
	const receiver = await startReceiver();
	const customHeaders = { 'X-Receiver': 'receiver-token' };
	const url = `${receiver.url}/hook`;
	const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SECRET, customHeaders });
	const ids = sandbox.control.insertConversations({ count: 2, announce: true });
	await sandbox.webhooks.sendTest(subscription);
	const delivered = await receiver.got(3);
	await sandbox.close();
	await receiver.close();

	const started: IDataObject[] = [];
	for (const { method, raw: body, headers } of delivered) {
		expect(method).toBe(engine.nodeType(TYPE).description.webhooks![0].httpMethod);
		const call = { body, headers: headers as Record<string, string> };
		for (const lacking of ['x-service-signature', 'x-receiver']) {
			const rest = Object.entries(call.headers).filter(([name]) => name !== lacking);
			const rejected = await receive({ body, headers: Object.fromEntries(rest) });
			expect(rejected).toMatchObject({ status: 401, starts: false });
		}
		const { status, items = [] } = await receive(call);
		expect(status).toBe(200);
		started.push(...items.map(({ data }) => data as IDataObject));
		const both = { events: ['conversation_processed', 'test'], options: { ignoreRepeats: false } };
		expect(await receive(call, both)).toMatchObject({ status: 200, starts: true });
	}
	expect(started.map(({ conversation_id }) => conversation_id).sort()).toEqual(ids.sort());
});

const CASES = allCases({
	type: ['conversation_processed', 'test', 'unknown'] as Array<'conversation_processed' | 'test' | 'unknown'>,
	rep: [ANA, 'Ana@example.com', null],
	events: [['conversation_processed'], ['test'], ['conversation_processed', 'test']],
	filters: [{}, { users: [ANA] }, { minDuration: 3000 }],
	mode: ['webhook', 'manual'] as Array<'webhook' | 'manual'>,
	ignoreRepeats: [true, false],
	isSigned: [true, false],
});

/** What a trigger answers, which starts the workflow if it is accepted. */
function expectedOf(
	{ type, rep, events, filters, mode, ignoreRepeats, isSigned }: (typeof CASES)[number],
	times: number,
) {
	const ignored = (reason: string) => {
		const about = isSigned ? 'The signature fits.' : 'The delivery is not signed.';
		return { status: 'ignored', message: `${about} ${reason}` };
	};
	if (type === 'unknown') return ignored('This trigger does not know the event type.');
	if (mode === 'manual') return { status: 'accepted' };
	const name = type === 'test' ? 'Test' : 'Conversation Processed';
	if (!events.includes(type)) return ignored(`Select ${name} under Trigger On to start the workflow.`);
	if (type === 'test') return { status: 'accepted' };
	// An event that does not say the rep is decided in its execution, as is a duration.
	const isOther = 'users' in filters && rep !== null && rep !== ANA;
	if (isOther) return ignored('The conversation does not pass User Names or IDs.');
	return { status: ignoreRepeats && times > 1 ? 'repeat' : 'accepted' };
}

test('an event starts the workflow if it is selected, passes what it says itself, and is no repeat', async () => {
	const unsigned = await engineWith({ signingSecret: '' });
	for (const [index, one] of CASES.entries()) {
		const { type, rep, events, filters, mode, ignoreRepeats, isSigned } = one;
		const event = { ...processedEvent('id', { user_email: rep }), event_type: type };
		const parameters = { events, filters, options: { ignoreRepeats, allowUnsigned: !isSigned } };
		const call = {
			...delivery(event, isSigned ? SECRET : undefined, RECEIVER),
			mode,
			nodeId: `node ${index}`,
		};
		for (const times of [1, 2]) {
			const { status, body, starts } = await receive(
				call,
				parameters as INodeParameters,
				isSigned ? engine : unsigned,
			);
			const expected = expectedOf(one, times);
			expect({ ...one, times, status, body, starts }).toEqual({
				...{ ...one, times, status: 200, body: expected, starts: expected.status === 'accepted' },
			});
		}
	}
});

const send = async (event: unknown, parameters: INodeParameters = {}, { secret = SECRET, ...more } = {}) =>
	await receive({ ...delivery(event, secret, RECEIVER), ...more }, { ...PROCESSED, ...parameters });

test('a rejected delivery to the Test URL shows why', async () => {
	const guessed = await send(processedEvent(), {}, { mode: 'manual', secret: 'guess' } as object);
	expect(guessed).toMatchObject({ status: 401, body: { status: 'rejected' }, starts: true });
	const input = guessed.items!.map((json) => ({ json }));
	const { error } = await engine.runNode(TYPE, {}, { input, mode: 'manual' });
	expect(error).toMatchObject({ context: { details: { code: 'signature_mismatch' } } });
});

// D1-LIM-06, D1-WH-01, D1-SUB-01
test('requests nothing before it responds, and no subscription: the web app manages them, as its panel says', async () => {
	const silent = await ScriptedServer.start(() => {});
	const slow = await engineWith({ baseUrl: silent.url });
	const { status, items } = await receive(delivery(processedEvent(), SECRET, RECEIVER), PROCESSED, slow);
	for (const activation of ['activate', 'update', 'init', 'manual'] as const) {
		expect(await slow.register(TYPE, PROCESSED, activation)).toBe(true);
	}
	await silent.close();
	expect({ status, length: items?.length, seen: silent.seen }).toEqual({ status: 200, length: 1, seen: [] });
	const panel = JSON.stringify(engine.nodeType(TYPE).description.triggerPanel);
	expect(panel).toMatch(/webhook subscription in your conversation service's web app/);
});

test('evaluates the filter only for a verified delivery, and no other setting at all', async () => {
	const users = '={{ [$json.body.data.user_email] }}';
	expect(await send(processedEvent(), { filters: { users } })).toMatchObject({ status: 200, starts: true });
	const failing = { filters: { users: '={{ $json.body.data.missing.email }}' } };
	expect(await send(processedEvent(), failing, { secret: 'guess' })).toMatchObject({ status: 401 });
	const expression = { events: ['={{ "conversation_processed" }}'] };
	expect(await send(processedEvent(), expression)).toMatchObject({ status: 503, starts: false });
});

test('rejects a body that n8n cannot read, and verifies a missing body as empty bytes', async () => {
	const unreadable = { ...delivery(testEvent(), SECRET), unreadable: new Error('Payload too large') };
	expect(await receive(unreadable)).toMatchObject({
		status: 400,
		body: { status: 'rejected' },
		starts: false,
	});
	const { headers } = delivery(Buffer.alloc(0), SECRET, RECEIVER);
	expect(await receive({ headers })).toMatchObject({ status: 422, body: { code: 'not_an_envelope' } });
});
