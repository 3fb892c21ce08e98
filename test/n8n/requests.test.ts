import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { errorOf, itemsOf, secondsOf } from '../../harness/n8n/execution';
import { mappedByHand } from '../support/columns';
import { exportWorkflow, fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n, progress } from '../support/n8n';
import { ScriptedServer, type ScriptedResponse } from '../support/scriptedServer';

const KEY = 'a-key-of/some-"length';
const ID = '00000000-0000-4000-8000-000000000001';
const PAGE = JSON.stringify({ conversations: [{ conversationId: ID }], totalConversations: 1 });

/** Long enough for the node's limit of a minute without progress, and a retry. */
const STALL_LIMIT_MS = 120_000;

const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What the service answers to each kind of row, by the beginning of its ID. */
const RESPONSES: Record<string, (index: number) => ScriptedResponse> = {
	forbidden: () => ({ status: 403, body: 'Forbidden' }),
	unmapped: () => ({ status: 422, body: 'Key is not mapped to an organization' }),
	broken: () => ({ status: 500, body: 'Internal Server Error' }),
	limited: () => ({ status: 429, body: 'Too Many Requests' }),
	later: () => ({ status: 429, headers: { 'retry-after': '3600' } }),
	gone: () => ({ status: 503 }),
	quoted: () => ({
		status: 400,
		body: String.raw`{"url":"https:\/\/m\/t.json?X-Amz-Signature=5ec7e7","key":${JSON.stringify(KEY)}}`,
	}),
	stop: (index) =>
		index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : { status: 400, body: 'Bad title' },
	many: () => ({ status: 200, body: 'OK' }),
};

