import type { INodeExecutionData } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';
import { GET_ALL as ALL } from './exportAll';

const emailOf = ({ json }: INodeExecutionData) => (json.user as { email: string }).email;

describe('Conversation Intelligence: requests and output of each operation', () => {
	let sandbox: Sandbox;
	let engine: Engine;
	let team: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 310, awaitingUpload: 120, errored: 35 });
		const withKey = async (apiKey: string) =>
			await createEngine({ conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey } });
		engine = await withKey(sandbox.keys.organization);
		team = await withKey(sandbox.keys.team);
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	const run = async (parameters: object, options = {}, on = engine) =>
		await on.runNode('conversationIntelligence', { ...ALL, ...parameters } as never, options);
	const bodies = () => sandbox.requests.list().map(({ body }) => body as Record<string, unknown>);

	test.each([
		[{ resource: 'recording', operation: 'getAwaitingUpload' }, 120, 3 + 4],
		[{ resource: 'recording', operation: 'getErrored' }, 35, 1],
		[{ resource: 'team', operation: 'getAll' }, 8, 1],
		[{ resource: 'user', operation: 'getAll' }, undefined, 1],
	])(
		'%p returns every row with as many requests as its own pages, and slices where no time tells',
		async (operation, rows, requests) => {
			const { items, error, hints } = await run(operation);

			expect(error).toBeUndefined();
			expect(hints).toEqual([]);
			expect(items).toHaveLength(rows ?? items.length);
			expect(items.length).toBeGreaterThan(0);
			expect(sandbox.requests.list()).toHaveLength(requests);
		},
	);

	// D1-EXP-02, D1-EXP-03
	test('returns conversations, recordings awaiting upload and errored ones from the same pages and slices', async () => {
		const { items } = await run({ options: { alsoInclude: ['awaitingUpload', 'errored'] } });

		const count = (kind: string) => items.filter(({ json }) => json.kind === kind).length;
		expect([count('conversation'), count('awaitingUpload'), count('errored')]).toEqual([310, 120, 35]);
		// No row of a recording awaiting upload says when it appeared, so the pages are confirmed by slices.
		const isPage = ({ toDate }: Record<string, unknown>) => toDate === '2030-01-01T00:00:00.000Z';
		expect(
			new Set(
				bodies()
					.filter(isPage)
					.map(({ page }) => page),
			).size,
		).toBe(7);
		expect(bodies().length).toBeLessThanOrEqual(7 * 4);
	});

	test.each([
		[1, 1, 3],
		[49, 1, 3],
		[50, 1, 3],
		[51, 2, 4],
		[120, 3, 5],
		[250, 5, 7],
		[1000, 7, 7],
	])(
		'reads a Limit of %i with %i requests as listed, and the newest with %i',
		async (limit, requests, forNewest) => {
			const { items } = await run({ returnAll: false, limit, options: { order: 'asListed' } });

			expect(items).toHaveLength(Math.min(limit, 310));
			expect(sandbox.requests.list()).toHaveLength(requests);

			sandbox.requests.reset();
			const newest = (await run({ returnAll: false, limit })).items;
			expect(newest).toHaveLength(Math.min(limit, 310));
			expect(sandbox.requests.list()).toHaveLength(forNewest);
		},
	);

	test.each([
		{},
		{ resource: 'recording', operation: 'getErrored' },
		{ resource: 'recording', operation: 'getAwaitingUpload' },
		{ resource: 'team' },
		{ resource: 'user' },
	])('returns at most ten fields with Simplified of %j', async (operation) => {
		const { items } = await run({ ...operation, output: 'simplified', returnAll: false, limit: 1 });
		expect(Object.keys(items[0].json).length).toBeLessThanOrEqual(10);
	});

	test('returns the chosen fields with Selected Fields', async () => {
		const chosen = await run({
			output: 'selectedFields',
			fields: ['title', 'conversationId'],
			returnAll: false,
			limit: 1,
		});

		expect(Object.keys(chosen.items[0].json)).toEqual(['conversationId', 'title']);
	});

	test('adds urlsExpireAt, six hours after the request, to every row with links', async () => {
		const before = Date.now();
		const { items } = await run({});
		const expire = items.map(({ json }) => Date.parse(json.urlsExpireAt as string) - 6 * 3_600_000);

		expect(Math.min(...expire)).toBeGreaterThanOrEqual(before);
		expect(Math.max(...expire)).toBeLessThanOrEqual(Date.now());
	});

	// D1-TEAMBODY-03
	test('sends Include Subteams, which counts the members of subteams', async () => {
		const without = await run({ resource: 'team' });
		const withSubteams = await run({ resource: 'team', includeSubteams: true });
		const users = ({ items }: { items: INodeExecutionData[] }) =>
			items.reduce((sum, { json }) => sum + (json.totalUsers as number), 0);

		expect(bodies().map(({ includeSubteams }) => includeSubteams)).toEqual([false, true]);
		expect(users(withSubteams)).toBeGreaterThan(users(without));
	});

	// D1-EXPBODY-06
	test('filters users by exact emails, picked or typed', async () => {
		const all = await run({});
		const [ana, ben] = [...new Set(all.items.map(emailOf))];
		sandbox.requests.reset();
		const { items, hints } = await run({ filters: { users: [ana, ben] } });
		const typed = await run({ filters: { users: ` ${ben} , ${ana}` } });

		expect(bodies()[0].users).toEqual([ana, ben]);
		expect(bodies().at(-1)?.users).toEqual([ben, ana]);
		expect(typed.items).toHaveLength(items.length);
		expect(items).toHaveLength(all.items.filter((item) => [ana, ben].includes(emailOf(item))).length);
		expect(hints).toEqual([]);
	});

	// D1-EXP-05
	test('drops the rows of the fallback after one request, and names their users in a hint', async () => {
		const filters = { users: 'nobody@example.com' };
		const allowed = await run({}, {}, team);
		sandbox.requests.reset();
		const { items, hints } = await run({ filters }, {}, team);

		expect(items).toEqual([]);
		expect(sandbox.requests.list()).toHaveLength(1);
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toContain(`${allowed.items.length} rows were dropped`);
		expect(hints[0].message).toMatch(/\d+ of \S+@\S+/);
		sandbox.requests.reset();
		const unguarded = await run({ filters, options: { guardUsers: false } }, {}, team);
		expect(unguarded.items).toHaveLength(allowed.items.length);
	});

	// D1-EXP-05, D1-USERBODY-04
	test('drops rows of other users from users and files too', async () => {
		const filters = { users: 'nobody@example.com' };
		const users = await run({ resource: 'user', filters }, {}, team);
		const file = await run({ outputAs: 'file', filters }, {}, team);

		expect(users.items).toEqual([]);
		expect(users.hints[0].message).toMatch(/rows were dropped, such as 1 of /);
		expect(file.items[0].json).toMatchObject({ rows: 0, droppedRows: file.items[0].json.totalConversations });
	});

	// D1-EXP-04
	test('refuses to select recordings awaiting upload by processed date', async () => {
		const filters = { dateType: 'processedDate' };
		const { error } = await run({ filters, options: { alsoInclude: ['awaitingUpload'] } });

		expect([error?.message, error?.description]).toEqual([
			'Recordings that await their upload have no processed date',
			'Remove Awaiting Upload, or set Date Type to Time of Recording.',
		]);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	// D1-EXPBODY-01, D1-EXPBODY-02
	test('sends dates in UTC ending in Z, and the same open end for all items', async () => {
		const input = [{ json: {} }, { json: {} }];
		const berlin = { fromDate: '2026-03-29T12:00:00', toDate: '' };
		await run(berlin, { input, timezone: 'Europe/Berlin' });
		await run({ dateRange: 'yesterday' }, { timezone: 'Asia/Kathmandu' });

		const [first, second, preset] = bodies();
		expect(first.fromDate).toBe('2026-03-29T10:00:00.000Z');
		expect(second).toEqual(first);
		expect(Math.abs(Date.parse(first.toDate as string) - Date.now())).toBeLessThan(60_000);
		expect(preset.fromDate).toMatch(/T18:15:00\.000Z$/);
		expect(preset.toDate).toMatch(/T18:14:59\.999Z$/);
	});

	test('names an unknown date range', async () => {
		const { error } = await run({ dateRange: 'lastFortnight' });

		expect(error?.message).toMatch(/^Date Range must be one of .*last7Days.* \(it is "lastFortnight"\)$/);
	});

	test.each([0, -5, 2.5, 'many'])('refuses the Limit %p', async (limit) => {
		const { error } = await run({ returnAll: false, limit });

		expect(error?.message).toBe(`Limit must be a whole number from 1 (it is ${JSON.stringify(limit)})`);
		expect(sandbox.requests.list()).toHaveLength(0);
	});

	test('returns one error item for a failed page under Continue On Fail, never a shortened list', async () => {
		sandbox.faults.add({ kind: 'brokenJson', body: { page: 5 } });
		const { items } = await run({}, { continueOnFail: true });

		expect(items).toHaveLength(1);
		expect(items[0].json.error).toBe(
			"Could not read the whole list: the service's response is not valid JSON",
		);
		expect(items[0].json.message).toMatch(/No items were returned\..*On Failure/);
	});

	test('retries pages that fail temporarily, and no row is missing or repeated', async () => {
		sandbox.faults.add({ kind: 'serverError', every: 4, times: 2 });
		sandbox.faults.add({ kind: 'connectionReset', every: 3, times: 1 });
		sandbox.faults.add({ kind: 'truncatedBody', body: { page: 6 }, times: 1 });
		const { items, error } = await run({});

		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.conversationId)).size).toBe(310);
		expect(items).toHaveLength(310);
	});

	test('requests no further page in a cancelled run', async () => {
		sandbox.faults.add({ kind: 'latency', milliseconds: 150, path: '/data/' });
		const isUnderWay = async () => {
			while (sandbox.requests.count() < 2) await new Promise((resolve) => setImmediate(resolve));
		};
		const { status } = await run({ options: { concurrency: 1 } }, { cancelWhen: isUnderWay() });

		expect(status).not.toBe('success');
		expect(sandbox.requests.list()).toHaveLength(2);
	});

	test('never outputs the key', async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 2 } });
		const runs = [await run({}), await run({ resource: 'user' }), await run({ outputAs: 'file' })];

		expect(JSON.stringify(runs)).not.toContain(sandbox.keys.organization);
	});
});

