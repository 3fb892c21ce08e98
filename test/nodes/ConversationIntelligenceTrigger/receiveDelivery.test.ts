import type { IWebhookFunctions } from 'n8n-workflow';
import { receiveDelivery } from '../../../nodes/ConversationIntelligenceTrigger/receiveDelivery';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { RecordedResponse } from '../../support/engine/webhookExchange';

const SECRET = 'the current secret';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let nodes = 0;

/** A trigger of its own that receives deliveries; its credential can change. */
function trigger({
	credential = {},
	options = {},
	workflow = 'workflow',
	node = `node ${++nodes}`,
	handle = receiveDelivery,
} = {}) {
	const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
	const reads = jest.fn(async () => ({ signingSecret: SECRET, ...credential }));
	const getNodeParameter = jest.fn((name: string, fallback: unknown) =>
		name === 'options' ? options : fallback,
	);
	const receive = async (call = delivery(processedEvent(), SECRET), getCredentials: unknown = reads) => {
		const response = new RecordedResponse();
		const result = await handle({
			getCredentials,
			getHeaderData: () => call.headers,
			getMode: () => 'webhook',
			getNode: () => ({ id: node, name: 'Trigger' }),
			getNodeParameter,
			getRequestObject: () => ({ readRawBody: async () => {}, rawBody: call.body }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: workflow, name: 'Workflow' }),
			logger: log,
		} as unknown as IWebhookFunctions);
		return { result, response };
	};
	return { receive, reads, log, getNodeParameter };
}

afterEach(() => void jest.useRealTimers());

test('logs in one line why a credential cannot be read, with workflow and node, and responds with 503', async () => {
	const { receive, log } = trigger();
	const { result, response } = await receive(undefined, async () => {
		throw new Error('Credential\nnot found');
	});
	expect(result).toEqual({ noWebhookResponse: true });
	expect(response).toMatchObject({ statusCode: 503, body: { status: 'rejected' } });
	expect(log.warn.mock.calls).toEqual([
		[
			"Workflow: Trigger: rejected a delivery (trigger_unreadable): The trigger's credential or settings cannot be read: Credential\\u000anot found",
			{ workflowId: 'workflow', nodeId: expect.any(String), nodeName: 'Trigger' },
		],
	]);
});

test.each([
	[200, { status: 'repeat' }],
	[299, { status: 'repeat' }],
	[199, { status: 'accepted' }],
	[300, { status: 'accepted' }],
])(
	'after a delivery whose response had status %i, responds to its copy with %j',
	async (status, expected) => {
		const { receive } = trigger();
		const call = delivery(processedEvent(), SECRET);
		(await receive(call)).response.status(status).end();
		expect((await receive(call)).result.webhookResponse).toEqual(expected);
	},
);

test('logs a repeat with its conversation, workflow and node', async () => {
	const { receive, log } = trigger();
	const call = delivery(processedEvent('the-conversation'), SECRET);
	(await receive(call)).response.status(200).end();
	await receive(call);
	expect(log.info.mock.calls.map(([line]) => line as string)).toEqual([
		'Workflow: Trigger: ignored a repeat of the conversation "the-conversation"',
	]);
});

/** A trigger whose memory is new and follows the faked time. */
async function triggerInFakeTime(options: object, credential = {}) {
	jest.useFakeTimers({ now: Date.now() });
	jest.resetModules();
	const { receiveDelivery: handle } = await import(
		'../../../nodes/ConversationIntelligenceTrigger/receiveDelivery'
	);
	return trigger({ options, credential, handle });
}

test.each([
	['as long as it is accepted from a clock that is ahead', { maximumAgeMinutes: 30 }, {}, 35 * MINUTE_MS],
	['by default for ten minutes', {}, {}, 10 * MINUTE_MS],
	['for a day when any age is accepted', { maximumAgeMinutes: 0 }, {}, DAY_MS],
	['for a day when it is not signed', { allowUnsigned: true }, { signingSecret: '' }, DAY_MS],
])('remembers a delivery %s', async (_how, options, credential, lifetimeMs) => {
	const { receive } = await triggerInFakeTime(options, credential);
	const attempt = () => delivery({ ...processedEvent('id'), sent_at: new Date().toISOString() }, SECRET);
	(await receive(attempt())).response.status(200).end();
	jest.setSystemTime(Date.now() + lifetimeMs - 1);
	expect((await receive(attempt())).result.webhookResponse).toEqual({ status: 'repeat' });
	jest.setSystemTime(Date.now() + lifetimeMs);
	expect((await receive(attempt())).result.webhookResponse).toEqual({ status: 'accepted' });
});

