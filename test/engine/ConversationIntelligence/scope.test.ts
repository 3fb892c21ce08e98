import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import { createHost } from '../../support/engine/host';
import { ScriptedServer } from '../../support/scriptedServer';
import { documentedRow } from '../../support/engine/documentedRow';
import { LISTS, onlyUsers } from './listing';

const TYPE = 'conversationIntelligence';
const ABSENT = '00000000-0000-4000-8000-000000000000';
const emailOf = ({ json }: { json: IDataObject }) => (json.user as IDataObject).email;

describe('What an export key may see', () => {
	let sandbox: Sandbox;
	let organization: Engine;
	let team: Engine;
	let outside: string;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 150 });
		const withKey = async (apiKey: string) =>
			await createEngine({ conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey } });
		organization = await withKey(sandbox.keys.organization);
		team = await withKey(sandbox.keys.team);
		const mine = new Set(
			(await team.runNode(TYPE, LISTS.conversations)).items.map(({ json }) => json.conversationId),
		);
		const all = (await organization.runNode(TYPE, LISTS.conversations)).items.map(({ json }) =>
			String(json.conversationId),
		);
		outside = all.find((id) => !mine.has(id))!;
		expect([mine.size > 0, mine.size < all.length]).toEqual([true, true]);
	});
	afterAll(async () => await sandbox.close());

	const get = async (engine: Engine, conversationId: string) =>
		await engine.runNode(TYPE, { resource: 'conversation', operation: 'get', conversationId });

	// D1-GET-03..04, D1-AUTH-02, D1-DOES-05, D1-ERR-02
	test('a conversation outside the teams of a key gets the same message as one that does not exist', async () => {
		expect((await get(organization, outside)).items[0].json.conversationId).toBe(outside);
		const [hidden, absent] = [await get(team, outside), await get(team, ABSENT)];
		expect(hidden.items).toEqual([]);
		expect(hidden.error?.message).toMatch(/does not exist.*outside the teams of this key/);
		expect(hidden.error?.message).toBe(absent.error?.message);
		const words = ({ error }: typeof hidden, id: string) => error?.description?.replaceAll(id, 'ID');
		expect(words(hidden, outside)).toBe(words(absent, ABSENT));
		expect(hidden.error?.description).toMatch(/Status 404/);
		expect(hidden.error?.description).toContain(outside);
	});

	// D1-DOES-06, D1-AUTH-02, D1-EXPBODY-06
	test('a users filter returns only rows of its users, whichever of them a key may see', async () => {
		const allowed = [
			...new Set((await team.runNode(TYPE, LISTS.conversations)).items.map(emailOf)),
		] as string[];
		const everyone = [
			...new Set((await organization.runNode(TYPE, LISTS.conversations)).items.map(emailOf)),
		] as string[];
		const hidden = everyone.find((email) => !allowed.includes(email))!;
		const { items } = await team.runNode(TYPE, {
			...LISTS.conversations,
			...onlyUsers([allowed[0], hidden]),
		});
		expect([...new Set(items.map(emailOf))]).toEqual([allowed[0]]);
		// For a filter that matches nobody, the service returns all allowed users.
		expect((await team.runNode(TYPE, { ...LISTS.conversations, ...onlyUsers([hidden]) })).items).toEqual([]);
	});
});

describe('Lists in the panel of the export', () => {
	let server: ScriptedServer;
	const host = () => createHost({ conversationExportApi: { baseUrl: server.url, apiKey: 'key-1' } });

	beforeAll(async () => (server = await ScriptedServer.start()));
	afterAll(async () => await server.close());

	const context = () => {
		const node = host().createNode(TYPE, {});
		return new LoadOptionsContext(host().createWorkflow(node), node, host().additionalData(), 'parameters');
	};
	const conversations = async (page?: string): Promise<INodeListSearchResult> =>
		await host().nodeType(TYPE).methods!.listSearch!.searchConversations.call(context(), '', page);
	const users = async (): Promise<INodePropertyOptions[]> =>
		await host().nodeType(TYPE).methods!.loadOptions!.getUsers.call(context());

	// D1-RESP-02, D1-CONV-03, D1-CONV-05, D1-CONV-08, D1-CONV-21, D1-RUSER-02
	test('conversations show date, title and rep with a link to the web app, and end with the last page', async () => {
		const user = { id: 'u', name: 'Ana Ito', email: 'ana@example.com' };
		const row = (title: string | null) =>
			documentedRow('ConversationsExport', { date: '2026-03-01T08:30:00Z', title, user });
		const rows = [row('Roof inspection'), row(null)];
		const response = { totalPages: 1, currentPage: 1, totalConversations: 2, conversations: rows };
		server.respond([{ status: 200, body: JSON.stringify(response) }]);
		const first = await conversations();
		expect(first.results.map(({ value, url }) => [value, url])).toEqual(
			rows.map(({ conversationId, serviceUrl }) => [conversationId, serviceUrl]),
		);
		for (const words of ['2026-03-01 08:30', 'Roof inspection', 'Ana Ito']) {
			expect(first.results[0].name).toContain(words);
		}
		expect(first.results[1].name).toBe('2026-03-01 08:30 – Ana Ito');
		expect(server.seen.map(({ body }) => body?.page)).toEqual([1]);
		expect(first.paginationToken).toBeUndefined();
	});

	// D1-USER-02..03, D1-USER-05, D1-USERS-03
	test('users are chosen by exact email and shown by name, with removed users marked', async () => {
		const row = (name: string | null, email: string, isRemoved: boolean) =>
			documentedRow('UsersExport', { name, email, isRemoved });
		const rows = [
			row('Zoe Abt', 'Zoe@Example.com', false),
			row('Ana Ito', 'ana@example.com', true),
			row(null, 'm@example.com', false),
		];
		server.respond([{ status: 200, body: JSON.stringify({ users: rows }) }]);
		const shown = await users();
		expect(shown).toHaveLength(3);
		const nameOf = (email: string) => shown.find(({ value }) => value === email)?.name;
		expect(nameOf('ana@example.com')).toMatch(/^Ana Ito .*removed/);
		expect(nameOf('Zoe@Example.com')).toMatch(/^Zoe Abt /);
		expect(nameOf('Zoe@Example.com')).not.toMatch(/removed/);
		expect(nameOf('m@example.com')).toContain('m@example.com');
	});
});

// D1-TEAMS-03..04
test('Include Subteams says that team rows must not be added up, and that subteams keep their own rows', () => {
	const { properties } = createHost({}).nodeType(TYPE).description;
	const subteams = properties.find(({ name }) => name === 'includeSubteams');
	expect(subteams?.default).toBe(false);
	expect(subteams?.description).toMatch(/subteams keep .*own/i);
	expect(subteams?.description).toMatch(/do not add (the )?rows up/i);
});

describe('Include Subteams', () => {
	// D1-TEAMS-01, D1-TEAMS-03, D1-TEAMBODY-03
	test('changes numbers but never the listed teams', async () => {
		const sandbox = await startSandbox({ conversations: 50 });
		const engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
		const teams = async (includeSubteams: boolean) =>
			(await engine.runNode(TYPE, { ...LISTS.teams, includeSubteams })).items;
		const [apart, rolledUp] = [await teams(false), await teams(true)];
		await sandbox.close();
		const ids = (items: typeof apart) => items.map(({ json }) => json.teamId);
		expect(ids(rolledUp)).toEqual(ids(apart));
		expect(rolledUp.map(({ json }) => json.totalUsers)).not.toEqual(apart.map(({ json }) => json.totalUsers));
	});
});
