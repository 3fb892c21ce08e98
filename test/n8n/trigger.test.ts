import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { errorOf } from '../../harness/n8n/execution';
import type { WorkflowFile } from '../../harness/n8n/workflowFile';
import { memoryOf } from '../../harness/processes/memory';
import { delivery, processedEvent, sign } from '../../harness/webhook/deliveries';
import { progress } from '../support/n8n';
import { KeyedServer } from '../support/scriptedServer';
import { useServers, useTestbed } from '../support/testbed';
import { onlyAtStart, pollWorkflow, triggeredItems, webhookWorkflow } from '../support/triggerWorkflows';

const BURST = 1000;

/** Creates n8n's expression sandbox only where it is used, so that bursts are about the trigger. */
const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

describe('Conversation Intelligence Trigger in a real n8n', () => {
	const { sandbox, n8n, restart } = useTestbed({ conversations: BURST, webhookRetryDelaysMs: [] }, { env });
	const [sink, failed] = useServers(new KeyedServer(), new KeyedServer());
	/** Without connections that n8n could close between two tests. */
	const dispatcher = new Agent({ connections: 50, pipelining: 0 });
	afterAll(async () => await dispatcher.close());
	afterEach(async () => {
		for (const { id } of sandbox.webhooks.subscriptions.list()) sandbox.webhooks.subscriptions.remove(id);
		await saveSandboxCredentials(n8n.client, sandbox);
	});

	const subscribe = (path: string, secret = SIGNING_SECRET) =>
		sandbox.webhooks.subscriptions.add({ url: `${n8n.url}/webhook/${path}`, secret });
	/** Posts a delivery to the trigger at a path, or to the one that listens. */
	const post = async (path: string, sent: Parameters<typeof request>[1], kind = 'webhook') => {
		const response = await request(`${n8n.url}/${kind}/${path}`, { method: 'POST', ...sent, dispatcher });
		return { status: response.statusCode, said: await response.body.text() };
	};
	const signed = (event: object) => delivery(event, SIGNING_SECRET);
	/** Publishes a webhook trigger. */
	const publish = async (...given: Parameters<typeof webhookWorkflow>) => {
		const { path, file } = webhookWorkflow(...given);
		const workflowId = await n8n.client.publish(file);
		const items = async () => await triggeredItems(n8n.client, workflowId, file.nodes[0].name);
		const succeeded = async (count: number) =>
			expect(await n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });
		return { path, file, workflowId, items, succeeded };
	};

	test('only without a signing secret neither listens nor is published, and says why', async () => {
		const { exportUrl: baseUrl, keys } = sandbox;
		const data = { baseUrl, apiKey: keys.organization, signingSecret: '' };
		const id = await n8n.client.saveCredential('conversationExportApi', data, 'without a secret');
		const statusAt = async (path: string) => (await post(path, delivery(processedEvent()))).status;
		const { path, file } = webhookWorkflow();
		const refusedId = await n8n.client.importWorkflow(file);
		const refused = 'credential has no Signing Secret';
		await expect(n8n.client.publish(refusedId)).rejects.toThrow(refused);
		await expect(n8n.client.start(refusedId, file.nodes[0].name)).rejects.toThrow(refused);
		expect(await statusAt(path)).toBe(404);

		const { path: allowed, workflowId, succeeded } = await publish({ options: { allowUnsigned: true } });
		expect(await statusAt(allowed)).toBe(200);
		await succeeded(1);
		// A version that is not published takes the one that runs down with it.
		const publishWith = async (options: object) => {
			const address = `/workflows/${workflowId}`;
			const { name, connections, nodes } = await n8n.client.session.api<WorkflowFile>('GET', address);
			Object.assign(nodes[0].parameters, { options });
			await n8n.client.session.api('PUT', address, { name, connections, nodes, settings: {} });
			await n8n.client.publish(workflowId);
		};
		await expect(publishWith({})).rejects.toThrow('If a version was running, n8n has stopped it');
		expect(await statusAt(allowed)).toBe(404);
		await publishWith({ allowUnsigned: true });
		expect(await statusAt(allowed)).toBe(200);

		// A credential that cannot be read must not take a live version down.
		const orphan = webhookWorkflow();
		const orphanId = await n8n.client.importWorkflow(orphan.file);
		await n8n.client.session.api('DELETE', `/credentials/${id}`);
		await n8n.client.publish(orphanId);
		expect(await statusAt(orphan.path)).toBe(503);
		expect(n8n.log).toContain(': Conversation Intelligence Trigger: cannot accept deliveries: ');
	}, 60_000);

	test('accepts a body of several megabytes, and n8n refuses one above its own limit', async () => {
		const { path, succeeded } = await publish();
		// By its length alone, because n8n closes the connection while the rest is sent.
		const { hostname, port } = new URL(n8n.url);
		const socket = connect(Number(port), hostname);
		const type = 'content-type: application/json';
		const length = `content-length: ${17 * 2 ** 20}`;
		socket.write(`POST /webhook/${path} HTTP/1.1\r\nhost: n8n\r\n${type}\r\n${length}\r\n\r\n`);
		const [head] = (await once(socket, 'data')) as [Buffer];
		socket.destroy();
		expect(head.toString()).toMatch(/^HTTP\/1.1 500 /);
		const large = signed({ ...processedEvent(), padding: 'x'.repeat(5 * 2 ** 20) });
		expect(await post(path, large)).toMatchObject({ status: 200 });
		await succeeded(1);
	}, 60_000);

	test('an execution returns the conversation only if the words were said, or if nobody can know', async () => {
		const said = [['Hello', 'That is too expensive'], ['Expensive, too', 'yes'], ['too expensive']];
		const ids = said.flatMap((turns) => sandbox.control.insertConversations({ said: turns }));
		sandbox.faults.add({ kind: 'htmlPage', status: 404, path: `/transcripts/${ids[2]}.json` });
		const { path, items, succeeded } = await publish({
			output: 'simplified',
			filters: { said: '"too expensive"' },
		});
		subscribe(path);
		await sandbox.webhooks.emit({ conversationIds: ids });
		await succeeded(3);
		sandbox.faults.clear();
		const returned = new Map((await items()).map((row) => [row.conversationId, row.transcriptError]));
		expect(returned).toEqual(
			new Map([
				[ids[0], null],
				[ids[2], expect.stringMatching(/^The transcript could not be downloaded/)],
			]),
		);
		sandbox.control.removeConversations(...ids);
	}, 60_000);

	test('the error output receives a conversation that cannot be fetched, the success output the others', async () => {
		const { path, file } = webhookWorkflow({ output: 'simplified' }, sink.url);
		const [trigger, write] = file.nodes;
		const parameters = {
			...write.parameters,
			url: `=${failed.url}/{{ $json.details.event.conversation_id }}`,
		};
		const onError = { ...write, id: 'on-error', name: 'Write Error', parameters };
		const outputs = [write, onError].map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]);
		await n8n.client.publish({
			...file,
			nodes: [{ ...trigger, onError: 'continueErrorOutput' }, write, onError],
			connections: { [trigger.name]: { main: outputs } },
		});
		subscribe(path);

		const [refused, given] = sandbox.control.insertConversations({ count: 2 });
		sandbox.faults.add({ kind: 'htmlPage', status: 400, path: `/data/export/conversations/${refused}` });
		await sandbox.webhooks.emit({ conversationIds: [refused, given] });
		await Promise.all([sink.waitForKeys(1), failed.waitForKeys(1)]);
		sandbox.faults.clear();
		expect([[...sink.writes], [...failed.writes]]).toEqual([[[given, 1]], [[refused, 1]]]);
	}, 60_000);

	test('a conversation that cannot be fetched for a minute fails its execution, and Retry delivers it later', async () => {
		const { path, workflowId } = await publish({ output: 'simplified' }, sink.url);
		const [id] = sandbox.control.insertConversations();
		sandbox.faults.add({ kind: 'serverError', path: `/data/export/conversations/${id}` });
		expect(await post(path, signed(processedEvent(id)))).toMatchObject({ status: 200 });
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ error: 1 });
		const execution = await n8n.client.latest(workflowId);
		expect(Date.parse(execution.stoppedAt!) - Date.parse(execution.startedAt)).toBeGreaterThanOrEqual(60_000);
		expect(errorOf(execution)).toMatchObject({
			message: expect.stringContaining('The service could not process the request'),
			description: expect.stringContaining('requested the conversation again for a minute'),
			context: { details: { code: 'service_failed', conversationId: id } },
		});
		expect([...sink.writes]).toEqual([]);

		sandbox.faults.clear();
		const retried = await n8n.client.execution(await n8n.client.retry(execution.id));
		expect(retried.status).toBe('success');
		expect([...sink.writes]).toEqual([[id, 1]]);
	}, 180_000);

	test('a test shows the keys of production, and First Version Only leaves out what is processed again', async () => {
		const { path, workflowId, items } = await publish({
			events: ['conversation_processed', 'test'],
			output: 'simplified',
			options: { deliver: 'new' },
		});
		const [id] = sandbox.control.insertConversations();
		await sandbox.webhooks.sendTest(subscribe(path));
		for (const summary of ['first', 'again']) {
			expect(await post(path, signed(processedEvent(id, { summary })))).toMatchObject({ status: 200 });
			await n8n.client.waitForAll(workflowId, summary === 'first' ? 2 : 3);
		}
		const [production, sample, ...others] = (await items()).sort(
			(one, other) => Number(one.isTest) - Number(other.isTest),
		);
		expect(others).toEqual([]);
		expect(production).toMatchObject({ conversationId: id, isTest: false, source: 'webhook' });
		expect(sample).toEqual({ ...production, isTest: true });
	}, 60_000);

	test('accepts only deliveries with a valid signature of their bytes, in any compression and content type', async () => {
		const { path, succeeded } = await publish();
		const written = (indent?: string) =>
			Buffer.from(
				JSON.stringify(processedEvent(randomUUID(), { summary: '🏠 屋根 \u2028 \0' }), null, indent),
			);
		const name = 'X-Service-Signature';
		const signature = (bytes: Buffer) => [name, sign(bytes, SIGNING_SECRET)];
		const json = ['Content-Type', 'application/json'];
		const gzip = [...json, 'Content-Encoding', 'gzip'];
		/** Accepts a body with these headers beside the signature of these bytes, or refuses it. */
		const expectStatus = async (isAccepted: boolean, body: Buffer, headers: string[], signed = body) => {
			const { status, said } = await post(path, { body, headers: [...signature(signed), ...headers] });
			const about = headers.join(' ');
			if (isAccepted) expect([about, status, said]).toEqual([about, 200, '{"status":"accepted"}']);
			// n8n decompresses a body before the trigger sees it, and responds 400 or 500 if that fails.
			else expect([about, status < 600 && status >= 400]).toEqual([about, true]);
		};
		const types = ['application/json; charset=utf-8', 'application/octet-stream', 'text/plain'];
		const typed = types.map((type) => ['Content-Type', type]);
		const repeated = [...json, 'X-Extra', 'one', 'X-Extra', 'two'];
		for (const headers of [json, [], repeated, ...typed]) await expectStatus(true, written(), headers);
		await expectStatus(true, written('  '), json);
		const [zipped, deflated, body] = [written(), written(), written('\t')];
		await expectStatus(true, gzipSync(zipped), gzip, zipped);
		await expectStatus(true, deflateSync(deflated), [...json, 'Content-Encoding', 'deflate'], deflated);
		await succeeded(9);

		await expectStatus(false, Buffer.alloc(0), json);
		await expectStatus(false, Buffer.from(JSON.stringify(JSON.parse(String(body)))), json, body);
		await expectStatus(false, body.subarray(0, 100), json, body);
		for (const second of [signature(body), [name, `sha256=${'0'.repeat(64)}`]]) {
			await expectStatus(false, body, [...json, ...second]);
		}
		await expectStatus(false, gzipSync(body), gzip);
		for (const broken of [gzipSync(body).subarray(0, 20), body])
			await expectStatus(false, broken, gzip, body);
		const upper = [name.toUpperCase(), sign(body, SIGNING_SECRET), ...json];
		expect(await post(path, { body, headers: upper })).toMatchObject({ status: 200 });
		await succeeded(10);
		expect(n8n.log).not.toContain(SIGNING_SECRET);
	}, 120_000);

	test(`${BURST} deliveries, 20 at a time and one in ten repeated, start ${BURST} executions`, async () => {
		const { path, succeeded } = await publish();
		subscribe(path);
		const summary = await sandbox.webhooks.emit({ count: BURST, concurrency: 20, repeatShare: 0.1 });
		progress(JSON.stringify(summary));

		// The sender gives up after ten seconds.
		expect(summary).toMatchObject({ delivered: 1.1 * BURST, attempts: 1.1 * BURST });
		await succeeded(BURST);
	}, 600_000);

	test('300 requests that never end cost n8n little and keep no delivery out, as docs/reference/security.md says', async () => {
		const { path } = await publish();
		const { hostname, port } = new URL(n8n.url);
		const residentMB = () => memoryOf(n8n.service.pid).residentMB;
		const before = residentMB();
		const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
		await Promise.all(sockets.map(async (socket) => await once(socket, 'connect')));
		const head = `POST /webhook/${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
		for (const socket of sockets) socket.write(head);
		for (let sent = 0; sent < 20; sent++) {
			expect(await post(path, signed(processedEvent()))).toMatchObject({ status: 200 });
		}
		const cost = residentMB() - before;
		progress(`300 unfinished requests: ${before.toFixed()} MB and ${cost.toFixed()} MB more`);
		for (const socket of sockets) socket.destroy();
		expect(cost).toBeLessThan(300);
	}, 60_000);

	// Runs last, because it kills n8n.
	test('webhook and poll together lose no conversation of a burst in which n8n is killed', async () => {
		const { path } = await publish({}, sink.url);
		// A poll during the burst would deliver what the kill should interrupt.
		await n8n.client.publish(pollWorkflow(onlyAtStart(), sink.url));
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
	}, 600_000);
});
