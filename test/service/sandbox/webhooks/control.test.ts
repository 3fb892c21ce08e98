import { createServer } from 'node:net';
import { once } from 'node:events';
import { type Sandbox, startSandbox } from '../../../../sandbox';
import { send } from '../service';
import { type Receiver, startReceiver } from '../../../../harness/webhook/receiver';

let sandbox: Sandbox;
let receiver: Receiver;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 20, webhookRetryDelaysMs: [] });
	receiver = await startReceiver();
});
afterEach(async () => {
	await sandbox.close();
	await receiver.close();
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
	send(`${sandbox.url}/control/webhooks/${path}`, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
const subscribe = async (more: object = {}) =>
	(await call('POST', 'subscriptions', { url: receiver.url, ...more })).json;

describe('Subscriptions (D1 § Webhook subscription management)', () => {
	it.each([
		[{ url: 'http://example.com/hook' }, 'The URL must begin with https:// (http:// only for this machine).'],
		[
			{ url: 'http://127.0.0.1.example.com/' },
			'The URL must begin with https:// (http:// only for this machine).',
		],
		[{ url: 'ftp://127.0.0.1/' }, 'The URL must begin with https:// (http:// only for this machine).'],
		[{ url: 'hook' }, 'The URL is not a complete address such as https://example.com/webhook.'],
		[
			{ url: 'https://u:p@example.com/' },
			'The URL must not hold a user name or password: use a custom header.',
		],
		[{}, 'url: Required.'],
		[
			{ url: 'https://example.com', customHeaders: { HOST: 'x' } },
			'The header "HOST" is reserved and cannot be set.',
		],
		[
			{
				url: 'https://example.com',
				customHeaders: [
					{ name: 'A', value: '' },
					{ name: 'a', value: '' },
				],
			},
			'The header "a" occurs twice; names ignore case.',
		],
		[{ url: 'https://example.com', colour: 'red' }, "Unrecognized key(s) in object: 'colour'."],
	])('like %j are refused with a reason', async (body, reason) => {
		const { status, json } = await call('POST', 'subscriptions', body);
		expect({ status, message: json.message }).toEqual({ status: 400, message: reason });
		expect((await call('GET', 'subscriptions')).json).toEqual([]);
	});

	it('that do not exist get 404', async () => {
		for (const [method, path, body] of [
			['PATCH', 'subscriptions/none', { enabled: true }],
			['DELETE', 'subscriptions/none', undefined],
			['POST', 'subscriptions/none/test', undefined],
		] as const) {
			const { status, json } = await call(method, path, body);
			expect({ status, message: json.message }).toEqual({
				status: 404,
				message: 'No subscription has the ID "none".',
			});
		}
	});
});

describe('Send test (D1 § test)', () => {
	it('returns the reason if nothing is listening', async () => {
		const holder = createServer().listen(0, '127.0.0.1');
		await once(holder, 'listening');
		const address = holder.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		holder.close();
		await once(holder, 'close');
		const { id } = await subscribe({ url: `http://127.0.0.1:${port}/` });
		const { json } = await call('POST', `subscriptions/${id}/test`);
		expect(json).toMatchObject({ status: null, problem: `connect ECONNREFUSED 127.0.0.1:${port}` });
	});
});

describe('Deliveries on demand', () => {
	it('announce the selected conversations and are listed newest first', async () => {
		await subscribe();
		const { json } = await call('POST', 'emit', { count: 3, skip: 2, repeatShare: 0.34 });
		expect(json).toMatchObject({ conversations: 3, repeats: 1, delivered: 4, statuses: { 200: 4 } });
		const [{ json: last }] = receiver.received.slice(-1);
		const one = await call('POST', 'emit', { conversationId: last.data.conversation_id });
		expect(one.json).toMatchObject({ conversations: 1, delivered: 1 });
		const listed = await call('GET', 'deliveries?limit=2');
		expect(listed.json.count).toBe(5);
		expect(listed.json.deliveries).toHaveLength(2);
		expect(listed.json.deliveries[0]).toMatchObject({
			state: 'delivered',
			conversationId: last.data.conversation_id,
			attempts: [{ status: 200, round: 1 }],
		});
		await call('DELETE', 'deliveries');
		expect((await call('GET', 'deliveries')).json.count).toBe(0);
	});

	it('respond immediately without `wait`', async () => {
		await subscribe();
		const arrived = receiver.got(20);
		expect((await call('POST', 'emit', { count: 20, wait: false })).json).toEqual({ conversations: 20 });
		await arrived;
	});

	it('are unheard without a subscription', async () => {
		expect((await call('POST', 'emit', { count: 2 })).json).toMatchObject({ unheard: 2, attempts: 0 });
		expect((await call('GET', 'deliveries')).json.count).toBe(0);
	});

	it.each([
		[{}, 400, 'Give exactly one of conversationId, conversationIds and count.'],
		[{ count: 21 }, 400, 'There are only 20 conversations, not 21.'],
		[{ conversationId: 'none' }, 404, 'No conversation has the ID "none".'],
		[{ count: 1, concurrency: 0 }, 400, 'concurrency: Number must be greater than or equal to 1.'],
	])('with %j are refused with a reason', async (body, status, message) => {
		const response = await call('POST', 'emit', body);
		expect(response).toMatchObject({ status, json: { message } });
	});
});
