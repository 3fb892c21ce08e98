import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine, type Engine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import { byProcessing, GET_ALL as ALL } from './listing';

describe('Conversation Intelligence: requests and output of each operation', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], {
		conversations: 310,
	});
	let team: Engine;

	beforeAll(async () => {
		const credential = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.team };
		team = await createEngine([ConversationIntelligence], { conversationExportApi: credential });
	});
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	const run = async (parameters: object, options = {}, on = engine) =>
		await on.runNode('conversationIntelligence', { ...ALL, ...parameters } as never, options);
	const bodies = () => sandbox.requests.list().map(({ body }) => body as Record<string, unknown>);

	// D1-EXP-05
	test('drops the rows of the fallback after one request, and names their users in a hint', async () => {
		const filters = { users: 'nobody@example.com' };
		const { items: allowed } = await run({}, {}, team);
		sandbox.requests.reset();
		const { items, hints } = await run({ filters }, {}, team);

		expect(items).toEqual([]);
		expect(sandbox.requests.list()).toHaveLength(1);
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toContain(`${allowed.length} rows were dropped`);
		expect(hints[0].message).toMatch(/\d+ of \S+@\S+/);
		const file = await run({ outputAs: 'file', filters }, {}, team);
		expect(file.items[0].json).toMatchObject({ rows: 0, droppedRows: allowed.length });
	});

	// D1-EXP-04
	test('refuses to select recordings awaiting upload by processed date', async () => {
		const { error } = await run({ ...byProcessing, options: { alsoInclude: ['awaitingUpload'] } });

		expect(error?.context?.details).toMatchObject({ code: 'awaiting_upload_unprocessed' });
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
});
