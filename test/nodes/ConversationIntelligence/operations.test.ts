import type { INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine, type Engine } from '../../support/engine';
import { sandboxExport } from './exportNode';
import { GET_ALL as ALL } from './listing';

const ABSENT = '00000000-0000-4000-8000-000000000000';

describe('Conversation Intelligence: requests and output of each operation', () => {
	const { sandbox, engine } = sandboxExport({ conversations: 310 });
	let team: Engine;

	beforeAll(async () => {
		const credential = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.team };
		team = await createEngine([ConversationIntelligence], { conversationExportApi: credential });
	});

	const run = async (parameters: object, options = {}, on = engine) =>
		await on.runNode('conversationIntelligence', { ...ALL, ...parameters } as never, options);
	const get = async (on: Engine, conversationId: string) =>
		await run({ operation: 'get', conversationId }, {}, on);
	const bodies = () => sandbox.requests.list().map(({ body }) => body as Record<string, unknown>);

	// D1-GET-03..04, D1-AUTH-02, D1-DOES-05, D1-ERR-02
	test('a conversation outside the teams of a key gets the same message as one that does not exist', async () => {
		const visible = (await run({}, {}, team)).items.map(({ json }) => json.conversationId);
		const outside = sandbox.control.conversationIds(0, 310).find((id) => !visible.includes(id))!;
		expect(visible).not.toEqual([]);
		expect((await get(engine, outside)).items[0].json.conversationId).toBe(outside);
		const [hidden, absent] = [await get(team, outside), await get(team, ABSENT)];
		expect(hidden.items).toEqual([]);
		expect(hidden.error?.context?.details).toMatchObject({ code: 'conversation_not_found', status: 404 });
		expect(hidden.error?.message).toBe(absent.error?.message);
		const words = ({ error }: typeof hidden, id: string) => error?.description?.replaceAll(id, 'ID');
		expect(words(hidden, outside)).toBe(words(absent, ABSENT));
		expect(hidden.error?.description).toContain(outside);
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
});

// D1-TEAMS-03..04
test('Include Subteams says that team rows must not be added up, and that subteams keep their own rows', () => {
	const { properties } = new ConversationIntelligence().description;
	const filters = properties.flatMap(({ name, options }) => (name === 'filters' ? (options ?? []) : []));
	const subteams = filters.find(({ name }) => name === 'includeSubteams') as INodeProperties | undefined;
	expect(subteams?.default).toBe(false);
	expect(subteams?.description).toMatch(/subteams keep .*own.*do not add (the )?rows up/i);
});
