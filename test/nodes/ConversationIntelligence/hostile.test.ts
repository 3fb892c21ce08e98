import type { IDataObject } from 'n8n-workflow';
import { POLICY } from '../../../nodes/shared/http/policy';
import { scriptedExport } from './listing';
import { pageOf } from './listsService';

const { server, run } = scriptedExport();

const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, n) => {
		const date = new Date(Date.UTC(2026, 2, 1 + (n % 20), n)).toISOString();
		return { conversationId: `c${n}`, date, processedDate: date };
	});

test('a gateway that answers 413 above 20 rows loses no row, with Return All, by date and with Continue', async () => {
	jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1);
	const conversations = rowsOf(60);
	for (const more of [{}, { options: { sort: 'newestFirst' } }]) {
		for (const continueOnFail of [false, true]) {
			server.respond(({ body }) => {
				const page = pageOf({ conversations }, body as IDataObject);
				const isTooLarge = (page.conversations as unknown[]).length > 20;
				return isTooLarge ? { status: 413, body: 'too large' } : { status: 200, body: JSON.stringify(page) };
			});
			const { items, error } = await run(more, { continueOnFail });
			expect(error).toBeUndefined();
			expect(new Set(items.map(({ json: { conversationId } }) => conversationId)).size).toBe(60);
		}
	}
});

test('a service that ignores the limit is read only so far, and a hint says so', async () => {
	const body = JSON.stringify({ conversations: rowsOf(5000), totalConversations: 5000 });
	server.respond(() => ({ status: 200, body }));
	const { items, hints } = await run({ returnAll: false, limit: 10 });
	expect(items.length).toBeLessThanOrEqual(50);
	expect(JSON.stringify(hints)).toContain('more rows on a page than the node had asked for');
});
