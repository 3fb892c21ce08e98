import { useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const url = 'https://receiver.example/hook';

const reserved = [
	'Content-Type',
	'X-Service-Signature',
	'Host',
	'Content-Length',
	'Transfer-Encoding',
	'Connection',
	'Keep-Alive',
	'TE',
	'Trailer',
	'Upgrade',
	'Proxy-Authorization',
	'Proxy-Authenticate',
];

/** Expects a refusal both for a new subscription and for a change of its headers. */
async function expectRefused(customHeaders: unknown) {
	expect(await webhooks.refusal({ url, customHeaders })).toBe(400);
	const id = await webhooks.subscribe({ url, customHeaders: { 'X-Kept': 'kept' } });
	await expect(webhooks.change(id, { customHeaders: customHeaders as object })).rejects.toThrow('400');
}

/** A header map with exactly this many UTF-8 bytes as JSON. */
function mapOfBytes(bytes: number, letter = 'a') {
	const room = bytes - Buffer.byteLength(JSON.stringify({ 'X-Long': '' }));
	return { 'X-Long': letter.repeat(room / Buffer.byteLength(letter)) };
}

// D1-SUB-02
test('a subscription needs a URL; secret and headers are optional', async () => {
	expect(await webhooks.refusal({})).toBe(400);
	expect(await webhooks.refusal({ url: 'not a url' })).toBe(400);
	expect(await webhooks.refusal({ url })).toBe(201);
	expect(await webhooks.refusal({ url, secret: 's3cret', customHeaders: { 'X-One': '1' } })).toBe(201);
});

// D1-SUB-02, D1-WH-05
test('only HTTPS URLs can be subscribed, except for this machine', async () => {
	for (const plain of ['http://receiver.example/hook', 'http://10.0.0.1/', 'ftp://receiver.example/']) {
		expect(await webhooks.refusal({ url: plain })).toBe(400);
	}
});

// D1-SUB-03
test('a disabled subscription receives nothing until it is enabled again', async () => {
	const [first, second] = await webhooks.conversations(2);
	const id = await webhooks.subscribe({
		url: `${receiver.url}/switched`,
		secret: 'kept',
		customHeaders: { 'X-Kept': 'yes' },
	});
	await webhooks.subscribe({ url: `${receiver.url}/always` });
	await webhooks.change(id, { enabled: false });
	await webhooks.emit(first.conversationId);
	expect(receiver.received.map(({ path }) => path)).toEqual(['/always']);
	await webhooks.change(id, { enabled: true });
	await webhooks.emit(second.conversationId);
	const again = receiver.received.find(({ path }) => path === '/switched');
	expect(again?.headers).toMatchObject({ 'x-kept': 'yes' });
	expect(again?.headers['x-service-signature']).toMatch(/^sha256=/);
});

// D1-SUB-04, D1-HDR-05
test('deliveries use the edited headers', async () => {
	const [first] = await webhooks.conversations(1);
	const id = await webhooks.subscribe({
		url: receiver.url,
		customHeaders: { 'X-Old': '1', 'X-Both': 'old' },
	});
	await webhooks.change(id, { customHeaders: { 'X-New': '2', 'X-Both': 'new' } });
	await webhooks.emit(first.conversationId);
	expect(receiver.received[0].headers).toMatchObject({ 'x-new': '2', 'x-both': 'new' });
	expect(receiver.received[0].headerNames).not.toContain('x-old');
});

// D1-SUB-05
test('a deleted subscription receives nothing', async () => {
	const [first] = await webhooks.conversations(1);
	const id = await webhooks.subscribe({ url: `${receiver.url}/deleted` });
	await webhooks.subscribe({ url: `${receiver.url}/always` });
	await webhooks.remove(id);
	await webhooks.emit(first.conversationId);
	expect(receiver.received.map(({ path }) => path)).toEqual(['/always']);
});

// D1-HDR-01, D1-LIM-07
test('five custom headers are allowed, six are not', async () => {
	const headers = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Number-${index}`, String(index)]));
	expect(await webhooks.refusal({ url, customHeaders: headers(5) })).toBe(201);
	await expectRefused(headers(6));
});

// D1-HDR-01
test('header names must be unique regardless of case', async () => {
	await expectRefused([
		{ name: 'X-Token', value: 'a' },
		{ name: 'x-TOKEN', value: 'b' },
	]);
});

// D1-HDR-02
test.each(['X Token', '', 'X-Token:', 'X-Tök', 'X-Token ', 'X\tToken', 'X-Token\n'])(
	'the header name %j is refused',
	async (name) => {
		await expectRefused({ [name]: 'value' });
	},
);

// D1-HDR-02
test.each(['one\r\nX-Injected: two', 'one\ntwo', 'one\rtwo', 'nul\0', 'emoji 🎉'])(
	'the header value %j is refused',
	async (value) => {
		await expectRefused({ 'X-Token': value });
	},
);

// D1-HDR-03, D1-LIM-07
test('the headers can have up to 4,096 bytes as JSON', async () => {
	expect(await webhooks.refusal({ url, customHeaders: mapOfBytes(4096) })).toBe(201);
	await expectRefused(mapOfBytes(4097));
});

// D1-HDR-03, D1-LIM-07
test('the limit counts bytes of all headers together, not characters', async () => {
	await expectRefused(mapOfBytes(4100, 'é'));
	const half = 'a'.repeat(2048);
	await expectRefused({ 'X-One': half, 'X-Two': half });
});

// D1-HDR-04
test.each(reserved)('%s cannot be set in any case', async (name) => {
	for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
		await expectRefused({ [written]: 'value' });
	}
});

// D1-HDR-04
test('names that only resemble a reserved name can be set', async () => {
	const customHeaders = { 'X-Content-Type': 'a', Authorization: 'b', 'X-Host': 'c' };
	expect(await webhooks.refusal({ url, customHeaders })).toBe(201);
});
