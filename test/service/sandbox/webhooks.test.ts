import { createHmac } from 'node:crypto';
import { status, type Responder } from '../../../harness/webhook/receiver';
import { startSandbox } from '../../../sandbox';
import { defaultOptions } from '../../../sandbox/options';
import { call, expectDocumented, useReceiver, useService } from '../client';

const sizes = { conversations: 60, awaitingUpload: 2, errored: 2, webhookRetryDelaysMs: [1, 1] };
const service = useService(sizes);
const impatient = useService({ ...sizes, webhookTimeoutMs: 500 });
const receiver = useReceiver();
const url = 'https://receiver.example/hook';
const secret = 'a secret with ümlauts & spaces';
const add = (body: object) => service.webhooks.subscriptions.add(body).id;
const addLocal = (path: string, more = {}) => add({ url: `${receiver.url}${path}`, ...more });
const sendTest = (id: string) => service.webhooks.sendTest(service.webhooks.subscriptions.get(id));
afterEach(() => {
	for (const { id } of service.webhooks.subscriptions.list()) service.webhooks.subscriptions.remove(id);
});

/** Announces the first conversations; the summary, and the paths of all requests in order. */
async function announce(count = 1) {
	const emitted = await service.webhooks.emit({ count });
	return { ...emitted, paths: receiver.received.map(({ path }) => path).sort() };
}

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'value']));
/** `{"X-Bytes":""}` are 14 bytes, and each letter two. */
const bytes = (count: number) => ({ 'X-Bytes': 'é'.repeat((count - 14) / 2) });
const five = ['X-1', 'X-2', 'X-3', 'X-4', 'X-5'];
const wrongNames = ['X Token', '', 'X-Token:', 'X-Tök', 'X-Token ', 'X\tToken', 'X-Token\n'];
const reserved = [
	...['content-type', 'X-SERVICE-SIGNATURE', 'Host', 'content-length', 'TRANSFER-ENCODING'],
	...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization', 'Proxy-Authenticate'],
];
const wrongValues = ['one\r\nX-Injected: two', 'one\ntwo', 'one\rtwo', 'nul\0', 'emoji 🎉'];

// D1-SUB-02, D1-WH-05, D1-HDR-01..04, D1-LIM-07
test('a subscription has an HTTPS URL, and at most five headers with valid, different, free names in 4096 bytes', () => {
	const id = add({ url, secret, customHeaders: { 'X-Kept': 'kept' } });
	const ways = [(customHeaders: object) => service.webhooks.subscriptions.get(add({ url, customHeaders }))];
	ways.push((customHeaders) => service.webhooks.subscriptions.change(id, { customHeaders }));
	for (const set of ways) {
		for (const customHeaders of [{}, named(...five), named('X-Content-Type', 'Authorization'), bytes(4096)])
			expect(set(customHeaders)).toMatchObject({ customHeaders });
		for (const customHeaders of [
			...[named(...five, 'X-6'), bytes(4098), ['X-T', 'x-t'].map((name) => ({ name, value: 'a' }))],
			...[...wrongNames, ...reserved].map((name) => named(name)),
			...wrongValues.map((value) => ({ 'X-Token': value })),
		])
			expect(() => set(customHeaders)).toThrow(/header/i);
	}
	const wrong = ['not a url', 'http://10.0.0.1/', 'http://127.0.0.1.example.com/', 'ftp://127.0.0.1/'];
	for (const given of [undefined, ...wrong]) expect(() => add({ url: given })).toThrow(/url/i);
});