test('never starts an execution for a copy of an accepted delivery, whenever it is replayed', async () => {
	const { receive } = await triggerInFakeTime({});
	const ahead = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
	const recorded = delivery({ ...processedEvent(), sent_at: ahead }, SECRET);
	(await receive(recorded)).response.status(200).end();
	for (let minute = 1; minute < 30; minute++) {
		jest.setSystemTime(Date.now() + MINUTE_MS);
		const { result } = await receive(recorded);
		expect(result.workflowData).toBeUndefined();
	}
});

test('keeps workflows and nodes apart whose IDs look alike when joined', async () => {
	const call = delivery(processedEvent(), SECRET);
	const one = trigger({ workflow: 'w1', node: '2n' });
	const other = trigger({
		workflow: 'w12',
		node: 'n',
		credential: { signingSecret: 'quite another secret' },
	});
	(await one.receive(call)).response.status(200).end();
	expect((await other.receive(call)).result).toEqual({ noWebhookResponse: true });
	expect(other.reads).toHaveBeenCalled();
	// Later, because the secrets of a rejection are remembered for a second.
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1001);
	const withSameSecret = trigger({ workflow: 'w12', node: 'n' });
	expect((await withSameSecret.receive(call)).result.webhookResponse).toEqual({ status: 'accepted' });
});

test('reads the credential at most once a second for forged deliveries, and accepts a new secret after it', async () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
	const credential = { signingSecret: 'the first secret' };
	const { receive } = trigger({ credential });
	const reads = jest.fn(async () => ({ ...credential }));
	const send = async (secret: string) =>
		(await receive(delivery(processedEvent(), secret), reads)).response.statusCode;
	for (let n = 0; n < 100; n++) expect(await send('a forged signature')).toBe(401);
	expect(reads).toHaveBeenCalledTimes(1);

	credential.signingSecret = SECRET;
	clock.mockReturnValue(1000);
	expect(await send(SECRET)).toBe(401);
	clock.mockReturnValue(1001);
	expect(await send(SECRET)).toBe(200);
	expect(await send('the first secret')).toBe(401);
	expect(reads).toHaveBeenCalledTimes(2);
});

test('reads the credential once for deliveries within ten seconds', async () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
	const { receive, reads } = trigger();
	(await receive()).response.status(200).end();
	clock.mockReturnValue(10_000);
	(await receive()).response.status(200).end();
	expect(reads).toHaveBeenCalledTimes(1);
	clock.mockReturnValue(10_001);
	(await receive()).response.status(200).end();
	expect(reads).toHaveBeenCalledTimes(2);
});

test.each([
	['a wrong signature', {}, {}, delivery(processedEvent(), 'guess')],
	['no secret', { signingSecret: '' }, {}, delivery(processedEvent())],
	['a short secret', { signingSecret: 'short' }, {}, delivery(processedEvent())],
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
		delivery(processedEvent(), SECRET, { 'x-service-signature': 'sha256=00' }),
	],
])(
	'reads a remembered credential again before it rejects a delivery for %s',
	async (_why, credential, options, call) => {
		const { receive, reads } = trigger({ credential, options });
		const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
		expect((await receive(call)).response.statusCode).toBe(401);
		expect(reads).toHaveBeenCalledTimes(1);
		clock.mockReturnValue(1001);
		expect((await receive(call)).response.statusCode).toBe(401);
		expect(reads).toHaveBeenCalledTimes(2);
	},
);

test('does not read the credential again for a rejection that no secret can change', async () => {
	const { receive, reads } = trigger();
	const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
	expect((await receive(delivery({ hello: 'world' }, SECRET))).response.statusCode).toBe(422);
	clock.mockReturnValue(1001);
	expect((await receive(delivery(processedEvent()))).response.statusCode).toBe(401);
	expect(reads).toHaveBeenCalledTimes(1);
});

test('evaluates no expression before a delivery is verified', async () => {
	const { receive, getNodeParameter } = trigger();
	expect((await receive(delivery(processedEvent(), 'guess'))).response.statusCode).toBe(401);
	expect(getNodeParameter.mock.calls.length).toBeGreaterThan(0);
	for (const call of getNodeParameter.mock.calls as unknown[][])
		expect(call[2]).toEqual({ rawExpressions: true });
	await receive();
	expect(getNodeParameter).toHaveBeenLastCalledWith('filters', {});
});

