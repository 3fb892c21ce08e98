import { sandboxEngine } from '../../../support/engine/fixtures';
import { GET_ALL } from '../listing';

describe('Conversation Intelligence: On Failure', () => {
	const { sandbox, engine } = sandboxEngine({ conversations: 300 });
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

	const idsOf = (items: Array<{ json: Record<string, unknown> }>) =>
		new Set(items.flatMap(({ json }) => json.conversationId ?? []));

	test('loses nothing to a failed page when its rows can be read by date', async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 3 } });
		const { items, error } = await run({});

		expect(error).toBeUndefined();
		expect(idsOf(items).size).toBe(300);
		expect(items).toHaveLength(301);
		expect(items.at(-1)!.json).toEqual({ complete: true });
	});

	test('outputs all but what cannot be read, and the last item says what is missing and how to get it', async () => {
		const [unreadable] = sandbox.control.conversationIds(120);
		sandbox.faults.add({ kind: 'unreadableRow', status: 400, text: unreadable });
		const { items, error, hints } = await run({});

		expect(error).toBeUndefined();
		const last = items.at(-1)!.json;
		expect(last).toEqual({
			complete: false,
			missing: [{ fromDate: expect.any(String), toDate: expect.any(String) }],
			error: 'The service refused the request',
			nextStep: expect.stringContaining('Date Range Custom'),
			reason: '1 parts of the range could not be read.',
		});
		expect(hints.map(({ message }) => message)).toContain(last.reason);
		expect(items.length - 1).toBeGreaterThanOrEqual(280);
		sandbox.faults.clear();
		const rest = await run((last.missing as object[])[0]);
		expect(idsOf([...items, ...rest.items]).size).toBe(300);
	});

	test("says what is missing in a file's summary", async () => {
		const [unreadable] = sandbox.control.conversationIds(120);
		sandbox.faults.add({ kind: 'unreadableRow', status: 400, text: unreadable });
		const { items } = await run({ outputAs: 'file' });

		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ complete: false, missing: [expect.anything()] });
		const lines = (await engine.binary(items[0].binary!.data)).toString('utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(items[0].json.rows as number);
	});

	test('still fails when the first page fails', async () => {
		sandbox.faults.add({ kind: 'htmlPage', status: 400, body: { page: 1 } });
		const { items, error } = await run({});

		expect(items).toHaveLength(0);
		expect(error?.message).toBe('The service refused the request');
	});
});
