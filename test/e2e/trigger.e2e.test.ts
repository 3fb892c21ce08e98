import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { delivery, processedEvent } from '../../harness/webhook/deliveries';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { sign } from '../../harness/webhook/sign';
import { startTestbed, type Testbed } from '../support/testbed';
import { publish, triggeredItems, webhookWorkflow } from '../support/triggerWorkflows';

describe('Both triggers in a real n8n, with deliveries from the sandbox', () => {
	let bed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];

	beforeAll(async () => {
		({ sandbox, n8n } = bed = await startTestbed({ conversations: 20, webhookRetryDelaysMs: [] }));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await bed?.stop(), 60_000);
	afterEach(() => {
		for (const { id } of sandbox.webhooks.subscriptions.list()) sandbox.webhooks.subscriptions.remove(id);
	});

	const subscribe = (path: string, secret: string | undefined = SIGNING_SECRET) =>
		sandbox.webhooks.subscriptions.add({ url: `${n8n.url}/webhook/${path}`, secret });
	const sendTest = async (subscription: ReturnType<typeof subscribe>) =>
		(await sandbox.webhooks.engine.sendTest(subscription)).attempts[0].status;

	test('Send test shows 200 for the right secret and 401 for a wrong or missing one, and starts nothing', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		expect(await sendTest(subscribe(path))).toBe(200);
		expect(await sendTest(subscribe(path, 'another secret'))).toBe(401);
		expect(await sendTest(subscribe(path, ''))).toBe(401);
		expect(await n8n.client.executions(workflowId)).toEqual([]);
		expect(n8n.log).toMatch(/refused a delivery: The signature does not match/);
		expect(n8n.log).not.toContain(SIGNING_SECRET);
	}, 60_000);

	test('refuses a correctly signed delivery of January 2025, but accepts a clock that is 90 seconds ahead', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const send = async (sentAt: Date) => {
			const { body, headers } = delivery(
				{ ...processedEvent(), sent_at: sentAt.toISOString() },
				SIGNING_SECRET,
			);
			const answer = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
			return { status: answer.status, said: await answer.text() };
		};

		expect(await send(new Date('2025-01-15T10:00:00Z'))).toEqual({
			status: 401,
			said: '{"status":"refused"}',
		});
		expect(n8n.log).toMatch(/refused a delivery: The signed "sent_at" is older than Maximum Age/);
		expect((await send(new Date(Date.now() + 90_000))).status).toBe(200);
		expect(await n8n.client.settled(workflowId, 1)).toEqual({ success: 1 });
	}, 60_000);

	test('without a signing secret, the webhook trigger neither listens nor is published, and says why', async () => {
		const withoutSecret = {
			baseUrl: sandbox.exportUrl,
			apiKey: sandbox.keys.organization,
			signingSecret: '',
		};
		const id = await n8n.client.saveCredential('conversationExportApi', withoutSecret, 'without a secret');
		const refused = /The Conversation Export API credential has no Signing Secret/;
		try {
			const { path, file } = webhookWorkflow();
			const workflowId = await n8n.client.importWorkflow(file);
			await expect(n8n.client.publish(workflowId)).rejects.toThrow(refused);
			const listening = n8n.client.listen(workflowId, 'Conversation Intelligence Trigger');
			await expect(listening).rejects.toThrow(refused);
			for (const url of [`${n8n.url}/webhook/${path}`, `${n8n.url}/webhook-test/${path}`]) {
				const { body, headers } = delivery(processedEvent());
				expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(404);
			}

			const allowed = webhookWorkflow({ options: { allowUnsigned: true } });
			const allowedId = await publish(n8n.client, allowed.file);
			const { body, headers } = delivery(processedEvent());
			await fetch(`${n8n.url}/webhook/${allowed.path}`, { method: 'POST', headers, body });
			expect(await n8n.client.settled(allowedId, 1)).toEqual({ success: 1 });
		} finally {
			await n8n.client.session.api('DELETE', `/credentials/${id}`);
			await saveSandboxCredentials(n8n.client, sandbox);
		}
	}, 60_000);

	test('the webhook trigger accepts a body of several megabytes, and n8n refuses one above its own limit', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const send = async (megabytes: number) => {
			const event = processedEvent();
			const body = JSON.stringify({ ...event, padding: 'x'.repeat(megabytes * 1024 * 1024) });
			const headers = {
				'content-type': 'application/json',
				'x-service-signature': sign(Buffer.from(body), SIGNING_SECRET),
			};
			return (await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body })).status;
		};

		expect(await send(17)).toBe(500);
		expect(await send(5)).toBe(200);
		expect(await n8n.client.settled(workflowId, 1)).toEqual({ success: 1 });
	}, 60_000);

	test('while the editor listens, Send test brings a sample to the Test URL', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await n8n.client.importWorkflow(file);
		await n8n.client.listen(workflowId, 'Conversation Intelligence Trigger');
		const url = `${n8n.url}/webhook-test/${path}`;
		expect(await sendTest(sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET }))).toBe(200);
		await n8n.client.settled(workflowId, 1);
		const [item] = await triggeredItems(n8n.client, workflowId, 'Conversation Intelligence Trigger');
		expect(item).toMatchObject({ event_type: 'test' });
		expect(Object.values(item)).toContain(null);
	}, 60_000);
});
