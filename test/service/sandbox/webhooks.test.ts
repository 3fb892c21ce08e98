import { createHmac } from 'node:crypto';
import { status, type Responder } from '../../../harness/webhook/receiver';
import { startSandbox } from '../../../sandbox';
import { defaultOptions } from '../../../sandbox/options';
import { call, expectDocumented, useReceiver, useService } from '../client';

const sizes = { conversations: 60, awaitingUpload: 2, errored: 2 };
const service = useService({ ...sizes, webhookRetryDelaysMs: [1, 1] });
const impatient = useService({ ...sizes, webhookRetryDelaysMs: [1, 1], webhookTimeoutMs: 500 });
const receiver = useReceiver();
const url = 'https://receiver.example/hook';
const secret = 'a secret with ümlauts & spaces';
const add = (body: object) => service.webhooks.subscriptions.add(body).id;
const addLocal = (path: string, more = {}) => add({ url: `${receiver.url}${path}`, ...more });
const sendTest = (id: string) => service.webhooks.sendTest(service.webhooks.subscriptions.get(id));
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'value']));
afterEach(() => {
	for (const { id } of service.webhooks.subscriptions.list()) service.webhooks.subscriptions.remove(id);
});

/** Announces the first conversations; the summary, and the paths of all requests in order. */
async function announce(count = 1) {
	const emitted = await service.webhooks.emit({ count });
	return { ...emitted, paths: receiver.received.map(({ path }) => path).sort() };
}

/** A header map with exactly this many UTF-8 bytes as JSON. */
const mapOfBytes = (bytes: number, letter = 'a') => ({
	'X-Long': letter.repeat((bytes - Buffer.byteLength('{"X-Long":""}')) / Buffer.byteLength(letter)),
});
const RESERVED = [
	...['content-type', 'X-SERVICE-SIGNATURE', 'Host', 'content-length', 'TRANSFER-ENCODING'],
	...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization', 'Proxy-Authenticate'],
];

// D1-SUB-02, D1-WH-05, D1-HDR-01..04, D1-LIM-07
test('a subscription has an HTTPS URL, and at most five headers with valid, different, free names in 4096 bytes', () => {
	for (const customHeaders of [
		{},
		named('X-1', 'X-2', 'X-3', 'X-4', 'X-5'),
		named('X-Content-Type', 'Authorization', 'X-Host'),
		mapOfBytes(4096),
	])
		expect(service.webhooks.subscriptions.get(add({ url, secret, customHeaders }))).toMatchObject({
			customHeaders,
		});
	for (const wrong of [
		undefined,
		'not a url',
		'http://10.0.0.1/',
		'http://127.0.0.1.example.com/',
		'ftp://127.0.0.1/',
	])
		expect(() => add({ url: wrong })).toThrow();
	const id = add({ url, customHeaders: { 'X-Kept': 'kept' } });
	const names = ['X Token', '', 'X-Token:', 'X-Tök', 'X-Token ', 'X\tToken', 'X-Token\n', ...RESERVED];
	const values = ['one\r\nX-Injected: two', 'one\ntwo', 'one\rtwo', 'nul\0', 'emoji 🎉'];
	for (const customHeaders of [
		...[named('X-1', 'X-2', 'X-3', 'X-4', 'X-5', 'X-6'), mapOfBytes(4097), mapOfBytes(4100, 'é')],
		['X-Token', 'x-TOKEN'].map((name) => ({ name, value: 'a' })),
		{ 'X-One': 'a'.repeat(2048), 'X-Two': 'a'.repeat(2048) },
		...names.map((name) => named(name)),
		...values.map((value) => ({ 'X-Token': value })),
	]) {
		expect(() => add({ url, customHeaders })).toThrow(/header/i);
		expect(() => service.webhooks.subscriptions.change(id, { customHeaders })).toThrow(/header/i);
	}
});

