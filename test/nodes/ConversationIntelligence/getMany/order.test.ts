import { sandboxExport } from '../exportNode';

describe('The order of the rows of a service that lists them in none', () => {
	const { sandbox, run: list } = sandboxExport({
		order: 'shuffled',
		conversations: 2501,
		awaitingUpload: 120,
		errored: 235,
	});

	const run = async (parameters: object) => {
		const { items, error } = await list({ returnAll: false, ...parameters });
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	const ids = (rows: object[]) => rows.map((row) => (row as { conversationId: string }).conversationId);

	test('is newest first by default, or oldest first, in few requests', async () => {
		expect(ids(await run({}))).toEqual(sandbox.control.conversationIds(2451, 50).reverse());
		const oldest = await run({ options: { sort: 'oldestFirst' }, limit: 100 });
		expect(ids(oldest)).toEqual(sandbox.control.conversationIds(0, 100));
		expect(sandbox.requests.list().length).toBeLessThanOrEqual(16);
	});

	// D1-EXP-02, D1-LIM-01
	test('is sorted with Return All in exactly as many requests as pages', async () => {
		const rows = await run({ returnAll: true, options: { sort: 'newestFirst' } });

		expect(ids(rows)).toEqual(sandbox.control.conversationIds(0, 2501).reverse());
		expect(sandbox.requests.list()).toHaveLength(51);
	});
});
