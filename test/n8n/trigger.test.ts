import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { errorOf } from '../../harness/n8n/execution';
import { memoryOf } from '../../harness/processes/memory';
import { delivery, processedEvent } from '../../harness/webhook/deliveries';
import { sign } from '../../harness/webhook/sign';
import { deliveriesAsRead, type SentDelivery } from '../support/deliveriesAsRead';
import { progress } from '../support/n8n';
import { KeyedServer } from '../support/scriptedServer';
import { useTestbed } from '../support/testbed';
import {
	onlyAtStart,
	pollWorkflow,
	publish,
	triggeredItems,
	webhookWorkflow,
} from '../support/triggerWorkflows';

const BURST = 1000;

/** Creates n8n's expression sandbox only where it is used, so that bursts are about the trigger. */
const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

describe('Conversation Intelligence Trigger in a real n8n', () => {
	const service = { conversations: BURST, webhookRetryDelaysMs: [] };
	const { sandbox, n8n, restart } = useTestbed(service, { env });
	/** Without connections that n8n could close between two tests. */
	const dispatcher = new Agent({ connections: 50, pipelining: 0 });
	afterAll(async () => await dispatcher.close());
	afterEach(() => {
		for (const { id } of sandbox.webhooks.subscriptions.list()) sandbox.webhooks.subscriptions.remove(id);
	});

	const urlOf = (path: string) => `${n8n.url}/webhook/${path}`;
	const subscribe = (path: string, secret = SIGNING_SECRET) =>
		sandbox.webhooks.subscriptions.add({ url: urlOf(path), secret });
	const post = async (path: string, { body, headers }: ReturnType<typeof delivery> | SentDelivery) => {
		const response = await request(urlOf(path), { method: 'POST', body, headers, dispatcher });
		return { status: response.statusCode, said: await response.body.text() };
	};

	test('Send test shows 200 for the right secret and 401 for a wrong or missing one, and starts nothing', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const statuses = [];
		for (const secret of [SIGNING_SECRET, 'another secret', '']) {
			statuses.push((await sandbox.webhooks.sendTest(subscribe(path, secret))).status);
		}
		expect(statuses).toEqual([200, 401, 401]);
		expect(await n8n.client.executions(workflowId)).toEqual([]);
		expect(n8n.log).toContain('rejected a delivery (signature_mismatch)');
		expect(n8n.log).not.toContain(SIGNING_SECRET);
	}, 60_000);

	test('starts for another transcript file, and by the duration of the conversation instead of the recording', async () => {
		const filters = { minDuration: 60 };
		const { path, file } = webhookWorkflow({ filters, output: 'simplified' });
		const workflowId = await publish(n8n.client, file);
		const [id] = sandbox.control.insertConversations({ fields: { duration: 65 } });
		const sends = async (transcript_url: string) => {
			const event = processedEvent(id, { recording_duration_seconds: 58.4, transcript_url });
			return JSON.parse((await post(path, delivery(event, SIGNING_SECRET))).said).status;
		};
		expect(await sends('https://media.example/1.json?signature=a')).toBe('accepted');
		expect(await sends('https://media.example/1.json?signature=b')).toBe('repeat');
		expect(await sends('https://media.example/2.json?signature=b')).toBe('accepted');
		expect(await n8n.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
		const items = await triggeredItems(n8n.client, workflowId, file.nodes[0].name);
		expect(items.map(({ duration }) => duration)).toEqual([65, 65]);
	}, 60_000);

	test('a filter says what it wants and what a conversation has: on the Test URL with it, in production without', async () => {
		const { path, file } = webhookWorkflow({ filters: { outcome: 'NotSold' } });
		const trigger = file.nodes[0].name;
		const workflowId = await n8n.client.importWorkflow(file);
		const [id] = sandbox.control.insertConversations({ fields: { outcome: 'Sold' } });
		const why = 'Outcome wants "NotSold", this conversation has "Sold"';
		const hintsAfter = async (kind: string, count: number) => {
			const sent = { ...delivery(processedEvent(id), SIGNING_SECRET), dispatcher };
			expect(await request(`${n8n.url}/${kind}/${path}`, { ...sent, method: 'POST' })).toMatchObject({
				statusCode: 200,
			});
			expect(await n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });
			const [{ id: latest }] = await n8n.client.executions(workflowId);
			const { data } = await n8n.client.execution(latest);
			return data!.resultData.runData[trigger][0].hints?.map(({ message }) => message);
		};
		await n8n.client.start(workflowId, trigger);
		expect(await hintsAfter('webhook-test', 1)).toEqual([
			`In production, this would return nothing: ${why}.`,
		]);
		expect(await triggeredItems(n8n.client, workflowId, trigger)).toHaveLength(1);
		await n8n.client.publish(workflowId);
		expect(await hintsAfter('webhook', 2)).toEqual([`Nothing is returned: ${why}.`]);
		expect(await triggeredItems(n8n.client, workflowId, trigger)).toHaveLength(1);
		expect(n8n.log).toContain(`returned nothing for ${id}: ${why}`);
	}, 60_000);

	test('accepts a short secret, and a receiver header in UTF-8, which Node reads as Latin-1', async () => {
		const { exportUrl: baseUrl, keys } = sandbox;
		const receiver = { receiverHeaderName: 'X-Receiver', receiverHeaderSecret: 'Schlüssel-鍵' };
		const data = { baseUrl, apiKey: keys.organization, signingSecret: ' short ', ...receiver };
		await n8n.client.saveCredential('conversationExportApi', data, 'short secret');
		try {
			const { path, file } = webhookWorkflow();
			await publish(n8n.client, file);
			expect(n8n.log).toContain('the signing secret has fewer than 16 characters');
			for (const secret of ['short', ' short ', 'other']) {
				const { body, headers } = delivery(processedEvent(secret), secret);
				const value = Buffer.from(receiver.receiverHeaderSecret, 'utf8').toString('latin1');
				const { status } = await post(path, { body, headers: { ...headers, 'x-receiver': value } });
				expect(status).toBe(secret === 'other' ? 401 : 200);
			}
		} finally {
			await saveSandboxCredentials(n8n.client, sandbox);
		}
	}, 60_000);

	test('only without a signing secret neither listens nor is published, and says why', async () => {
		const { exportUrl: baseUrl, keys } = sandbox;
		const data = { baseUrl, apiKey: keys.organization, signingSecret: '' };
		const id = await n8n.client.saveCredential('conversationExportApi', data, 'without a secret');
		const refused = 'credential has no Signing Secret';
		try {
			const { path, file } = webhookWorkflow();
			const workflowId = await n8n.client.importWorkflow(file);
			await expect(n8n.client.publish(workflowId)).rejects.toThrow(refused);
			await expect(n8n.client.start(workflowId, file.nodes[0].name)).rejects.toThrow(refused);
			expect(await post(path, delivery(processedEvent()))).toMatchObject({ status: 404 });

			const allowed = webhookWorkflow({ options: { allowUnsigned: true } });
			const allowedId = await publish(n8n.client, allowed.file);
			expect(await post(allowed.path, delivery(processedEvent()))).toMatchObject({ status: 200 });
			expect(await n8n.client.waitForAll(allowedId, 1)).toEqual({ success: 1 });
			// A version that is not published takes the one that runs down with it.
			const publishWith = async (options: object) => {
				const address = `/workflows/${allowedId}`;
				const saved = await n8n.client.session.api<typeof allowed.file>('GET', address);
				const [node, ...others] = saved.nodes;
				const nodes = [{ ...node, parameters: { ...node.parameters, options } }, ...others];
				const { name, connections } = saved;
				await n8n.client.session.api('PUT', address, { name, connections, nodes, settings: {} });
				await n8n.client.publish(allowedId);
			};
			await expect(publishWith({})).rejects.toThrow('If a version was running, n8n has stopped it');
			expect(await post(allowed.path, delivery(processedEvent()))).toMatchObject({ status: 404 });
			await publishWith({ allowUnsigned: true });
			expect(await post(allowed.path, delivery(processedEvent()))).toMatchObject({ status: 200 });

			// A credential that cannot be read must not take a live version down.
			const orphan = webhookWorkflow();
			const orphanId = await n8n.client.importWorkflow(orphan.file);
			await n8n.client.session.api('DELETE', `/credentials/${id}`);
			await n8n.client.publish(orphanId);
			expect(await post(orphan.path, delivery(processedEvent()))).toMatchObject({ status: 503 });
			expect(n8n.log).toContain(': Conversation Intelligence Trigger: cannot accept deliveries: ');
		} finally {
			await saveSandboxCredentials(n8n.client, sandbox);
		}
	}, 60_000);

	test('accepts a body of several megabytes, and n8n refuses one above its own limit', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const send = async (megabytes: number) => {
			const padding = 'x'.repeat(megabytes * 1024 * 1024);
			const body = Buffer.from(JSON.stringify({ ...processedEvent(), padding }));
			const signature = sign(body, SIGNING_SECRET);
			const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
			return (await fetch(urlOf(path), { method: 'POST', headers, body })).status;
		};

		expect(await send(17)).toBe(500);
		expect(await send(5)).toBe(200);
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
	}, 60_000);

	test('the error output receives a conversation that cannot be fetched, the success output the others', async () => {
		const [succeeded, failed] = await Promise.all([KeyedServer.start(), KeyedServer.start()]);
		const { path, file } = webhookWorkflow({ output: 'simplified' }, succeeded.url);
		const [trigger, write] = file.nodes;
		const url = `=${failed.url}/{{ $json.details.event.conversation_id }}`;
		const onError = {
			...write,
			id: 'on-error',
			name: 'Write Error',
			parameters: { ...write.parameters, url },
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
		await Promise.all([succeeded.waitForKeys(1), failed.waitForKeys(1)]);
		sandbox.faults.clear();
		expect([...succeeded.writes]).toEqual([[given, 1]]);
		expect([...failed.writes]).toEqual([[refused, 1]]);
		await Promise.all([succeeded.close(), failed.close()]);
	}, 60_000);

	test('a conversation that cannot be fetched for a minute fails its execution, and Retry delivers it later', async () => {
		const sink = await KeyedServer.start();
		const { path, file } = webhookWorkflow({ output: 'simplified' }, sink.url);
		const workflowId = await publish(n8n.client, file);
		const [id] = sandbox.control.insertConversations();
		sandbox.faults.add({ kind: 'serverError', path: `/data/export/conversations/${id}` });
		expect(await post(path, delivery(processedEvent(id), SIGNING_SECRET))).toMatchObject({ status: 200 });
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ error: 1 });
		const [{ id: failedId }] = await n8n.client.executions(workflowId);
		const failed = await n8n.client.execution(failedId);
		expect(Date.parse(failed.stoppedAt!) - Date.parse(failed.startedAt)).toBeGreaterThanOrEqual(60_000);
		expect(errorOf(failed)).toMatchObject({
			message: expect.stringContaining('The service could not process the request'),
			description: expect.stringContaining('Requested again for a minute'),
			context: { details: { code: 'service_failed', conversationId: id } },
		});
		expect([...sink.writes]).toEqual([]);

		sandbox.faults.clear();
		const retried = await n8n.client.execution(await n8n.client.retry(failedId));
		expect(retried.status).toBe('success');
		expect([...sink.writes]).toEqual([[id, 1]]);
		await sink.close();
	}, 180_000);

	test('a test shows the keys of production, and First Version Only leaves out a conversation that is processed again', async () => {
		const { path, file } = webhookWorkflow({
			events: ['conversation_processed', 'test'],
			output: 'simplified',
			options: { deliver: 'new' },
		});
		const workflowId = await publish(n8n.client, file);
		const [id] = sandbox.control.insertConversations();
		await sandbox.webhooks.sendTest(subscribe(path));
		for (const summary of ['first', 'again']) {
			const event = processedEvent(id, { summary });
			expect(await post(path, delivery(event, SIGNING_SECRET))).toMatchObject({ status: 200 });
			await n8n.client.waitForAll(workflowId, summary === 'first' ? 2 : 3);
		}
		const [production, sample, ...others] = (
			await triggeredItems(n8n.client, workflowId, file.nodes[0].name)
		).sort((one, other) => Number(one.isTest) - Number(other.isTest));
		expect(others).toEqual([]);
		expect(production).toMatchObject({ conversationId: id, isTest: false, source: 'webhook' });
		expect(sample).toEqual({ ...production, isTest: true });
	}, 60_000);

	test('accepts exactly the deliveries whose bytes the signature is of, however they are packed and typed', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const { accepted, refused } = deliveriesAsRead(SIGNING_SECRET);
		for (const [kind, sent] of Object.entries(accepted)) {
			expect([kind, await post(path, sent)]).toEqual([kind, { status: 200, said: '{"status":"accepted"}' }]);
		}
		for (const [kind, sent] of Object.entries(refused)) {
			const { status } = await post(path, sent);
			// n8n decompresses a body before the trigger sees it, and responds 400 or 500 if that fails.
			expect([kind, status < 600 && status >= 400]).toEqual([kind, true]);
		}
		const count = Object.keys(accepted).length;
		expect(await n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });
		expect(n8n.log).not.toContain(SIGNING_SECRET);
	}, 120_000);

	test(`${BURST} deliveries, 20 at a time and one in ten repeated, start ${BURST} executions`, async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		subscribe(path);
		const summary = await sandbox.webhooks.emit({ count: BURST, concurrency: 20, repeatShare: 0.1 });
		progress(JSON.stringify(summary));

		// The sender gives up after ten seconds.
		expect(summary).toMatchObject({ delivered: 1.1 * BURST, attempts: 1.1 * BURST });
		expect(await n8n.client.waitForAll(workflowId, BURST)).toEqual({ success: BURST });
	}, 600_000);

	// Runs last, because it kills n8n.
	test('300 requests that never end cost n8n little and keep no delivery out, as docs/reference/security.md says', async () => {
		const { path, file } = webhookWorkflow();
		await publish(n8n.client, file);
		const { hostname, port } = new URL(n8n.url);
		const residentMB = () => memoryOf(n8n.service.pid).residentMB;
		const before = residentMB();
		const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
		await Promise.all(sockets.map(async (socket) => await once(socket, 'connect')));
		const head = `POST /webhook/${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
		for (const socket of sockets) socket.write(head);
		for (let sent = 0; sent < 20; sent++) {
			expect(await post(path, delivery(processedEvent(), SIGNING_SECRET))).toMatchObject({ status: 200 });
		}
		const cost = residentMB() - before;
		progress(`300 unfinished requests: ${before.toFixed()} MB and ${cost.toFixed()} MB more`);
		for (const socket of sockets) socket.destroy();
		expect(cost).toBeLessThan(300);
	}, 60_000);

	test('webhook and poll together lose no conversation of a burst in which n8n is killed', async () => {
		const sink = await KeyedServer.start();
		const { path, file } = webhookWorkflow({}, sink.url);
		await publish(n8n.client, file);
		// A poll during the burst would deliver what the kill should interrupt.
		await publish(n8n.client, pollWorkflow(onlyAtStart(), sink.url));
		subscribe(path);

		const conversationIds = sandbox.control.insertConversations({ count: 400 });
		const burst = sandbox.webhooks.emit({ conversationIds, concurrency: 50 });
		await sink.waitForKeys(60);
		await n8n.kill();
		progress(`Killed n8n after ${sink.writes.size} writes`);
		await burst;
		expect(sink.writes.size).toBeLessThan(conversationIds.length);

		await restart();
		await sink.waitForKeys(conversationIds.length);
		expect([...sink.writes.keys()].sort()).toEqual([...conversationIds].sort());
		await sink.close();
	}, 600_000);
});
