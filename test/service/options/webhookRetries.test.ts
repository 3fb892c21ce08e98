import type { Responder } from '../../../harness/webhook/receiver';
import { defaultOptions } from '../../../sandbox/options';
import { useService } from '../support/service';
import { conversationOf, status, useReceiver, useWebhooks } from '../support/webhooks';

const delays = { conversations: 60, awaitingUpload: 2, errored: 2, webhookRetryDelaysMs: [1, 1] };
const service = useService({ ...delays, webhookTimeoutMs: 500 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);

/** Announces a conversation; the summary and the paths of all requests. */
async function announce() {
	const [{ conversationId }] = await webhooks.conversations(1);
	const { delivered, failed, attempts } = await webhooks.emit(conversationId);
	return { delivered, failed, attempts, paths: receiver.received.map(({ path }) => path).sort() };
}

// D1-WH-01, D1-LIM-06
test('an endpoint has ten seconds by default', () => {
	expect(defaultOptions.webhookTimeoutMs).toBe(10_000);
});

// D1-WH-01, D1-WH-03, D1-WH-06, D1-LIM-06
test.each<[string, Responder]>([
	['responds with 404', status(404)],
	['responds with 301', status(301, { location: '/elsewhere' })],
	['responds with 308', status(308, { location: '/elsewhere' })],
	['breaks the connection', (response) => void response.socket?.destroy()],
	['does not respond in time', () => undefined],
])(
	'a delivery with custom headers fails and becomes a dead letter if the endpoint %s',
	async (_how, responder) => {
		receiver.respond(responder);
		await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
		// A redirect is not followed either.
		expect(await announce()).toEqual({ delivered: 0, failed: 1, attempts: 3, paths: ['/', '/', '/'] });
		expect(await webhooks.deadLetters()).toContain(conversationOf(receiver.received[0]));
	},
);

// D1-WH-02
test('a failure is not retried if another subscription succeeded', async () => {
	receiver.respond((response, { path }) => response.writeHead(path === '/good' ? 200 : 500).end());
	for (const path of ['bad', 'good']) await webhooks.subscribe({ url: `${receiver.url}/${path}` });
	expect(await announce()).toEqual({ delivered: 1, failed: 0, attempts: 2, paths: ['/bad', '/good'] });
});

// D1-WH-02, D1-WH-04, D1-ENVELOPE-01, D1-DATA-01
test('if every subscription failed, all are retried, each time with a new event ID', async () => {
	receiver.respond((response, { path }) => {
		response.writeHead(path === '/later' && receiver.received.length > 2 ? 200 : 503).end();
	});
	for (const path of ['never', 'later']) await webhooks.subscribe({ url: `${receiver.url}/${path}` });
	const paths = ['/later', '/later', '/never', '/never'];
	expect(await announce()).toEqual({ delivered: 1, failed: 0, attempts: 4, paths });
	const envelopes = receiver.received.map(({ json }) => json);
	expect(new Set(envelopes.map((body) => body.data.conversation_id)).size).toBe(1);
	expect(new Set(envelopes.map((body) => body.webhook_event_id)).size).toBe(4);
});
