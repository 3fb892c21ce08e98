import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startSandbox, type Sandbox } from '../../sandbox';
import { createEngine } from '../support/engine';
import { ScriptedServer, type ScriptedAnswer } from '../support/scriptedServer';

const RANGE = { dateRange: 'custom', fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z' };
const GET_ALL = { resource: 'conversation', operation: 'getAll', returnAll: true, ...RANGE };
const KEY = 'a-key-that-must-never-be-shown';

/** Everything a user could read of a failed run. */
const shown = (error: unknown) => {
	const { message, description } = error as { message: string; description?: string };
	return `${message}\n${description}`;
};

describe('Conversation Export: bad input and bad answers', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ conversations: 120 })));
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	const runAgainst = async (baseUrl: string, parameters: Record<string, unknown> = {}, apiKey = KEY) => {
		const engine = await createEngine({ conversationExportApi: { baseUrl, apiKey } });
		return await engine.runNode('conversationExport', { ...GET_ALL, ...parameters } as never);
	};

	test.each([
		['the same instant', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
		['an end before the start', '2026-01-02', '2026-01-01'],
	])('[D1-EXPBODY-01..02] %s is refused before any request', async (_what, fromDate, toDate) => {
		const run = await runAgainst(sandbox.exportUrl, { fromDate, toDate });

		expect(run.error?.message).toMatch(/^To Date \(.*Z\) must be after From Date \(.*Z\).* \[Item 0\]$/);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test.each(['yesterday-ish', '2026-02-30', '2026-13-01T00:00'])(
		'the date %p without meaning is named with its field',
		async (fromDate) => {
			const run = await runAgainst(sandbox.exportUrl, { fromDate });

			expect(run.error?.message).toMatch(/^From Date is .*not a date/);
			expect(sandbox.requests.list()).toHaveLength(0);
		},
	);

	test('[D1-ERR-01] a wrong key says where to look, and asks the service once', async () => {
		const run = await runAgainst(sandbox.exportUrl);

		expect(run.error?.message).toBe('The service does not recognize the API key [Item 0]');
		expect(shown(run.error)).toMatch(/Status 401.*Conversation Export API credential/);
		expect(shown(run.error)).not.toContain(KEY);
		expect(sandbox.requests.list()).toHaveLength(1);
	});

	test('[D1-AUTH-01] a pasted Bearer prefix is refused before any request', async () => {
		const run = await runAgainst(sandbox.exportUrl, {}, `Bearer ${KEY}`);

		expect(shown(run.error)).toMatch(/starts with "Bearer"/);
		expect(shown(run.error)).not.toContain(KEY);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test('[D1-ERR-02] a foreign ID and an ID that is no UUID are told apart', async () => {
		const get = { resource: 'conversation', operation: 'get' };
		const conversationId = '00000000-0000-4000-8000-000000000000';
		const foreign = await runAgainst(
			sandbox.exportUrl,
			{ ...get, conversationId },
			sandbox.keys.organization,
		);
		const malformed = await runAgainst(
			sandbox.exportUrl,
			{ ...get, conversationId: 'abc/../x' },
			sandbox.keys.organization,
		);

		expect(foreign.error?.message).toMatch(/does not exist or is outside the teams of this key/);
		expect(foreign.error?.description).toContain(conversationId);
		expect(malformed.error?.message).toMatch(/"abc\/..\/x" is not a UUID/);
		expect(sandbox.requests.list()).toHaveLength(1);
	});

	test.each<[string, ScriptedAnswer, RegExp]>([
		['a web page', { status: 200, body: '<!doctype html><h1>Hi</h1>' }, /answer is a web page, not JSON/],
		['broken JSON', { status: 200, body: '{"conversations": [' }, /answer is not valid JSON/],
		['a JSON list', { status: 200, body: '[]' }, /answer is not a JSON object/],
		['no rows', { status: 200, body: '{"totalConversations": 3}' }, /has no field "conversations"/],
		['no total', { status: 200, body: '{"conversations": []}' }, /has no field "totalConversations"/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'http://elsewhere.example/' } },
			/redirected the request/,
		],
		['plain words', { status: 400, body: 'toDate is odd' }, /refused the request/],
	])('%s instead of a page fails the export with what to do', async (_what, answer, message) => {
		const server = await ScriptedServer.start(answer);
		const run = await runAgainst(server.url);
		await server.close();

		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/Check the Base URL|check the values|Check the Base URL in/);
		expect(run.items).toHaveLength(0);
		expect(server.seen).toHaveLength(1);
	});

	test('the words of the service are quoted', async () => {
		const server = await ScriptedServer.start({ status: 400, body: 'toDate is odd' });
		const run = await runAgainst(server.url);
		await server.close();

		expect(run.error?.description).toContain('Status 400: "toDate is odd".');
	});

	test('a service that echoes the key does not bring it into the message', async () => {
		const server = await ScriptedServer.start({ status: 401, body: `unknown key ${KEY}` });
		const run = await runAgainst(server.url);
		await server.close();

		expect(run.error?.description).toContain('"unknown key ***"');
	});

	test('Continue On Fail: the failed item fails alone', async () => {
		const engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
		const fromDate = '={{ $json.from }}';
		const run = await engine.runNode(
			'conversationExport',
			{ ...GET_ALL, fromDate },
			{
				continueOnFail: true,
				input: [
					{ json: { from: '2020-01-01' } },
					{ json: { from: 'never' } },
					{ json: { from: '2020-01-01' } },
				],
			},
		);

		const [failed, ...others] = run.items.filter(({ json }) => 'error' in json);
		expect(others).toHaveLength(0);
		expect(failed.pairedItem).toEqual({ item: 1 });
		expect(failed.json.error).toMatch(/From Date is "never".*\[Item 1\]/);
		expect(run.items.filter(({ json }) => 'conversationId' in json)).toHaveLength(240);
	});
});

