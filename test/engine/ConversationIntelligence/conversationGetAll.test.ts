import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';
import { GET_ALL } from './exportAll';

describe('Conversation: Get Many', () => {
	let sandbox: Sandbox;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 2501, awaitingUpload: 120, errored: 35 });
		engine = await createEngine({
			conversationExportApi: { baseUrl: `${sandbox.exportUrl}//`, apiKey: ` ${sandbox.keys.organization}\n` },
		});
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	// D1-EXP-02, D1-LIM-01
	test('returns each of 2,501 conversations once, in order, with exactly 51 requests', async () => {
		const run = await engine.runNode('conversationIntelligence', GET_ALL);

		expect(run.error).toBeUndefined();
		expect(new Set(run.items.map(({ json }) => json.conversationId)).size).toBe(2501);
		const dates = run.items.map(({ json }) => Date.parse(json.date as string));
		expect(dates).toEqual([...dates].sort((a, b) => a - b));
		expect(run.items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
		expect(sandbox.requests.list()).toHaveLength(51);
	});
});
