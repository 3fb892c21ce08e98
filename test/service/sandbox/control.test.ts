import { createServer } from 'node:net';
import { once } from 'node:events';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { optionsFrom } from '../../../sandbox/cli';
import { always, controlPost, exportGet, exportPost, send } from './service';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 20 });
});
afterEach(() => sandbox.close());

const ids = async () =>
	(await exportPost(sandbox, 'conversations', always)).json.conversations.map(
		(row: { conversationId: string }) => row.conversationId,
	);

describe('The control API', () => {
	it('returns addresses, keys and options', async () => {
		const { json } = await send(`${sandbox.url}/control/state`);
		expect(json).toMatchObject({ url: sandbox.url, exportUrl: sandbox.exportUrl, keys: sandbox.keys });
		expect(json.options.conversations).toBe(20);
	});

	it('inserts conversations by date and removes them again', async () => {
		const before = await ids();
		const { json } = await controlPost(sandbox, 'conversations', {
			count: 2,
			date: '2023-01-01T00:00:00Z',
			fields: { title: 'Inserted' },
		});
		expect(await ids()).toEqual([...json.conversationIds, ...before]);
		expect((await exportGet(sandbox, json.conversationIds[1])).json.title).toBe('Inserted');
		for (const id of [json.conversationIds[0], before[3]]) {
			expect((await send(`${sandbox.url}/control/conversations/${id}`, { method: 'DELETE' })).status).toBe(
				200,
			);
			expect((await exportGet(sandbox, id)).status).toBe(404);
		}
		expect(await ids()).toEqual([
			json.conversationIds[1],
			...before.filter((_id: string, index: number) => index !== 3),
		]);
	});

	it('explains why it refuses a request', async () => {
		const { status, json } = await controlPost(sandbox, 'conversations', { date: 'yesterday' });
		expect(status).toBe(400);
		expect(json.message).toBe('A date must be ISO 8601, such as 2026-01-31T09:00:00Z, not "yesterday".');
		expect(() => sandbox.control.removeConversations('nope')).toThrow('No conversation has the ID "nope".');
	});

	const known = { conversationId: 'b6f1c0de-0000-4000-8000-000000000000' };
	it.each<[string, unknown, string]>([
		['conversations', { count: 0 }, 'count: '],
		['conversations', { counts: 2 }, "Unrecognized key(s) in object: 'counts'"],
		['conversations', { processedDate: '7' }, 'not "7"'],
		['conversations', { userEmail: 'nobody@example.com' }, 'No user has the email'],
		['conversations', [], 'Expected object'],
		['processing/finish', { event: 'e-1' }, "Unrecognized key(s) in object: 'event'"],
		['processing/finish', { eventId: 'e-1', ...known }, 'not both'],
		['processing/finish', known, 'No conversation has the ID'],
		['recordings', null, 'Expected object'],
		['recordings', { ...known }, 'state: '],
		['recordings', { ...known, state: 'lost' }, 'state: '],
		['recordings', { ...known, state: 'none', since: 'today' }, "'since'"],
		['recordings', { ...known, state: 'none' }, `No conversation has the ID "${known.conversationId}"`],
		['usage-plan', null, 'Expected object'],
		['usage-plan', { ratePerSecond: 1, burst: 0 }, 'burst: '],
		['usage-plan', { ratePerSecond: 0, burst: 1 }, 'ratePerSecond: '],
		['usage-plan', { ratePerSecond: 1, burst: 1, appliesTo: ['crn'] }, 'appliesTo.0: '],
		['usage-plan', { ratePerSecond: 1, burst: 1, appliesTo: [] }, 'appliesTo: '],
		['usage-plan', { ratePerSecond: 1, bursts: 1 }, 'burst: '],
		['faults', null, 'Expected object'],
		['faults', { kind: 'earthquake' }, 'kind: '],
		['faults', { kind: 'latency', often: true }, "Unrecognized key(s) in object: 'often'"],
		['faults', { kind: 'latency', times: 0 }, 'times: '],
		['faults', { kind: 'insertConversations', date: 'soon' }, 'not "soon"'],
	])('refuses %s %j', async (path, body, message) => {
		const { status, json } = await controlPost(sandbox, path, body);
		expect(json.message).toContain(message);
		expect(status).toBe(message.startsWith('No conversation has the ID') ? 404 : 400);
		expect(await ids()).toHaveLength(20);
	});

	it.each([
		['DELETE', 'faults?id=one', 'id: must be the number of a fault.'],
		['DELETE', 'faults?id=7', 'No fault has the number 7.'],
		['DELETE', 'faults?all=yes', 'all'],
		['GET', 'webhooks/deliveries?limit=many', 'limit: must be a whole number'],
		['GET', 'webhooks/deliveries?state=lost', 'state: '],
	] as const)('refuses %s %s', async (method, path, message) => {
		const { status, json } = await send(`${sandbox.url}/control/${path}`, { method });
		expect({ status, message: json.message }).toEqual({
			status: 400,
			message: expect.stringContaining(message),
		});
	});

	it('removes no conversation if one of them does not exist', async () => {
		const before = await ids();
		expect(() => sandbox.control.removeConversations(before[0], 'nope')).toThrow('nope');
		expect(await ids()).toEqual(before);
	});

	it('accepts a request without a body if every setting is optional', async () => {
		for (const path of ['conversations', 'processing/finish']) {
			expect((await send(`${sandbox.url}/control/${path}`, { method: 'POST' })).status).toBe(200);
		}
		expect(await ids()).toHaveLength(21);
	});

	it('lists and resets the recorded requests', async () => {
		await ids();
		expect((await send(`${sandbox.url}/control/requests?path=/data`)).json.count).toBe(1);
		await send(`${sandbox.url}/control/requests`, { method: 'DELETE' });
		expect(sandbox.requests.list()).toEqual([]);
	});
});

describe('Starting the sandbox', () => {
	it('fails with a clear message if a port is in use', async () => {
		const holder = createServer().listen(0, '127.0.0.1');
		await once(holder, 'listening');
		const address = holder.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		const starting = startSandbox({ port });
		await expect(starting.finally(() => holder.close())).rejects.toThrow(
			`Port ${port} on 127.0.0.1 is already in use: choose another one.`,
		);
	});

	it.each([
		[{ users: 0 }, 'users: Number must be greater than or equal to 1.'],
		[{ from: 'soon' }, 'A date must be ISO 8601, such as 2026-01-31T09:00:00Z, not "soon".'],
		[{ burst: 0, ratePerSecond: 5 }, 'burst: Number must be greater than or equal to 1.'],
		[{ ratePerSecond: Number.NaN }, 'ratePerSecond: Expected number, received nan.'],
		[{ to: '1999-01-01T00:00:00Z' }, '"to" must be after "from".'],
	])('fails for the invalid options %j', async (options, message) => {
		await expect(startSandbox(options)).rejects.toThrow(message);
	});

	it('parses the command line', () => {
		expect(
			optionsFrom(['--port', '9000', '--conversations', '1_000', '--order', 'newestFirst', '--log']),
		).toEqual({
			port: 9000,
			conversations: 1000,
			order: 'newestFirst',
			log: true,
		});
		expect(optionsFrom(['--help'])).toBe('help');
		expect(() => optionsFrom(['--colour', 'red'])).toThrow('--colour');
	});
});