describe('Conversation Export: transient trouble', () => {
	const page = JSON.stringify({ conversations: [], totalConversations: 0 });
	const run = async (...script: ScriptedAnswer[]) => {
		const server = await ScriptedServer.start(...script);
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: KEY } });
		const result = await engine.runNode('conversationExport', GET_ALL);
		await server.close();
		return { ...result, seen: server.seen };
	};

	test.each<[string, ScriptedAnswer]>([
		['500', { status: 500, body: 'Unexpected error' }],
		['503 with Retry-After: 0', { status: 503, headers: { 'retry-after': '0' } }],
		['a cut connection', 'cut'],
		[
			'an answer cut in the middle',
			(request, response) => {
				response.writeHead(200, { 'content-length': '1000' });
				response.write('{"conversations":[{"conversationId":', () => request.socket.destroy());
			},
		],
	])('%s is tried again and then succeeds', async (_what, trouble) => {
		const result = await run(trouble, { status: 200, body: page });

		expect(result.error).toBeUndefined();
		expect(result.seen).toHaveLength(2);
	});

	test('a 429 with Retry-After in seconds is kept', async () => {
		const result = await run({ status: 429, headers: { 'retry-after': '1' } }, { status: 200, body: page });

		expect(result.error).toBeUndefined();
		expect(result.seen[1].at - result.seen[0].at).toBeGreaterThanOrEqual(990);
	});

	test('a pause longer than the node waits is reported, not slept through', async () => {
		const result = await run({ status: 429, headers: { 'retry-after': '86400' }, body: 'Too Many Requests' });

		expect(result.error?.message).toMatch(/limiting the rate of requests/);
		expect(result.error?.description).toMatch(/"Too Many Requests".*asked to wait 86400 seconds/);
		expect(result.seen).toHaveLength(1);
	});
});

describe('Conversation Export: how the bytes of a page come', () => {
	const rows = [
		{ conversationId: 'a', title: 'Küche – 😀 "{[' },
		{ conversationId: 'b', title: `echo of ${KEY}` },
	];
	const page = Buffer.from(
		`\uFEFF${JSON.stringify({ conversations: rows, totalConversations: 2 }, null, '\t')}`,
	);
	const read = async (answer: ScriptedAnswer) => {
		const server = await ScriptedServer.start(answer);
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: KEY } });
		const { items, error } = await engine.runNode('conversationExport', GET_ALL);
		await server.close();
		expect(error).toBeUndefined();
		return items.map(({ json }) => [json.conversationId, json.title]);
	};
	const expected = [
		['a', 'Küche – 😀 "{['],
		['b', 'echo of ***'],
	];

	test('in one piece, with a byte-order mark; a key in a row is hidden', async () => {
		expect(await read((_request, response) => response.end(page))).toEqual(expected);
	});

	test('a few bytes at a time, cut within characters', async () => {
		const pieces = async (response: ServerResponse) => {
			for (let start = 0; start < page.length; start += 3) {
				response.write(page.subarray(start, start + 3));
				await new Promise((resolve) => setImmediate(resolve));
			}
			response.end();
		};
		expect(await read((_request, response) => void pieces(response))).toEqual(expected);
	});

	test.each(['gzip', 'deflate', 'br'] as const)('compressed with %s', async (encoding) => {
		const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
		const answer: ScriptedAnswer = (_request, response) =>
			response.writeHead(200, { 'content-encoding': encoding }).end(compress(page));

		expect(await read(answer)).toEqual(expected);
	});

	test('a row that is broken fails the export, and no row is put out', async () => {
		const server = await ScriptedServer.start({
			status: 200,
			body: `{"totalConversations":2,"conversations":[{"conversationId":"a"},{"key":${KEY}}]}`,
		});
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: KEY } });
		const { items, error } = await engine.runNode('conversationExport', GET_ALL);
		await server.close();

		expect(items).toHaveLength(0);
		expect(error?.message).toMatch(/answer is not valid JSON/);
		expect(error?.description).toContain('"{"totalConversations":2,');
		expect(shown(error)).not.toContain(KEY);
	});

	test('a key that is cut between two pieces is hidden in the message too', async () => {
		const [before, after] = [`{"key":"${KEY.slice(0, 12)}`, `${KEY.slice(12)}"}`];
		const cut = async (response: ServerResponse) => {
			await new Promise<void>((resolve) => response.write(before, () => resolve()));
			// Both ends live in this process: the first piece is read before the second one is sent.
			for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
			response.end(after);
		};
		const server = await ScriptedServer.start((_request, response) => void cut(response));
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: KEY } });
		const { error } = await engine.runNode('conversationExport', GET_ALL);
		await server.close();

		expect(error?.description).toContain('"{"key":"***"}"');
		expect(shown(error)).not.toContain(KEY.slice(0, 12));
	});
});
