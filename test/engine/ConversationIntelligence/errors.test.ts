import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine } from '../../support/engine';
import { ScriptedServer, type ScriptedResponse } from '../../support/scriptedServer';
import { GET_ALL, KEY, shown } from './exportAll';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

describe('Conversation Intelligence: bad input and bad answers', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ conversations: 120 })));
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	const runAgainst = async (baseUrl: string, parameters: Record<string, unknown> = {}, apiKey = KEY) => {
		const engine = await createEngine({ conversationExportApi: { baseUrl, apiKey } });
		return await engine.runNode('conversationIntelligence', { ...GET_ALL, ...parameters } as never);
	};

	// D1-EXPBODY-01..02
	test.each([
		['the same instant', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
		['an end before the start', '2026-01-02', '2026-01-01'],
	])('refuses %s before any request', async (_what, fromDate, toDate) => {
		const run = await runAgainst(sandbox.exportUrl, { fromDate, toDate });

		expect(run.error?.message).toMatch(/^To Date \(.*\) must be after From Date \(.*\)$/);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test.each(['yesterday-ish', '2026-02-30', '2026-13-01T00:00'])(
		'names the field of the invalid date %p',
		async (fromDate) => {
			const run = await runAgainst(sandbox.exportUrl, { fromDate });

			expect(run.error?.message).toMatch(/^From Date must be a date \(/);
			expect(sandbox.requests.list()).toHaveLength(0);
		},
	);

	// D1-ERR-01
	test('says where to correct a wrong key after a single request', async () => {
		const run = await runAgainst(sandbox.exportUrl);

		expect(run.error?.message).toBe('The service does not recognize the API key');
		expect(shown(run.error)).toMatch(/Status 401.*Conversation Export API credential/);
		expect(shown(run.error)).not.toContain(KEY);
		expect(sandbox.requests.list()).toHaveLength(1);
	});

	// D1-AUTH-01
	test('refuses a pasted Bearer prefix before any request', async () => {
		const run = await runAgainst(sandbox.exportUrl, {}, `Bearer ${KEY}`);

		expect(shown(run.error)).toMatch(/starts with "Bearer"/);
		expect(shown(run.error)).not.toContain(KEY);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test.each([
		[0, 'The service refused the request'],
		[1, 'Could not read the whole list: the service refused the request'],
	])('says after %i pages whether a part of the list was read', async (pages, message) => {
		const page = {
			conversations: Array.from({ length: 50 }, (_, n) => ({ conversationId: `c${n}` })),
			totalConversations: 100,
		};
		const read = { status: 200, body: JSON.stringify(page) };
		const server = await ScriptedServer.start();
		server.respond([...Array.from({ length: pages }, () => read), { status: 400, body: 'No' }]);
		const run = await runAgainst(server.url);
		await server.close();
		expect(run.error?.message).toBe(message);
		expect(server.seen).toHaveLength(pages + 1);
	});

	test.each([
		['conversations', {}],
		['teams', { resource: 'team' }],
		['users', { resource: 'user' }],
		['the members of a team', { filters: { teams: ['North'] } }],
	])('names the item when %s cannot be read', async (_what, parameters) => {
		const server = await ScriptedServer.start({ status: 400, body: 'No' });
		const run = await runAgainst(server.url, parameters);
		await server.close();
		expect(run.error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
	});

	test('reports a conversation with unexpected fields, and keeps the expiry that the service sends itself', async () => {
		const urlsExpireAt = '2030-01-01T00:00:00Z';
		const body = JSON.stringify({ conversationId: ID, title: 5, urlsExpireAt });
		const server = await ScriptedServer.start({ status: 200, body });
		const get = { operation: 'get', conversationId: { __rl: true, mode: 'id', value: ID } };
		const { items, hints } = await runAgainst(server.url, get);
		await server.close();
		expect(items[0].json).toEqual({ conversationId: ID, title: 5, urlsExpireAt });
		expect(hints.map(({ message }) => message).join()).toMatch(/^Unexpected data: .*title/);
	});

	// D1-ERR-02
	test('distinguishes the ID of another organization from an ID that is not a UUID', async () => {
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
		expect(malformed.error?.message).toMatch(/must be a UUID or a link with one \(it is "abc\/..\/x"\)/);
		expect(sandbox.requests.list()).toHaveLength(1);
	});

	test.each<[string, ScriptedResponse, RegExp]>([
		['a web page', { status: 200, body: '<!doctype html><h1>Hi</h1>' }, /response is a web page, not JSON/],
		['broken JSON', { status: 200, body: '{"conversations": [' }, /response is not valid JSON/],
		['a JSON list', { status: 200, body: '[]' }, /response is not a JSON object/],
		['no rows', { status: 200, body: '{"totalConversations": 3}' }, /has no field "conversations"/],
		['no total', { status: 200, body: '{"conversations": []}' }, /has no field "totalConversations"/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'http://elsewhere.example/' } },
			/redirected the request/,
		],
		['plain words', { status: 400, body: 'toDate is odd' }, /refused the request/],
	])(
		'fails the export with advice when it receives %s instead of a page',
		async (_what, response, message) => {
			const server = await ScriptedServer.start(response);
			const run = await runAgainst(server.url);
			await server.close();

			expect(run.error?.message).toMatch(message);
			expect(run.error?.description).toMatch(/Check the Base URL|check the values|Check the Base URL in/);
			expect(run.items).toHaveLength(0);
			expect(server.seen).toHaveLength(1);
		},
	);

	test("quotes the service's words", async () => {
		const server = await ScriptedServer.start({ status: 400, body: 'toDate is odd' });
		const run = await runAgainst(server.url);
		await server.close();

		expect(run.error?.description).toContain('Status 400: "toDate is odd".');
	});

	test('masks the key in the message when the service echoes it', async () => {
		const server = await ScriptedServer.start({ status: 401, body: `unknown key ${KEY}` });
		const run = await runAgainst(server.url);
		await server.close();

		expect(run.error?.description).toContain('"unknown key ***"');
	});

	test('fails only the failed item under Continue On Fail', async () => {
		const engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
		const fromDate = '={{ $json.from }}';
		const run = await engine.runNode(
			'conversationIntelligence',
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
		expect(failed.json.error).toMatch(/From Date must be a date \(it is "never"\).*/);
		expect(run.items.filter(({ json }) => 'conversationId' in json)).toHaveLength(240);
	});
});
