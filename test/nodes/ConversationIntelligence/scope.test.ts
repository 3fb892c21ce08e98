import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine, type Engine } from '../../support/engine';
import { sandboxEngine, scriptedEngine } from '../../support/engine/fixtures';
import { documentedRow } from '../../support/engine/documentedRow';
import { LISTS, onlyUsers } from './listing';

const TYPE = 'conversationIntelligence';
const ABSENT = '00000000-0000-4000-8000-000000000000';
const emailOf = ({ user }: IDataObject) => (user as IDataObject).email;

describe('What an export key may see', () => {
	const { sandbox, engine: organization } = sandboxEngine([ConversationIntelligence], { conversations: 150 });
	let team: Engine;
	/** Rows of the organization's key. */
	let all: IDataObject[];
	/** Rows of the team's key. */
	let mine: IDataObject[];

	beforeAll(async () => {
		const credential = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.team };
		team = await createEngine([ConversationIntelligence], { conversationExportApi: credential });
		const rowsOf = async (engine: Engine) =>
			(await engine.runNode(TYPE, LISTS.conversations)).items.map(({ json }) => json);
		all = await rowsOf(organization);
		mine = await rowsOf(team);
	});

	/** A value that only the organization's key may see. */
	const hiddenOf = (valueOf: (row: IDataObject) => unknown) => {
		const visible = new Set(mine.map(valueOf));
		expect(visible.size).toBeGreaterThan(0);
		return String(all.map(valueOf).find((value) => !visible.has(value)));
	};
	const get = async (engine: Engine, conversationId: string) =>
		await engine.runNode(TYPE, { resource: 'conversation', operation: 'get', conversationId });

	// D1-GET-03..04, D1-AUTH-02, D1-DOES-05, D1-ERR-02
	test('a conversation outside the teams of a key gets the same message as one that does not exist', async () => {
		const outside = hiddenOf(({ conversationId }) => conversationId);
		expect((await get(organization, outside)).items[0].json.conversationId).toBe(outside);
		const [hidden, absent] = [await get(team, outside), await get(team, ABSENT)];
		expect(hidden.items).toEqual([]);
		expect(hidden.error?.context?.details).toMatchObject({ code: 'conversation_not_found', status: 404 });
		expect(hidden.error?.message).toBe(absent.error?.message);
		const words = ({ error }: typeof hidden, id: string) => error?.description?.replaceAll(id, 'ID');
		expect(words(hidden, outside)).toBe(words(absent, ABSENT));
		expect(hidden.error?.description).toContain(outside);
	});

	// D1-DOES-06, D1-AUTH-02, D1-EXPBODY-06
	test('a users filter returns only rows of its users, whichever of them a key may see', async () => {
		const [allowed, hidden] = [String(emailOf(mine[0])), hiddenOf(emailOf)];
		const { items } = await team.runNode(TYPE, {
			...LISTS.conversations,
			...onlyUsers([allowed, hidden]),
		});
		expect([...new Set(items.map(({ json }) => emailOf(json)))]).toEqual([allowed]);
		// For a filter that matches nobody, the service returns all allowed users.
		expect((await team.runNode(TYPE, { ...LISTS.conversations, ...onlyUsers([hidden]) })).items).toEqual([]);
	});

	// D1-TEAMS-01, D1-TEAMS-03, D1-TEAMBODY-03
	test('Include Subteams changes numbers but never the listed teams', async () => {
		const teams = async (includeSubteams: boolean) =>
			(await organization.runNode(TYPE, { ...LISTS.teams, filters: { includeSubteams } })).items;
		const [apart, rolledUp] = [await teams(false), await teams(true)];
		const ids = (items: typeof apart) => items.map(({ json }) => json.teamId);
		expect(ids(rolledUp)).toEqual(ids(apart));
		expect(rolledUp.map(({ json }) => json.totalUsers)).not.toEqual(apart.map(({ json }) => json.totalUsers));
	});
});

describe('Lists in the panel of the export', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);
	const { listSearch, loadOptions } = new ConversationIntelligence().methods;

	// D1-RESP-02, D1-CONV-03, D1-CONV-05, D1-CONV-08, D1-CONV-21, D1-RUSER-02
	test('conversations show date, title and rep with a link to the web app, and end with the last page', async () => {
		const user = { id: 'u', name: 'Ana Ito', email: 'ana@example.com' };
		const row = (title: string | null) =>
			documentedRow('ConversationsExport', { date: '2026-03-01T08:30:00Z', title, user });
		const rows = [row('Roof inspection'), row(null)];
		const response = { totalPages: 1, currentPage: 1, totalConversations: 2, conversations: rows };
		server.respond([{ status: 200, body: JSON.stringify(response) }]);
		const first = await listSearch.searchConversations.call(engine.loadOptions(TYPE));
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
		const shown = await loadOptions.getUsers.call(engine.loadOptions(TYPE));
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
	const { properties } = new ConversationIntelligence().description;
	const filters = properties.flatMap(({ name, options }) => (name === 'filters' ? (options ?? []) : []));
	const subteams = filters.find(({ name }) => name === 'includeSubteams') as INodeProperties | undefined;
	expect(subteams?.default).toBe(false);
	expect(subteams?.description).toMatch(/subteams keep .*own.*do not add (the )?rows up/i);
});