describe('Conversation Intelligence: answers that do not match the API documentation', () => {
	const row = (n: number) => ({ conversationId: `c-${n}`, duration: 'long', novelty: { n } });
	const page = { conversations: [row(1), row(2)], totalConversations: 2 };

	test('name each field and its count in one hint, and rows and unknown fields pass through', async () => {
		const server = await ScriptedServer.start({ status: 200, body: JSON.stringify(page) });
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'k' } });
		const { items, hints } = await engine.runNode('conversationIntelligence', ALL);
		await server.close();

		expect(items.map(({ json }) => json.novelty)).toEqual([{ n: 1 }, { n: 2 }]);
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toMatch(
			/recordingId is missing \(2 times\); .*duration is not a number \(2 times\)/,
		);
		expect(hints[0].message).not.toContain('long');
	});

	test('report a total above the number of rows after a second reading', async () => {
		const server = await ScriptedServer.start({
			status: 200,
			body: JSON.stringify({ ...page, totalConversations: 4 }),
		});
		const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'k' } });
		const { items, hints } = await engine.runNode('conversationIntelligence', ALL);
		await server.close();

		expect(items).toHaveLength(2);
		expect(server.seen).toHaveLength(3);
		expect(hints[0].message).toBe('The service counts 2 rows more than it lists.');
	});
});
