import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine, type Engine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
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

// D1-TEAMS-03..04
test('Include Subteams says that team rows must not be added up, and that subteams keep their own rows', () => {
	const { properties } = new ConversationIntelligence().description;
	const filters = properties.flatMap(({ name, options }) => (name === 'filters' ? (options ?? []) : []));
	const subteams = filters.find(({ name }) => name === 'includeSubteams') as INodeProperties | undefined;
	expect(subteams?.default).toBe(false);
	expect(subteams?.description).toMatch(/subteams keep .*own.*do not add (the )?rows up/i);
});
