import { envelopeOf, status, useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const options = { conversations: 60, awaitingUpload: 2, errored: 2, webhookRetryDelaysMs: [1, 1] };
const service = useService(options);
/** For the endpoint that never answers; one that is to succeed has the document's ten seconds. */
const impatient = useService({ ...options, webhookTimeoutMs: 300 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const impatientWebhooks = useWebhooks(impatient);

const paths = () => receiver.received.map(({ path }) => path).sort();

test('[D1-WH-02] a failure is not retried when another subscription succeeded', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.answer((response, { path }) => response.writeHead(path === '/good' ? 200 : 500).end());
	await webhooks.subscribe({ url: `${receiver.url}/bad` });
	await webhooks.subscribe({ url: `${receiver.url}/good` });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 1, failed: 0, attempts: 2 });
	expect(paths()).toEqual(['/bad', '/good']);
});

test('[D1-WH-02] when every subscription failed, all are tried again until one succeeds', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.answer((response, { path }) => {
		response.writeHead(path === '/later' && receiver.received.length > 2 ? 200 : 503).end();
	});
	await webhooks.subscribe({ url: `${receiver.url}/never` });
	await webhooks.subscribe({ url: `${receiver.url}/later` });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 1, attempts: 4 });
	expect(paths()).toEqual(['/later', '/later', '/never', '/never']);
});

test('[D1-ENVELOPE-01] [D1-DATA-01] [D1-WH-04] a retry has a new webhook_event_id and the same conversation_id', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.answer((response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end());
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	const [failed, retried] = receiver.received.map(envelopeOf);
	expect(retried.data.conversation_id).toBe(failed.data.conversation_id);
	expect(retried.webhook_event_id).not.toBe(failed.webhook_event_id);
});

test('[D1-WH-03] repeated failures end in the dead letters', async () => {
	const [, second] = await webhooks.conversations(2);
	receiver.answer(status(500));
	await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.emit(second.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(receiver.received.length).toBeGreaterThan(1);
	expect(await webhooks.deadLetters()).toContain(second.conversationId);
});

test.each([
	['answers 404', status(404)],
	['answers 301', status(301, { location: '/elsewhere' })],
	['breaks the connection', (response) => void response.socket?.destroy()],
] satisfies Array<[string, Parameters<typeof receiver.answer>[0]]>)(
	'[D1-WH-01] an endpoint that %s has failed',
	async (_case, responder) => {
		const [first] = await webhooks.conversations(1);
		receiver.answer(responder);
		await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
		expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	},
);

test('[D1-WH-01] an endpoint that does not answer in time has failed', async () => {
	const [first] = await impatientWebhooks.conversations(1);
	receiver.answer(() => undefined);
	await impatientWebhooks.subscribe({ url: receiver.url });
	expect(await impatientWebhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(receiver.received).toHaveLength(3);
});

test('[D1-WH-01] nobody listening is a failure', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: 'http://127.0.0.1:9/' });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
});

test('[D1-WH-06] with a custom header a redirect is not followed, in live events', async () => {
	const [first] = await webhooks.conversations(1);
	receiver.answer((response, { path }) => {
		if (path === '/elsewhere') response.writeHead(200).end();
		else response.writeHead(308, { location: `${receiver.url}/elsewhere` }).end();
	});
	await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
	expect(await webhooks.emit(first.conversationId)).toMatchObject({ delivered: 0, failed: 1 });
	expect(paths()).not.toContain('/elsewhere');
});