describe('requests in a real n8n', () => {
	let n8n: TestN8n;
	let server: ScriptedServer;

	beforeAll(async () => {
		server = await ScriptedServer.start();
		n8n = await startTestN8n();
		await n8n.client.saveCredential('conversationExportApi', { baseUrl: server.url, apiKey: KEY });
		await n8n.client.saveCredential('crmAppointmentApi', { baseUrl: server.url, apiKey: KEY });
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await n8n?.stop();
		await server?.close();
	}, 60_000);

	/** A workflow that passes so many rows to the appointments node. */
	const rows = (kind: string, count: number, parameters: INodeParameters = {}, more: Partial<INode> = {}) => {
		const mapped = { event_id: '={{ $json.id }}', user_email: 'ana@example.com', title: '={{ $json.id }}' };
		return fedWorkflow(
			`Array.from({ length: ${count} }, (_, index) => ({ id: '${kind}-' + index }))`,
			nodeWorkflow(
				'conversationIntelligenceAppointments',
				{
					resource: 'appointment',
					operation: 'update',
					columns: mappedByHand(mapped),
					eventId: '={{ $json.id }}',
					...parameters,
				},
				more,
			),
		);
	};

	const kindOf = (text: string) => Object.keys(RESPONSES).find((kind) => text.includes(`${kind}-`)) ?? '';
	const sent = (kind: string) =>
		server.seen.filter(({ url, body }) => kindOf(`${url} ${String(body?.event_id)}`) === kind).length;

	test('what every request would meet ends the run, and each row that was not sent says so', async () => {
		const indexes: Record<string, number> = {};
		server.respond(({ url, body }) => {
			if (url === '/export/users') {
				return { status: 200, body: '{"totalUsers":0,"users":[]}', delayMs: 65_000 };
			}
			const kind = kindOf(`${url} ${String(body?.event_id)}`);
			indexes[kind] = (indexes[kind] ?? -1) + 1;
			return RESPONSES[kind](indexes[kind]);
		});
		const start = async (...given: Parameters<typeof rows>) =>
			await n8n.client.run(await n8n.client.importWorkflow(rows(...given)), { limitSeconds: 240 });
		const hopeless = ['forbidden', 'unmapped', 'broken', 'limited', 'later'];
		const [users, stopped, quoted, gone, ...ended] = await Promise.all([
			n8n.client
				.importWorkflow(exportWorkflow({ resource: 'user' }))
				.then(async (id) => await n8n.client.run(id, { limitSeconds: 240 })),
			start('stop', 20),
			start('quoted', 1),
			start('gone', 20, { operation: 'delete' }, CONTINUE),
			...hopeless.map(async (kind) => await start(kind, 1000, {}, CONTINUE)),
		]);

		for (const [index, kind] of hopeless.entries()) {
			expect([kind, sent(kind)]).toEqual([kind, expect.any(Number)]);
			expect(sent(kind)).toBeLessThanOrEqual(100);
			const items = itemsOf(ended[index]);
			expect(items).toHaveLength(1000);
			expect(items[999].json.details).toMatchObject({ code: 'not_sent' });
		}
		expect(itemsOf(gone)).toHaveLength(20);
		expect(sent('gone')).toBeLessThanOrEqual(40);
		// The failure of another item is not hidden by a pause of two minutes.
		expect(errorOf(stopped)?.description).toContain('Bad title');
		expect(secondsOf(stopped)).toBeLessThan(20);
		expect(errorOf(quoted)?.description).not.toMatch(/5ec7e7|some-/);
		// A response that took longer than a minute was read, with one request.
		expect(errorOf(users)).toBeUndefined();
		expect(server.seen.filter(({ url }) => url === '/export/users')).toHaveLength(1);
	}, 300_000);

	test.each([
		['transcripts of a list', 'media', { operation: 'getAll', includeTranscript: true }],
		['downloads', 'media', { operation: 'downloadAudio' }],
		['single conversations', 'service', { operation: 'get' }],
	])(
		'%s end soon when the %s is down',
		async (_what, down, parameters) => {
			const idOf = (index: number) => `00000000-0000-4000-8000-0000000000${index + 10}`;
			const row = (conversationId: string) => ({
				conversationId,
				date: '2026-03-01T08:00:00Z',
				transcriptUrl: `${server.url}/media/${conversationId}.json`,
				audioUrl: `${server.url}/media/${conversationId}.wav`,
			});
			const conversations = Array.from({ length: 20 }, (_, index) => row(idOf(index)));
			const list = { currentPage: 1, totalPages: 1, totalConversations: 20, conversations };
			server.respond(({ method, url }) => {
				const isMedia = url.startsWith('/media/');
				if (isMedia === (down === 'media')) return { status: 503 };
				const body = method === 'POST' ? list : row(url.split('/').at(-1)!);
				return { status: 200, body: JSON.stringify(body) };
			});
			const isList = parameters.operation === 'getAll';
			const file = nodeWorkflow(
				'conversationIntelligence',
				{
					resource: 'conversation',
					conversationId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					dateRange: 'last7Days',
					...parameters,
				},
				CONTINUE,
			);
			const ids = conversations.map(({ conversationId }) => ({ id: conversationId }));
			const id = await n8n.client.importWorkflow(fedWorkflow(isList ? ids.slice(0, 1) : ids, file));
			const items = itemsOf(await n8n.client.run(id, { limitSeconds: 240 }));
			expect(items).toHaveLength(20);
			expect(items.filter(({ json }) => json.error ?? json.transcriptError)).toHaveLength(20);
			const requests = server.seen.filter(({ url }) => url.startsWith('/media/') === (down === 'media'));
			expect(requests.length).toBeLessThanOrEqual(60);
		},
		300_000,
	);

	test('a run of 20,000 rows is stopped within a second while its rows are read', async () => {
		const { nodes, connections, ...workflow } = rows('many', 20_000);
		const branches = [['Reached', NODE].map((name) => ({ node: name, type: 'main' as const, index: 0 }))];
		const reached: INode = {
			id: 'Reached',
			name: 'Reached',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			// The highest node runs first, just before the appointments node.
			position: [0, -1000],
			parameters: { url: server.url, options: {} },
			executeOnce: true,
		};
		const stopped = async (own: Partial<INode>) => {
			const id = await n8n.client.importWorkflow({
				...workflow,
				nodes: [...nodes.map((node) => (node.name === NODE ? { ...node, ...own } : node)), reached],
				connections: { ...connections, Rows: { main: branches } },
			});
			server.respond([{ status: 200, body: 'OK' }]);
			const execution = await n8n.client.start(id);
			await server.sees(1);
			const stoppedAt = Date.now();
			await n8n.client.stopExecution(execution);
			expect((await n8n.client.waitForEnd(execution)).status).toBe('canceled');
			return Date.now() - stoppedAt;
		};
		// n8n itself takes a second or more to save the rows: its own Wait node says how long.
		const parameters = { amount: 60, unit: 'seconds' };
		const wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters, credentials: undefined };
		const times = { wait: Infinity, update: Infinity };
		for (let round = 0; round < 3; round++) {
			times.wait = Math.min(times.wait, await stopped(wait));
			times.update = Math.min(times.update, await stopped({}));
		}
		progress(`Stopped after ${times.update} ms; a Wait node in its place after ${times.wait} ms`);
		expect(times.update - times.wait).toBeLessThan(1000);
	}, 120_000);

	test(
		'a list page and a download that stop in the body are aborted after a minute, requested again and completed',
		async () => {
			const stalled = new Set<string>();
			server.respond(({ url }) => {
				const isFirst = !stalled.has(url);
				stalled.add(url);
				const body = url.startsWith('/audio') ? 'sound' : PAGE;
				const single = JSON.stringify({ conversationId: ID, audioUrl: `${server.url}/audio?signature=x` });
				if (url.endsWith(ID)) return { status: 200, body: single };
				if (!isFirst) return { status: 200, body };
				return (_request, response) => {
					response.writeHead(200, { 'content-type': 'application/octet-stream' });
					response.write(body.slice(0, 3));
				};
			});
			const list = await n8n.client.importWorkflow(exportWorkflow());
			const audio = await n8n.client.importWorkflow(
				exportWorkflow({ operation: 'downloadAudio', conversationId: ID }),
			);
			const runs = await Promise.all(
				[list, audio].map(async (id) => {
					const execution = await n8n.client.start(id);
					return await n8n.client.waitForResult(execution, { limitSeconds: STALL_LIMIT_MS / 1000 });
				}),
			);

			for (const run of runs) expect(errorOf(run)).toBeUndefined();
			expect(itemsOf(runs[0])[0].json.conversationId).toBe(ID);
			expect(itemsOf(runs[1])[0].binary).toHaveProperty('data');
			expect(server.seen.filter(({ url }) => url === '/export/conversations')).toHaveLength(2);
			expect(server.seen.filter(({ url }) => url.startsWith('/audio'))).toHaveLength(2);
		},
		STALL_LIMIT_MS + 30_000,
	);

	test('an export that waits for a retry ends within a second after it is stopped', async () => {
		const workflowId = await n8n.client.importWorkflow(exportWorkflow());
		server.respond([{ status: 429, headers: { 'retry-after': '120' } }]);
		const executionId = await n8n.client.start(workflowId);
		await server.sees(1);
		const stoppedAt = Date.now();
		await n8n.client.stopExecution(executionId);
		const { status } = await n8n.client.waitForResult(executionId);

		expect(status).toBe('canceled');
		expect(Date.now() - stoppedAt).toBeLessThan(1500);
	}, 60_000);

	test('a link or a redirect to another port of this machine is refused, and nothing is requested there', async () => {
		const internal = await ScriptedServer.start({ status: 200, body: 'an internal page' });
		try {
			const links: Record<string, string> = {
				own: `${server.url}/audio?signature=x`,
				redirected: `${server.url}/redirect?signature=x`,
				internal: `${internal.url}/rest?signature=x`,
				encoded: `${internal.url.replace('127.0.0.1', '0x7f.1')}/rest?signature=x`,
				metadata: 'http://169.254.169.254/latest?signature=x',
				file: 'file:///etc/passwd',
			};
			server.respond(({ url }) => {
				if (url.startsWith('/audio')) return { status: 200, body: 'sound' };
				const headers = { location: `${internal.url}/rest` };
				if (url.startsWith('/redirect')) return { status: 302, headers };
				const index = Number(url.at(-1));
				const audioUrl = Object.values(links)[index];
				return { status: 200, body: JSON.stringify({ conversationId: ID, audioUrl }) };
			});
			const conversationId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const parameters = { resource: 'conversation', operation: 'downloadAudio', conversationId };
			const ids = Object.keys(links).map((_, index) => ({ id: `${ID.slice(0, -1)}${index}` }));
			const file = nodeWorkflow('conversationIntelligence', parameters, CONTINUE);
			const [own, ...refused] = itemsOf(
				await n8n.client.run(await n8n.client.importWorkflow(fedWorkflow(ids, file))),
			);

			expect(own.binary).toHaveProperty('data');
			const port = new URL(internal.url).host;
			expect(refused.map(({ json }) => json.error)).toEqual([
				expect.stringContaining(`A redirect of the link to the audio leads to the private address ${port}`),
				expect.stringContaining(`The link to the audio leads to the private address ${port}`),
				expect.stringContaining(`The link to the audio leads to the private address ${port}`),
				expect.stringContaining('The link to the audio leads to the private address 169.254.169.254'),
				expect.stringContaining('The link to the audio starts with file: instead of https:'),
			]);
			expect(JSON.stringify(refused)).not.toContain('signature');
			expect(internal.seen).toEqual([]);
		} finally {
			await internal.close();
		}
	}, 60_000);

	test('a self-signed certificate is named at once', async () => {
		const secure = await selfSigned();
		try {
			const { port } = secure.address() as AddressInfo;
			await n8n.client.saveCredential('conversationExportApi', {
				baseUrl: `https://127.0.0.1:${port}`,
				apiKey: KEY,
			});
			const run = await n8n.client.run(await n8n.client.importWorkflow(exportWorkflow({ resource: 'user' })));
			expect(errorOf(run)?.message).toContain("The service's certificate is not accepted");
			expect(errorOf(run)?.description).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
			expect(secondsOf(run)).toBeLessThan(5);
		} finally {
			secure.close();
		}
	}, 60_000);
});

describe('an export in a real n8n with SSRF protection', () => {
	test(
		'is refused in n8n’s own words, without a retry',
		async () => {
			const server = await ScriptedServer.start({ status: 200, body: PAGE });
			const n8n = await startTestN8n({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
			try {
				await n8n.client.saveCredential('conversationExportApi', { baseUrl: server.url, apiKey: KEY });
				const startedAt = Date.now();
				const run = await n8n.client.run(await n8n.client.importWorkflow(exportWorkflow()));

				const { message, description } = errorOf(run)!;
				expect(`${message} ${description}`).toMatch(/SSRF/);
				expect(Date.now() - startedAt).toBeLessThan(5000);
				expect(server.seen).toHaveLength(0);
			} finally {
				await n8n.stop();
				await server.close();
			}
		},
		N8N_START_LIMIT_MS,
	);
});

/** A server with a certificate that nobody trusts. */
async function selfSigned(): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
	const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	execFileSync('openssl', [
		...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'],
		...['-keyout', key, '-out', cert],
	]);
	const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
		response.end('{}'),
	);
	rmSync(folder, { recursive: true });
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return server;
}
