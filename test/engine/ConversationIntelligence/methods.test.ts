import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';

const DAY_MS = 86_400_000;
const { methods } = new ConversationIntelligence();

describe('Conversation Intelligence: the lists that the panel loads', () => {
	let sandbox: Sandbox;
	let engine: Engine;
	let all: Array<{ conversationId: string; title: string | null; serviceUrl: string }>;

	beforeAll(async () => {
		const from = new Date(Date.now() - 20 * DAY_MS).toISOString();
		sandbox = await startSandbox({ conversations: 230, from, to: 'now' });
		const apiKey = sandbox.keys.organization;
		engine = await createEngine({ conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey } });
		const { items } = await engine.runNode('conversationIntelligence', {
			dateRange: 'last30Days',
			returnAll: true,
			output: 'raw',
		});
		// The sandbox lists the oldest first.
		all = items.map(({ json }) => json as (typeof all)[number]).reverse();
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	const search = async (filter?: string, token?: string) =>
		await methods.listSearch.searchConversations.call(
			engine.loadOptions('conversationIntelligence'),
			filter,
			token,
		);

	test('the conversation picker lists each conversation of the last 30 days once, newest first', async () => {
		const listed: Array<{ value: unknown; name: string; url?: string }> = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await search(undefined, token);
			listed.push(...results);
			token = paginationToken as string | undefined;
		} while (token !== undefined);

		expect(listed.map(({ value }) => value)).toEqual(all.map(({ conversationId }) => conversationId));
		expect(sandbox.requests.count()).toBeLessThanOrEqual(15);
		expect(listed[0]).toEqual({
			value: all[0].conversationId,
			name: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} – ./),
			url: all[0].serviceUrl,
		});
	});

	test('the picker finds the oldest conversation by part of its ID, and offers no further page', async () => {
		const last = all.at(-1)!;
		expect(await search(last.conversationId.slice(0, 13).toUpperCase())).toEqual({
			results: [expect.objectContaining({ value: last.conversationId })],
		});
	});

	test('the picker finds nothing for words that no conversation contains', async () => {
		expect(await search('no such words')).toEqual({ results: [] });
		expect(sandbox.requests.count()).toBe(5);
	});

	test('the users filter offers every user by name and email, sorted, with removed users marked', async () => {
		const options = await methods.loadOptions.getUsers.call(engine.loadOptions('conversationIntelligence'));
		const names = options.map(({ name }) => name);

		const { items } = await engine.runNode('conversationIntelligence', {
			resource: 'user',
			returnAll: true,
			output: 'raw',
		});
		const users = items.map(({ json }) => json as { email: string; isRemoved: boolean });
		expect(options.map(({ value }) => value).sort()).toEqual(users.map(({ email }) => email).sort());
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		expect(options.filter(({ name }) => name.endsWith(', removed'))).toHaveLength(
			users.filter(({ isRemoved }) => isRemoved).length,
		);
		expect(options[0].name).toContain(`(${options[0].value})`);
	});

	describe('of a service with unusual answers', () => {
		let server: ScriptedServer;
		let scripted: Engine;
		beforeAll(async () => {
			server = await ScriptedServer.start();
			scripted = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'k' } });
		});
		afterAll(async () => await server.close());

		const respondWith = (body: object) => server.respond([{ status: 200, body: JSON.stringify(body) }]);
		const searchScripted = async (filter?: string) =>
			await methods.listSearch.searchConversations.call(
				scripted.loadOptions('conversationIntelligence'),
				filter,
			);
		const users = async () =>
			await methods.loadOptions.getUsers.call(scripted.loadOptions('conversationIntelligence'));

		test('the picker says that a list of conversations is missing, and names one by the fields that it has', async () => {
			respondWith({});
			await expect(searchScripted()).rejects.toThrow('has no field "conversations"');
			const conversations = [{ conversationId: 7, date: '2026-03-01T10:20:30Z', serviceUrl: null }];
			respondWith({ conversations, totalConversations: 1 });
			expect(await searchScripted()).toMatchObject({
				results: [{ name: expect.stringMatching(/^2026-03-01 .*:20$/), value: '7' }],
			});
		});

		test('the users filter shows a user without a name by email, and none without an email', async () => {
			respondWith({});
			expect(await users()).toEqual([]);
			respondWith({ users: [{ email: 'b@x.example', name: '' }, { name: 'Ana' }, { email: 'a@x.example' }] });
			expect(await users()).toEqual([
				{ name: 'a@x.example', value: 'a@x.example' },
				{ name: 'b@x.example', value: 'b@x.example' },
			]);
		});
	});

	test('a wrong key is explained where the list is loaded', async () => {
		const wrong = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown-key' },
		});
		const loading = methods.loadOptions.getUsers.call(wrong.loadOptions('conversationIntelligence'));
		await expect(loading).rejects.toThrow(/API key/);
	});
});
