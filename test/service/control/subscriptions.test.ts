import { control } from '../support/http';
import { useService } from '../support/service';
import { useReceiver, useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const url = 'https://receiver.example/hook';

const reserved = [
	...['content-type', 'X-SERVICE-SIGNATURE', 'Host', 'content-length', 'TRANSFER-ENCODING'],
	...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization', 'Proxy-Authenticate'],
];

/** A header map with exactly this many UTF-8 bytes as JSON. */
const mapOfBytes = (bytes: number, letter = 'a') => {
	const room = bytes - Buffer.byteLength(JSON.stringify({ 'X-Long': '' }));
	return { 'X-Long': letter.repeat(room / Buffer.byteLength(letter)) };
};
const named = (names: string[]) => Object.fromEntries(names.map((name) => [name, 'value']));
const half = 'a'.repeat(2048);

// D1-SUB-02, D1-HDR-01, D1-HDR-03..04, D1-LIM-07
test.each([
	{ url },
	{ url, secret: 's3cret', customHeaders: { 'X-One': '1' } },
	{ url, customHeaders: named(['X-1', 'X-2', 'X-3', 'X-4', 'X-5']) },
	{ url, customHeaders: named(['X-Content-Type', 'Authorization', 'X-Host']) },
	{ url, customHeaders: mapOfBytes(4096) },
])('can be added: %j', async (body) => {
	expect((await webhooks.trySubscribe(body)).status).toBe(201);
});

// D1-SUB-02, D1-WH-05
test.each([undefined, 'not a url', 'http://10.0.0.1/', 'http://127.0.0.1.example.com/', 'ftp://127.0.0.1/'])(
	'cannot be added with the URL %j',
	async (wrong) => {
		expect((await webhooks.trySubscribe({ url: wrong })).status).toBe(400);
	},
);

// D1-HDR-01..04, D1-LIM-07
test.each<[string, object]>([
	['six names', named(['X-1', 'X-2', 'X-3', 'X-4', 'X-5', 'X-6'])],
	['a name twice in another case', ['X-Token', 'x-TOKEN'].map((name) => ({ name, value: 'a' }))],
	['4,097 bytes as JSON', mapOfBytes(4097)],
	['4,100 bytes in fewer characters', mapOfBytes(4100, 'é')],
	['4,096 bytes in two values', { 'X-One': half, 'X-Two': half }],
	...['X Token', '', 'X-Token:', 'X-Tök', 'X-Token ', 'X\tToken', 'X-Token\n'].map(
		(name): [string, object] => [`the name ${JSON.stringify(name)}`, named([name])],
	),
	...['one\r\nX-Injected: two', 'one\ntwo', 'one\rtwo', 'nul\0', 'emoji 🎉'].map(
		(value): [string, object] => [`the value ${JSON.stringify(value)}`, { 'X-Token': value }],
	),
	...reserved.map((name): [string, object] => [`the reserved name ${name}`, named([name])]),
])('cannot be added or changed with headers that have %s', async (_what, customHeaders) => {
	expect((await webhooks.trySubscribe({ url, customHeaders })).status).toBe(400);
	const id = await webhooks.subscribe({ url, customHeaders: { 'X-Kept': 'kept' } });
	await expect(webhooks.change(id, { customHeaders })).rejects.toThrow('400');
});

// D1-SUB-03..05, D1-HDR-05
test('can be disabled, enabled, edited and deleted', async () => {
	const [{ conversationId }] = await webhooks.conversations(1);
	const customHeaders = { 'X-Old': '1', 'X-Both': 'old' };
	const id = await webhooks.subscribe({ url: `${receiver.url}/mine`, secret: 'kept', customHeaders });
	await webhooks.subscribe({ url: `${receiver.url}/always` });
	/** The request to the changed subscription, after it and the other were to receive a conversation. */
	const emitted = async () => {
		receiver.reset();
		await webhooks.emit(conversationId);
		expect(receiver.received.map(({ path }) => path)).toContain('/always');
		return receiver.received.find(({ path }) => path === '/mine');
	};
	await webhooks.change(id, { enabled: false });
	expect(await emitted()).toBeUndefined();
	await webhooks.change(id, { enabled: true });
	const signed = { 'x-service-signature': expect.stringMatching(/^sha256=/) };
	expect((await emitted())?.headers).toMatchObject({ ...signed, 'x-old': '1', 'x-both': 'old' });
	await webhooks.change(id, { customHeaders: { 'X-New': '2', 'X-Both': 'new' } });
	const edited = await emitted();
	expect(edited?.headers).toMatchObject({ ...signed, 'x-new': '2', 'x-both': 'new' });
	expect(edited?.headerNames).not.toContain('x-old');
	await control(service, 'DELETE', `/webhooks/subscriptions/${id}`);
	expect(await emitted()).toBeUndefined();
});