const signed = (event: unknown) => delivery(event, SECRET);
const receiver = { receiverHeaderName: 'X-Receiver', receiverHeaderSecret: 'token' };
const sent = (sent_at: string | null) => signed({ ...processedEvent(), sent_at });

test.each([
	['signing_secret_missing', { signingSecret: '' }, signed(processedEvent())],
	['signing_secret_short', { signingSecret: 'short' }, signed(processedEvent())],
	['signature_missing', {}, delivery({ no: 'event' })],
	['signature_malformed', {}, delivery({ no: 'event' }, SECRET, { 'x-service-signature': 'sha256=00' })],
	['signature_mismatch', {}, delivery({ no: 'event' }, 'guess')],
	['signature_mismatch', receiver, delivery({ no: 'event' }, 'guess', { 'x-receiver': 'token' })],
])(
	'says nothing to a sender whose signature does not fit, and why in the log: %s with %j',
	async (code, credential, call) => {
		const { receive, log } = trigger({ credential });
		expect((await receive(call)).response).toMatchObject({ statusCode: 401, body: { status: 'rejected' } });
		const [[line]] = log.warn.mock.calls as [[string]];
		expect(line).toContain(`rejected a delivery (${code}): `);
		for (const secret of [SECRET, 'guess', 'token', call.headers['x-service-signature'] ?? SECRET])
			expect(line).not.toContain(secret);
	},
);

test.each([
	['receiver_header_incomplete', 401, { receiverHeaderName: 'X-Receiver' }, signed({ no: 'event' })],
	['receiver_header_mismatch', 401, receiver, signed({ no: 'event' })],
	['sent_at_unreadable', 401, {}, sent(null)],
	['delivery_too_old', 401, {}, sent('2020-01-01T00:00:00Z')],
	['delivery_ahead', 401, {}, sent('2999-01-01T00:00:00Z')],
	['not_an_envelope', 422, {}, signed({ no: 'event' })],
	['conversation_id_missing', 422, {}, signed(processedEvent('id', { conversation_id: ' ' }))],
	['nested_too_deeply', 422, {}, signed(Buffer.from('['.repeat(5000) + ']'.repeat(5000)))],
])('tells a sender whose signature fits why it is rejected: %s', async (reason, status, credential, call) => {
	const { response } = await trigger({ credential }).receive(call);
	const body = { status: 'rejected', reason, message: expect.any(String) };
	expect({ status: response.statusCode, body: response.body }).toEqual({ status, body });
});

test('writes one warning a minute for each trigger, and counts the others by their reason', async () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
	const { receive, log } = trigger();
	const other = trigger();
	const forged = delivery(processedEvent(), 'guess');
	for (let n = 0; n < 100; n++) await receive(forged);
	await receive(delivery(processedEvent()));
	await receive(delivery({ event_type: 'deleted' }, SECRET));
	await other.receive(forged);
	expect([log.warn.mock.calls.length, other.log.warn.mock.calls.length]).toEqual([1, 1]);

	clock.mockReturnValue(59_999);
	await receive(forged);
	expect(log.warn).toHaveBeenCalledTimes(1);
	clock.mockReturnValue(60_000);
	await receive(forged);
	expect(log.warn.mock.calls[1][0]).toMatch(
		/\(signature_mismatch\).* \(since the last warning, not logged: 100 signature_mismatch, 1 signature_missing, 1 unknown_type\)$/,
	);
	clock.mockReturnValue(120_000);
	await receive(forged);
	expect(log.warn.mock.calls[2][0]).not.toContain('since the last warning');
});

test('names in its log what a sender chose in one visible line', async () => {
	const { receive, log } = trigger();
	const hostile = 'a\nforged line \u202e\u200b\u2028\u009b';
	await receive(delivery({ event_type: hostile }, SECRET));
	const call = delivery(processedEvent(hostile), SECRET);
	(await receive(call)).response.status(200).end();
	await receive(call);
	for (const [line] of [...log.warn.mock.calls, ...log.info.mock.calls]) {
		expect(line).toContain('"a\\nforged line \\u202e\\u200b\\u2028\\u009b"');
	}
});
