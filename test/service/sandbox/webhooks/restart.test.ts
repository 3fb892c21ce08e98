import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../../sandbox';
import { startReceiver } from '../../../../harness/webhook/receiver';

const dataFolder = mkdtempSync(join(tmpdir(), 'sandbox-restart-'));
afterEach(() => {
	for (const name of readdirSync(dataFolder)) rmSync(join(dataFolder, name), { recursive: true });
});
afterAll(() => rmSync(dataFolder, { recursive: true }));

const start = (webhookRetryDelaysMs: number[]) =>
	startSandbox({ conversations: 20, dataFolder, webhookRetryDelaysMs });

describe('With a data folder, after a restart', () => {
	it('subscriptions, deliveries, dead letters and secrets are unchanged', async () => {
		const receiver = await startReceiver((response) => void response.writeHead(500).end());
		const first = await start([]);
		first.webhooks.subscriptions.add({ url: receiver.url, secret: 's', customHeaders: { 'X-Key': 'k' } });
		await first.webhooks.emit({ count: 2 });
		const state = (sandbox: typeof first) => ({
			subscriptions: sandbox.webhooks.subscriptions.list(),
			deliveries: sandbox.webhooks.deliveries.list(),
			deadLetters: sandbox.webhooks.deliveries.deadLetters(),
		});
		const before = state(first);
		await first.close();
		const second = await start([]);
		expect(state(second)).toEqual(before);
		expect(before.deadLetters).toHaveLength(2);
		await second.webhooks.engine.sendTest(second.webhooks.subscriptions.list()[0]);
		expect(receiver.received.at(-1)?.headers).toMatchObject({
			'x-key': 'k',
			'x-service-signature': expect.stringMatching(/^sha256=/),
		});
		await second.close();
		await receiver.close();
	});

	it('a pending retry is resumed', async () => {
		let calls = 0;
		const receiver = await startReceiver((response) => void response.writeHead(calls++ ? 200 : 500).end());
		const first = await start([300]);
		first.webhooks.subscriptions.add({ url: receiver.url });
		await first.webhooks.emit({ count: 1, wait: false });
		await receiver.got(1);
		await first.close();
		const second = await start([300]);
		await receiver.got(2);
		await second.close();
		expect(new Set(receiver.received.map(({ json }) => json.data.conversation_id)).size).toBe(1);
		await receiver.close();
	});
});

describe('Without a data folder', () => {
	it('the sandbox writes no files', async () => {
		const home = process.cwd();
		process.chdir(dataFolder);
		try {
			const sandbox = await startSandbox({ conversations: 1 });
			sandbox.webhooks.subscriptions.add({ url: 'https://example.com' });
			await sandbox.close();
		} finally {
			process.chdir(home);
		}
		expect(readdirSync(dataFolder)).toEqual([]);
	});
});
