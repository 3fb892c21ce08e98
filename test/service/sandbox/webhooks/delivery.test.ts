import { type Sandbox, startSandbox } from '../../../../sandbox';
import { type Receiver, type Responder, startReceiver } from '../../../../harness/webhook/receiver';

const retryDelays = [20, 20];

let sandbox: Sandbox;
let receivers: Receiver[];
beforeEach(async () => {
	receivers = [];
	sandbox = await startSandbox({ conversations: 300, webhookRetryDelaysMs: retryDelays });
});
afterEach(async () => {
	await sandbox.close();
	await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function subscribe(response?: Responder, more: object = {}) {
	const receiver = await startReceiver(response);
	receivers.push(receiver);
	const subscription = sandbox.webhooks.subscriptions.add({ url: receiver.url, ...more });
	return { receiver, subscription };
}

describe('Delivery', () => {
	it('succeeds with a 2xx whose body never ends', async () => {
		await subscribe((response) => void response.writeHead(200).write('half'));
		expect(await sandbox.webhooks.emit({ count: 1 })).toMatchObject({ delivered: 1, attempts: 1 });
	});

	it('uses the given concurrency and repeat share, over keep-alive connections', async () => {
		const { receiver } = await subscribe((response) => void setImmediate(() => response.end()));
		const summary = await sandbox.webhooks.emit({
			count: 200,
			concurrency: 20,
			repeatShare: 0.1,
			repeatWhen: 'later',
		});
		expect(summary).toMatchObject({ conversations: 200, repeats: 20, attempts: 220, statuses: { 200: 220 } });
		const ids = receiver.received.map(({ json }) => json.data.conversation_id);
		expect(new Set(ids).size).toBe(200);
		expect(receiver.maxInFlight).toBeLessThanOrEqual(20);
		expect(receiver.maxInFlight).toBeGreaterThan(10);
		expect(receiver.connections).toBeLessThan(60);
	});

	it('stops when the sandbox is closed', async () => {
		await subscribe(() => undefined);
		const running = sandbox.webhooks.emit({ count: 100, concurrency: 5 });
		await receivers[0].got(5);
		await sandbox.close();
		expect(await running).toMatchObject({ delivered: 0, failed: 0, attempts: 0 });
	});
});

// D1-WH-06
describe('Redirects', () => {
	const redirectTo =
		(location: string): Responder =>
		(response, { path }) =>
			void (path === '/' ? response.writeHead(307, { location }).end() : response.end('arrived'));

	it('are not followed to an endpoint without HTTPS', async () => {
		const { subscription } = await subscribe(redirectTo('http://example.com/'));
		const { attempts } = await sandbox.webhooks.engine.sendTest(subscription);
		expect(attempts[0]).toMatchObject({
			status: null,
			problem: 'Not delivered: http://example.com is not an HTTPS endpoint.',
		});
	});
});
