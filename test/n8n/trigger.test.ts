import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { delivery, processedEvent } from '../../harness/webhook/deliveries';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { sign } from '../../harness/webhook/sign';
import { startSink } from '../support/sink';
import { startTestbed, type Testbed } from '../support/testbed';
import { publish, triggeredItems, webhookWorkflow } from '../support/triggerWorkflows';

describe('Both triggers in a real n8n, with deliveries from the sandbox', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];

	beforeAll(async () => {
		({ sandbox, n8n } = testbed = await startTestbed({ conversations: 20, webhookRetryDelaysMs: [] }));
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
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
		expect(n8n.log).toMatch(/rejected a delivery \(signature_mismatch\): /);
		expect(n8n.log).not.toContain(SIGNING_SECRET);
	}, 60_000);

	/** Sends an event to a workflow like the service, with a valid signature. */
	const send = async (path: string, event: object, at = new Date()) => {
		const { body, headers } = delivery({ ...event, sent_at: at.toISOString() }, SIGNING_SECRET);
		const response = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
		const { status, reason } = (await response.json()) as { status: string; reason?: string };
		return [response.status, status, reason].join(' ').trim();
	};
	const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

	test('accepts a signed delivery for five minutes, from a clock that is at most five minutes ahead', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		for (const minutes of [-4.5, 0, 4.5]) {
			expect(await send(path, processedEvent(), inMinutes(minutes))).toBe('200 accepted');
		}
		expect(await send(path, processedEvent(), inMinutes(-5.5))).toBe('401 rejected delivery_too_old');
		expect(n8n.log).toMatch(/rejected a delivery \(delivery_too_old\): /);
		expect(await send(path, processedEvent(), inMinutes(5.5))).toBe('401 rejected delivery_ahead');
		expect(await n8n.client.waitForAll(workflowId, 3)).toEqual({ success: 3 });
	}, 60_000);

	test('starts again for a conversation that is processed again, and logs what repeats or is unknown', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const event = processedEvent();
		const id = event.data.conversation_id;
		expect(await send(path, event)).toBe('200 accepted');
		const transcript_url = 'https://media.example/another-link?signature=def';
		const retry = processedEvent(id, { transcript_url });
		expect(await send(path, retry)).toBe('200 repeat');
		expect(n8n.log).toContain(`ignored a repeat of the conversation "${id}"`);
		expect(await send(path, processedEvent(id, { summary: 'A new summary' }))).toBe('200 accepted');
		expect(await send(path, { event_type: 'conversation_deleted', data: null })).toBe('200 ignored');
		expect(n8n.log).toContain('ignored an event of the unknown type "conversation_deleted"');

		expect(await n8n.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
		const items = await triggeredItems(n8n.client, workflowId, 'Conversation Intelligence Trigger');
		expect(items.map(({ summary }) => summary).sort()).toEqual(['A new summary', event.data.summary]);
	}, 60_000);

	test('starts only for the users of the filter, chosen from the list or by an expression', async () => {
		const [{ email }, { email: other }] = sandbox.control.users().filter(({ records }) => records);
		for (const users of [[email], `={{ ['${email}'] }}`]) {
			const { path, file } = webhookWorkflow({ filters: { users } });
			const workflowId = await publish(n8n.client, file);
			const { id } = subscribe(path);
			const mine = sandbox.control.insertConversations({ count: 2, userEmail: email });
			const theirs = sandbox.control.insertConversations({ count: 2, userEmail: other });
			const summary = await sandbox.webhooks.emit({ conversationIds: [...theirs, ...mine] });
			expect(summary).toMatchObject({ statuses: { 200: 4 } });
			sandbox.webhooks.subscriptions.remove(id);
			expect(await n8n.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
			const items = await triggeredItems(n8n.client, workflowId, 'Conversation Intelligence Trigger');
			expect(items.map(({ conversation_id }) => conversation_id).sort()).toEqual([...mine].sort());
		}
	}, 60_000);

	test.each([
		['', 'no Signing Secret: enter one in the credential'],
		['x', 'a signing secret of fewer than 16 characters: enter a longer one'],
	])(
		'with %j as signing secret, neither listens nor is published, and says why',
		async (signingSecret, why) => {
			const withoutSecret = {
				baseUrl: sandbox.exportUrl,
				apiKey: sandbox.keys.organization,
				signingSecret,
			};
			const id = await n8n.client.saveCredential('conversationExportApi', withoutSecret, 'without a secret');
			const refused = `The Conversation Export API credential has ${why}`;
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

				// Allow Unsigned Deliveries does not make a saved secret optional.
				if (signingSecret !== '') return;
				const allowed = webhookWorkflow({ options: { allowUnsigned: true } });
				const allowedId = await publish(n8n.client, allowed.file);
				const { body, headers } = delivery(processedEvent());
				await fetch(`${n8n.url}/webhook/${allowed.path}`, { method: 'POST', headers, body });
				expect(await n8n.client.waitForAll(allowedId, 1)).toEqual({ success: 1 });
			} finally {
				await n8n.client.session.api('DELETE', `/credentials/${id}`);
				await saveSandboxCredentials(n8n.client, sandbox);
			}
		},
		60_000,
	);

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
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
	}, 60_000);

	test('the error output receives a conversation that cannot be fetched, the success output the others', async () => {
		const [succeeded, failed] = await Promise.all([startSink(), startSink()]);
		const { path, file } = webhookWorkflow({ fullConversation: true }, succeeded.url);
		const [trigger, write] = file.nodes;
		const onError = { ...write, id: 'on-error', name: 'Write Error' };
		onError.parameters = {
			...write.parameters,
			url: `=${failed.url}/{{ $json.details.event.conversation_id }}`,
		};
		const outputs = [write, onError].map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]);
		await publish(n8n.client, {
			...file,
			nodes: [{ ...trigger, onError: 'continueErrorOutput' }, write, onError],
			connections: { [trigger.name]: { main: outputs } },
		});
		subscribe(path);

		const [refused, given] = sandbox.control.insertConversations({ count: 2 });
		sandbox.faults.add({ kind: 'htmlPage', status: 400, path: `/data/export/conversations/${refused}` });
		await sandbox.webhooks.emit({ conversationIds: [refused, given] });
		await Promise.all([succeeded.reaches(1), failed.reaches(1)]);
		sandbox.faults.clear();
		expect([...succeeded.writes]).toEqual([[given, 1]]);
		expect([...failed.writes]).toEqual([[refused, 1]]);
		await Promise.all([succeeded.close(), failed.close()]);
	}, 60_000);

	test('while the editor listens, Send test brings a sample to the Test URL', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await n8n.client.importWorkflow(file);
		await n8n.client.listen(workflowId, 'Conversation Intelligence Trigger');
		const url = `${n8n.url}/webhook-test/${path}`;
		expect(await sendTest(sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET }))).toBe(200);
		await n8n.client.waitForAll(workflowId, 1);
		const [item] = await triggeredItems(n8n.client, workflowId, 'Conversation Intelligence Trigger');
		expect(item).toMatchObject({ event_type: 'test' });
		expect(Object.values(item)).toContain(null);
	}, 60_000);
});
