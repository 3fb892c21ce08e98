import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { receiveDelivery } from '../../../nodes/ConversationIntelligenceTrigger/receiveDelivery';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';

const DAY_MS = 24 * 3_600_000;

/** What Express offers for the answer, as far as the trigger uses it. */
class FakeResponse extends EventEmitter {
	statusCode = 200;
	writableFinished = false;
	closed = false;
	body: unknown;
	status(code: number): this {
		this.statusCode = code;
		return this;
	}
	json(body: unknown): void {
		this.body = body;
	}
	/** Sends the answer in full, with this status. */
	finish(code: number): void {
		this.statusCode = code;
		this.writableFinished = true;
		this.emit('close');
	}
}

let nodes = 0;

/** A trigger of its own that receives deliveries; its credential can change. */
function trigger({
	credential = {},
	options = {},
	workflow = 'workflow',
	node = `node ${++nodes}`,
	handle = receiveDelivery,
} = {}) {
	const log = { warn: jest.fn(), error: jest.fn() };
	const reads = jest.fn(async () => ({ signingSecret: 'secret', ...credential }));
	const receive = async (call = delivery(processedEvent(), 'secret'), getCredentials: unknown = reads) => {
		const response = new FakeResponse();
		const result = await handle({
			getCredentials,
			getHeaderData: () => call.headers,
			getMode: () => 'webhook',
			getNode: () => ({ id: node, name: 'Trigger' }),
			getNodeParameter: (name: string) => ({ events: ['conversation_processed'], options })[name],
			getRequestObject: () => ({ readRawBody: async () => {}, rawBody: call.body }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: workflow }),
			logger: log,
		} as unknown as IWebhookFunctions);
		return { result, response };
	};
	return { receive, reads, log };
}

afterEach(() => void jest.useRealTimers());

test('logs why a credential cannot be read, with workflow and node, and answers 503', async () => {
	const { receive, log } = trigger();
	const { result, response } = await receive(undefined, async () => {
		throw new Error('Credential not found');
	});
	expect(result).toEqual({ noWebhookResponse: true });
	expect(response).toMatchObject({ statusCode: 503, body: { status: 'refused' } });
	const label = { workflowId: 'workflow', nodeName: 'Trigger' };
	expect(log.error.mock.calls).toEqual([
		['Conversation Intelligence Trigger cannot read its credential or settings: Credential not found', label],
	]);
	expect(log.warn.mock.calls).toEqual([
		[
			"Conversation Intelligence Trigger refused a delivery: The trigger's credential or settings cannot be read.",
			{ ...label, status: 503, reason: 'trigger_unreadable' },
		],
	]);
});

test.each([
	['answered with 200', 200, { status: 'repeat' }],
	['answered with 299', 299, { status: 'repeat' }],
	['answered with 199', 199, { status: 'accepted' }],
	['answered with 300', 300, { status: 'accepted' }],
])('after a delivery that was %s, answers its copy: %i, %j', async (_how, status, expected) => {
	const { receive } = trigger();
	const call = delivery(processedEvent(), 'secret');
	(await receive(call)).response.finish(status);
	const copy = await receive(call);
	expect(copy.result.webhookResponse).toEqual(expected);
	copy.response.emit('close');
});

test('starts again for a conversation that was accepted a day ago, not before', async () => {
	jest.useFakeTimers({ now: Date.now() });
	// Loaded again, because the memory keeps the clock that it was made with.
	jest.resetModules();
	const { receiveDelivery: handle } = await import(
		'../../../nodes/ConversationIntelligenceTrigger/receiveDelivery'
	);
	const { receive } = trigger({ options: { maximumAge: 0 }, handle });
	const call = delivery(processedEvent(), 'secret');
	(await receive(call)).response.finish(200);
	jest.setSystemTime(Date.now() + DAY_MS - 1);
	expect((await receive(call)).result.webhookResponse).toEqual({ status: 'repeat' });
	jest.setSystemTime(Date.now() + 1);
	expect((await receive(call)).result.webhookResponse).toEqual({ status: 'accepted' });
});

test('keeps workflows and nodes apart whose IDs look alike when joined', async () => {
	const call = delivery(processedEvent(), 'secret');
	const one = trigger({ workflow: 'w1', node: '2n' });
	const other = trigger({ workflow: 'w12', node: 'n', credential: { signingSecret: 'another' } });
	(await one.receive(call)).response.finish(200);
	expect((await other.receive(call)).result).toEqual({ noWebhookResponse: true });
	expect(other.reads).toHaveBeenCalled();
	const withSameSecret = trigger({ workflow: 'w12', node: 'n' });
	expect((await withSameSecret.receive(call)).result.webhookResponse).toEqual({ status: 'accepted' });
});

test('reads the credential once for deliveries within ten seconds', async () => {
	const { receive, reads } = trigger();
	for (let n = 0; n < 3; n++) (await receive()).response.finish(200);
	expect(reads).toHaveBeenCalledTimes(1);
});

test.each([
	['a wrong signature', {}, {}, delivery(processedEvent(), 'guess')],
	['no secret', { signingSecret: '' }, {}, delivery(processedEvent())],
	['half of a receiver header', { receiverHeaderName: 'X-Receiver' }, {}, undefined],
	[
		'a wrong receiver header',
		{ receiverHeaderName: 'X-Receiver', receiverHeaderSecret: 'token' },
		{},
		undefined,
	],
	['no signature where unsigned ones are allowed', {}, { allowUnsigned: true }, delivery(processedEvent())],
	[
		'half a signature where unsigned ones are allowed',
		{},
		{ allowUnsigned: true },
		delivery(processedEvent(), 'secret', { 'x-service-signature': 'sha256=00' }),
	],
])(
	'reads a remembered credential again before it refuses a delivery for %s',
	async (_why, credential, options, call) => {
		const { receive, reads } = trigger({ credential, options });
		expect((await receive(call)).response.statusCode).toBe(401);
		expect(reads).toHaveBeenCalledTimes(1);
		expect((await receive(call)).response.statusCode).toBe(401);
		expect(reads).toHaveBeenCalledTimes(2);
	},
);

test('does not read the credential again for a refusal that no secret can change', async () => {
	const { receive, reads } = trigger();
	expect((await receive(delivery({ hello: 'world' }, 'secret'))).response.statusCode).toBe(422);
	expect((await receive(delivery(processedEvent()))).response.statusCode).toBe(401);
	expect(reads).toHaveBeenCalledTimes(1);
});