// D1-SUB-03..05, D1-HDR-05
test('a subscription can be disabled, enabled, edited and deleted', async () => {
	const { subscriptions } = service.webhooks;
	const id = addLocal('/mine', { secret, customHeaders: { 'X-Old': '1', 'X-Both': 'old' } });
	addLocal('/always');
	/** The request to the changed subscription, after it and the other were to receive a conversation. */
	const emitted = async () => {
		receiver.reset();
		expect((await announce()).paths).toContain('/always');
		return receiver.received.find(({ path }) => path === '/mine');
	};
	subscriptions.change(id, { enabled: false });
	expect(await emitted()).toBeUndefined();
	subscriptions.change(id, { enabled: true });
	const signed = { 'x-service-signature': expect.stringMatching(/^sha256=/) };
	expect((await emitted())?.headers).toMatchObject({ ...signed, 'x-old': '1', 'x-both': 'old' });
	subscriptions.change(id, { customHeaders: { 'X-New': '2', 'X-Both': 'new' } });
	const edited = await emitted();
	expect(edited?.headers).toMatchObject({ ...signed, 'x-new': '2', 'x-both': 'new' });
	expect(edited?.headerNames).not.toContain('x-old');
	subscriptions.remove(id);
	expect(await emitted()).toBeUndefined();
});

// D1-EVENT-01..04, D1-DOES-04, D1-SIG-01, D1-SIG-04, D1-HDR-05, D1-TEST-01..03, D1-SUB-06, D1-ENVELOPE-02
test('each subscription gets each conversation once, signed with its secret; a test has the same keys', async () => {
	addLocal('/plain');
	const id = addLocal('/signed', { secret, customHeaders: { Authorization: 'Bearer receiver' } });
	await announce(5);
	await sendTest(id);
	const of = (wanted: string) => receiver.received.filter(({ path }) => path === wanted);
	const idsOf = (path: string) => of(path).map(({ json }) => json.data.conversation_id);
	expect(idsOf('/plain').sort()).toEqual(service.control.conversationIds(0, 5).sort());
	expect(idsOf('/signed').slice(0, 5).sort()).toEqual(idsOf('/plain').sort());
	expect(of('/signed').map(({ json }) => json.event_type)).toEqual([
		...Array(5).fill('conversation_processed'),
		'test',
	]);
	expect(new Set(receiver.received.map(({ json }) => json.webhook_event_id)).size).toBe(11);
	expect(of('/plain').flatMap(({ headerNames }) => headerNames)).not.toContain('x-service-signature');
	const keys = ({ data, ...body }: { data: object }) => [body, data].map((each) => Object.keys(each));
	for (const { method, headers, raw, json } of of('/signed')) {
		expect([method, headers.authorization]).toEqual(['POST', 'Bearer receiver']);
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		const hash = createHmac('sha256', secret).update(raw).digest('hex');
		expect(headers['x-service-signature']).toBe(`sha256=${hash}`);
		expect(keys(json)).toEqual(keys(receiver.received[0].json));
	}
});

// D1-ENVELOPE-01..04, D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05
test('an envelope has exactly the documented keys and types, and the data of the exported conversation', async () => {
	addLocal('/');
	const rows = (await service.list({ limit: 50 })).conversations;
	await announce(50);
	const envelopes = receiver.received.map(({ json }) => json);
	expectDocumented('Envelope', envelopes);
	expect(new Set(envelopes.map(({ data }) => data.surveys.length > 0))).toEqual(new Set([true, false]));
	for (const row of rows) {
		const { data, sent_at } = envelopes.find((each) => each.data.conversation_id === row.conversationId)!;
		expect(Math.abs(Date.now() - Date.parse(sent_at))).toBeLessThan(60_000);
		const { name = null, email = null, phone = null } = row.customer ?? {};
		expect(data).toMatchObject({
			...{ conversation_url: row.serviceUrl, user_id: row.user.id, user_email: row.user.email },
			...{ recorded_at: row.date, recording_duration_seconds: row.duration, appointment_id: row.crmEventID },
			...{ summary: row.jobSummary, custom_insights: row.customSummary },
			surveys: row.surveyResults.map((survey) => ({ ...survey, conversationId: row.conversationId })),
			customer: (name ?? email ?? phone) === null ? null : { name, email, phone },
		});
	}
});

