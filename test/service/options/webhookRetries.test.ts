import { defaultOptions } from '../../../sandbox/options';
import { envelopeOf, status, useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const options = { conversations: 60, awaitingUpload: 2, errored: 2, webhookRetryDelaysMs: [1, 1] };
const service = useService(options);
/** Has a short time limit, for an endpoint that never responds. */
const impatient = useService({ ...options, webhookTimeoutMs: 300 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const impatientWebhooks = useWebhooks(impatient);

const paths = () => receiver.received.map(({ path }) => path).sort();

// D1-WH-01, D1-LIM-06
test('gives an endpoint ten seconds to answer', async () => {
	expect(defaultOptions.webhookTimeoutMs).toBe(10_000);
	receiver.respond(() => undefined);
	const result = await impatientWebhooks.sendTest(await impatientWebhooks.subscribe({ url: receiver.url }));
	expect(result).toMatchObject({ status: null, isSuccess: false });
	expect(result.milliseconds).toBeGreaterThanOrEqual(290);
	expect(result.milliseconds).toBeLessThan(5_000);
});

// D1-WH-02
test('a failure is not retried if another subscription succeeded', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.respond((response, { path }) => response.writeHead(path === '/good' ? 200 : 500).end());
	await webhooks.subscribe({ url: `${receiver.url}/bad` });
	await webhooks.subscribe({ url: `${receiver.url}/good` });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 1, failed: 0, attempts: 2 });
	expect(paths()).toEqual(['/bad', '/good']);
});

// D1-WH-02
test('if every subscription failed, all are retried until one succeeds', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.respond((response, { path }) => {
		response.writeHead(path === '/later' && receiver.received.length > 2 ? 200 : 503).end();
	});
	await webhooks.subscribe({ url: `${receiver.url}/never` });
	await webhooks.subscribe({ url: `${receiver.url}/later` });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 1, attempts: 4 });
	expect(paths()).toEqual(['/later', '/later', '/never', '/never']);
});

// D1-ENVELOPE-01, D1-DATA-01, D1-WH-04
test('a retry has a new webhook_event_id and the same conversation_id', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.respond((response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end());
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	const [failed, retried] = receiver.received.map(envelopeOf);
	expect(retried.data.conversation_id).toBe(failed.data.conversation_id);
	expect(retried.webhook_event_id).not.toBe(failed.webhook_event_id);
});

// D1-WH-03
test('a delivery that fails repeatedly becomes a dead letter', async () => {
	const [, second] = await webhooks.conversations(2);
	receiver.respond(status(500));
	await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.emit(second.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(receiver.received.length).toBeGreaterThan(1);
	expect(await webhooks.deadLetters()).toContain(second.conversationId);
});

// D1-WH-01
test.each([
	['responds with 404', status(404)],
	['responds with 301', status(301, { location: '/elsewhere' })],
	['breaks the connection', (response) => void response.socket?.destroy()],
] satisfies Array<[string, Parameters<typeof receiver.respond>[0]]>)(
	'a delivery fails if the endpoint %s',
	async (_case, responder) => {
		const [first] = await webhooks.conversations(1);
		receiver.respond(responder);
		await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
		expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	},
);

// D1-WH-01
test('a delivery fails if the endpoint does not respond in time', async () => {
	const [first] = await impatientWebhooks.conversations(1);
	receiver.respond(() => undefined);
	await impatientWebhooks.subscribe({ url: receiver.url });
	expect(await impatientWebhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(receiver.received).toHaveLength(3);
});

// D1-WH-01
test('a delivery fails if nothing is listening', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: 'http://127.0.0.1:9/' });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
});

// D1-WH-06
test('a live delivery with custom headers fails on a redirect instead of following it', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.respond((response, { path }) => {
		if (path === '/elsewhere') response.writeHead(200).end();
		else response.writeHead(308, { location: `${receiver.url}/elsewhere` }).end();
	});
	await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(paths()).not.toContain('/elsewhere');
});