// D1-SUB-03..05, D1-HDR-05
test('a subscription can be disabled, enabled, edited and deleted', async () => {
	const { subscriptions } = service.webhooks;
	const id = addLocal('/mine', { secret, customHeaders: { 'X-Old': '1', 'X-Both': 'old' } });
	addLocal('/always');
	/** The headers sent to the changed subscription, when it and the other were to receive a conversation. */
	const sent = async () => {
		receiver.reset();
		expect((await announce()).paths).toContain('/always');
		const { headers } = receiver.received.find(({ path }) => path === '/mine') ?? {};
		return headers && [headers['x-old'], headers['x-both'], headers['x-service-signature']?.slice(0, 7)];
	};
	subscriptions.change(id, { enabled: false });
	expect(await sent()).toBeUndefined();
	subscriptions.change(id, { enabled: true });
	expect(await sent()).toEqual(['1', 'old', 'sha256=']);
	subscriptions.change(id, { customHeaders: { 'X-New': '2', 'X-Both': 'new' } });
	expect(await sent()).toEqual([undefined, 'new', 'sha256=']);
	subscriptions.remove(id);
	expect(await sent()).toBeUndefined();
});

// D1-EVENT-01..04, D1-DOES-04, D1-SIG-01, D1-SIG-04, D1-HDR-05, D1-TEST-01..03, D1-SUB-06, D1-ENVELOPE-01..04
// D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05
test('each subscription gets each conversation once, as documented, signed with its secret; a test is alike', async () => {
	const customer = { name: null, email: null, phone: null, address: {} };
	service.control.insertConversations({ date: '2000-01-02', fields: { customer } });
	addLocal('/plain');
	const id = addLocal('/signed', { secret, customHeaders: { Authorization: 'Bearer receiver' } });
	await announce(50);
	await sendTest(id);
	const sentTo = (wanted: string) => receiver.received.filter(({ path }) => path === wanted);
	const [plain, signed] = [sentTo('/plain'), sentTo('/signed')];
	const [envelopes, tested] = [plain, signed].map((some) => some.map(({ json }) => json));
	const types = [...Array<string>(50).fill('conversation_processed'), 'test'];
	expect(tested.map((body) => body.event_type)).toEqual(types);
	expect(new Set([...envelopes, ...tested].map((body) => body.webhook_event_id)).size).toBe(101);
	expect(plain.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-service-signature');
	for (const { method, headers, raw, json } of signed) {
		expect([method, headers.authorization]).toEqual(['POST', 'Bearer receiver']);
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		const hash = createHmac('sha256', secret).update(raw).digest('hex');
		expect(headers['x-service-signature']).toBe(`sha256=${hash}`);
		const keys = (body: { data: object }) => [Object.keys(body), Object.keys(body.data)];
		expect(keys(json)).toEqual(keys(envelopes[0]));
	}
	expectDocumented('Envelope', envelopes);
	expect(new Set(envelopes.map(({ data }) => data.surveys.length > 0))).toEqual(new Set([true, false]));
	for (const row of (await service.list()).conversations) {
		const { name = null, email = null, phone = null } = row.customer ?? {};
		const expected = {
			...{ conversation_url: row.serviceUrl, user_id: row.user.id, user_email: row.user.email },
			...{ recorded_at: row.date, recording_duration_seconds: row.duration, appointment_id: row.crmEventID },
			...{ summary: row.jobSummary, custom_insights: row.customSummary },
			surveys: row.surveyResults.map((survey) => ({ ...survey, conversationId: row.conversationId })),
			customer: (name ?? email ?? phone) === null ? null : { name, email, phone },
		};
		for (const bodies of [envelopes, tested]) {
			const [{ data, sent_at }, ...more] = bodies.filter(
				(body) => body.data.conversation_id === row.conversationId,
			);
			expect([data, more]).toMatchObject([expected, []]);
			expect(Math.abs(Date.now() - Date.parse(sent_at))).toBeLessThan(60_000);
		}
	}
});

const elsewhere = { location: '/elsewhere' };

// D1-TEST-04, D1-WH-01, D1-WH-03, D1-WH-05..06, D1-LIM-06
test.each<[string, Responder, customHeaders: object, result: [status: number | null, isSuccess: boolean]]>([
	['responds with 299', status(299), {}, [299, true]],
	['responds with 304', status(304), {}, [304, false]],
	['responds with 500', status(500), {}, [500, false]],
	['redirects to HTTP', status(307, { location: 'http://example.com/' }), {}, [null, false]],
	['redirects a delivery with headers', status(301, elsewhere), { 'X-Token': 'a' }, [301, false]],
	['redirects a delivery with headers for good', status(308, elsewhere), { 'X-Token': 'a' }, [308, false]],
	['breaks the connection', (response) => void response.socket?.destroy(), {}, [null, false]],
	['does not respond in time, which is ten seconds by default', () => undefined, {}, [null, false]],
])(
	'Send test and deliveries if the endpoint %s',
	async (_how, responder, customHeaders, [code, isSuccess]) => {
		receiver.respond(responder);
		const { subscriptions } = impatient.webhooks;
		const subscription = subscriptions.add({ url: receiver.url, customHeaders });
		expect(await impatient.webhooks.sendTest(subscription)).toMatchObject({ status: code, isSuccess });
		const [delivered, failed, attempts] = isSuccess ? [1, 0, 1] : [0, 1, 3];
		expect(await impatient.webhooks.emit({ count: 1 })).toMatchObject({ delivered, failed, attempts });
		subscriptions.remove(subscription.id);
		expect(receiver.received.map(({ path }) => path)).toEqual(Array(1 + attempts).fill('/'));
		const { conversationId } = impatient.webhooks.deadLetters()[0] ?? {};
		expect(conversationId === receiver.received[1].json.data.conversation_id).toBe(!isSuccess);
		expect(defaultOptions.webhookTimeoutMs).toBe(10_000);
	},
);

// D1-WH-02, D1-WH-04, D1-ENVELOPE-01, D1-DATA-01
test('only if every subscription failed, all are retried, each time with a new event ID', async () => {
	for (const path of ['/bad', '/good']) addLocal(path);
	for (const [failures, paths] of [
		[0, ['/bad', '/good']],
		[2, ['/bad', '/bad', '/good', '/good']],
	] as const) {
		receiver.reset();
		receiver.respond((response, { path }) =>
			response.writeHead(path === '/good' && receiver.received.length > failures ? 200 : 500).end(),
		);
		expect(await announce()).toMatchObject({ delivered: 1, failed: 0, attempts: paths.length, paths });
	}
	const bodies = receiver.received.map(({ json }) => json);
	expect(new Set(bodies.map((body) => body.data.conversation_id)).size).toBe(1);
	expect(new Set(bodies.map((body) => body.webhook_event_id)).size).toBe(4);
});

// D1-CONV-09, D1-CONV-22, D1-LIM-03..04, D1-DATA-04
test('links of a response and a webhook work for six hours and no longer', async () => {
	addLocal('/');
	await announce(5);
	const [sent] = receiver.received.flatMap(({ json }) => json.data.transcript_url ?? []);
	expect((await call('GET', sent)).json).toEqual(expect.any(Array));
	const [{ transcriptUrl, audioUrl }] = (await service.list()).conversations;
	const start = Date.now();
	for (const link of [transcriptUrl, audioUrl, sent])
		for (const [hours, expected] of [
			[5.99, 200],
			[6.01, 403],
		]) {
			jest.spyOn(Date, 'now').mockReturnValue(start + hours * 3_600_000);
			expect((await call('GET', link)).status).toBe(expected);
		}
});

test('live data goes on from yesterday, each new conversation is announced, and a stop waits for no receiver', async () => {
	const sandbox = await startSandbox({ to: 'now', newConversationSeconds: 0.02 });
	expect(Date.now() - Date.parse(sandbox.control.extent().to ?? '')).toBeLessThan(2 * 86_400_000);
	sandbox.webhooks.subscriptions.add({ url: receiver.url });
	const [first, second] = await receiver.got(2);
	receiver.respond(() => undefined);
	const running = sandbox.webhooks.emit({ count: 20, concurrency: 5 });
	await receiver.got(receiver.received.length + 5);
	await sandbox.close();
	expect(await running).toMatchObject({ delivered: 0, failed: 0, attempts: 0 });
	const { recorded_at, recording_duration_seconds: seconds } = first.json.data;
	const age = Date.now() - Date.parse(recorded_at);
	expect([age > seconds * 1000, age < 3 * 3_600_000]).toEqual([true, true]);
	expect(second.json.data.conversation_id).not.toBe(first.json.data.conversation_id);
});