// D1-TEST-04, D1-WH-01, D1-WH-05..06
test.each<[string, Responder, object]>([
	['299', status(299), { status: 299, isSuccess: true }],
	['304', status(304), { status: 304, isSuccess: false }],
	['500', status(500), { status: 500, isSuccess: false }],
	[
		'307, away from HTTPS',
		status(307, { location: 'http://example.com/' }),
		{ status: null, isSuccess: false },
	],
])('the result of Send test for a response with %s', async (_name, responder, expected) => {
	receiver.respond(responder);
	expect(await sendTest(addLocal('/'))).toMatchObject(expected);
	expect(receiver.received).toHaveLength(1);
});

// D1-WH-01, D1-WH-03, D1-WH-06, D1-LIM-06
test.each<[string, Responder]>([
	['responds with 404', status(404)],
	['responds with 301', status(301, { location: '/elsewhere' })],
	['responds with 308', status(308, { location: '/elsewhere' })],
	['breaks the connection', (response) => void response.socket?.destroy()],
	['does not respond in time, which is ten seconds by default', () => undefined],
])(
	'a delivery with custom headers fails and becomes a dead letter if the endpoint %s',
	async (_how, responder) => {
		receiver.respond(responder);
		const { webhooks } = impatient;
		const { id } = webhooks.subscriptions.add({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
		expect(await webhooks.emit({ count: 1 })).toMatchObject({ delivered: 0, failed: 1, attempts: 3 });
		webhooks.subscriptions.remove(id);
		// A redirect is not followed either.
		expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/']);
		const [{ conversationId }] = webhooks.deadLetters();
		expect(conversationId).toBe(receiver.received[0].json.data.conversation_id);
		expect(defaultOptions.webhookTimeoutMs).toBe(10_000);
	},
);

// D1-WH-02, D1-WH-04, D1-ENVELOPE-01, D1-DATA-01
test('only if every subscription failed, all are retried, each time with a new event ID', async () => {
	receiver.respond((response, { path }) => response.writeHead(path === '/good' ? 200 : 500).end());
	for (const path of ['/bad', '/good']) addLocal(path);
	expect(await announce()).toMatchObject({ delivered: 1, failed: 0, attempts: 2, paths: ['/bad', '/good'] });
	receiver.reset();
	receiver.respond((response, { path }) =>
		response.writeHead(path === '/good' && receiver.received.length > 2 ? 200 : 503).end(),
	);
	const paths = ['/bad', '/bad', '/good', '/good'];
	expect(await announce()).toMatchObject({ delivered: 1, failed: 0, attempts: 4, paths });
	const distinct = (of: (body: Record<string, never>) => unknown) =>
		new Set(receiver.received.map(({ json }) => of(json))).size;
	expect([
		distinct((body) => body.data['conversation_id']),
		distinct((body) => body.webhook_event_id),
	]).toEqual([1, 4]);
});

describe('links', () => {
	const start = Date.now();
	const statusAfter = async (hours: number, link: string) => {
		jest.spyOn(Date, 'now').mockReturnValue(start + hours * 3_600_000);
		return (await call(link)).status;
	};

	// D1-CONV-09, D1-CONV-22, D1-LIM-03..04, D1-DATA-04
	test('of a response and a webhook work for six hours and no longer', async () => {
		addLocal('/');
		await announce(5);
		const [sent] = receiver.received.flatMap(({ json }) => json.data.transcript_url ?? []);
		expect((await call(sent)).json).toEqual(expect.any(Array));
		const [{ transcriptUrl, audioUrl }] = (await service.list()).conversations;
		for (const link of [transcriptUrl, audioUrl, sent])
			expect([await statusAfter(5.99, link), await statusAfter(6.01, link)]).toEqual([200, 403]);
	});
});

test('live data ends yesterday and goes on: each new conversation is announced; the service stops while receivers hang', async () => {
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
