import { startSandbox, type Sandbox } from '../../../../sandbox';
import { createEngine, type Engine } from '../../../support/engine';
import { GET_ALL } from '../exportAll';

describe('Conversation Intelligence: On Failure', () => {
	let sandbox: Sandbox;
	let engine: Engine;
	let stretch: { fromDate: string; toDate: string };

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 300 });
		engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.faults.clear();
		sandbox.requests.reset();
	});

	const run = async (parameters: object) =>
		await engine.runNode('conversationIntelligence', {
			...GET_ALL,
			...parameters,
			options: { onFailure: 'outputRead' },
		} as never);

	/** Page 3 fails, and so does each request that begins at one stretch of the reading by date. */
	const failOneStretch = async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 3 } });
		await run({});
		const bodies = sandbox.requests.list().map(({ body }) => body as Record<string, string>);
		const { fromDate, toDate } = bodies.filter((body) => body.fromDate > '2020-01-02')[5];
		stretch = { fromDate, toDate };
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { fromDate } });
	};

	test('loses nothing to a failed page when its rows can be read by date', async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 3 } });
		const { items, error } = await run({});

		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.conversationId)).size).toBe(300);
		expect(items).toHaveLength(300);
	});

	test('outputs the complete part and a last item that says what is missing', async () => {
		await failOneStretch();
		const { items, error } = await run({});

		expect(error).toBeUndefined();
		const last = items.at(-1)!.json;
		expect(last).toEqual({
			incomplete: true,
			missing: [stretch],
			error: 'The service refused the request [Item 0]',
			nextStep: expect.stringContaining('Date Range Custom'),
		});
		expect(items.length - 1).toBeLessThan(300);
		sandbox.faults.clear();
		const rest = await run({ ...stretch });
		const ids = [...items.slice(0, -1), ...rest.items].map(({ json }) => json.conversationId);
		expect(new Set(ids).size).toBe(300);
	});

	test("says what is missing in a file's summary", async () => {
		await failOneStretch();
		const { items } = await run({ outputAs: 'file' });

		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ incomplete: true, missing: [stretch] });
		const lines = (await engine.binary(items[0].binary!.data)).toString('utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(items[0].json.rows as number);
	});

	test('still fails when the first page fails', async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 1 } });
		const { items, error } = await run({});

		expect(items).toHaveLength(0);
		expect(error?.message).toBe('The service refused the request [Item 0]');
	});
});
