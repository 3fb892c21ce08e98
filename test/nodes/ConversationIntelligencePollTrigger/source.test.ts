import type { INodeParameters } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { scriptedEngine } from '../../support/engine/fixtures';

const { server, engine } = scriptedEngine([ConversationIntelligencePollTrigger]);

/** A trigger whose service lists these conversations and counts so many. */
function poller(mode: 'trigger' | 'manual', rows: object[], total: number, parameters: INodeParameters = {}) {
	server.respond([{ status: 200, body: JSON.stringify({ conversations: rows, totalConversations: total }) }]);
	return engine.poller('conversationIntelligencePollTrigger', parameters, { mode });
}

test('the editor shows the five conversations that were processed last, the latest first', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 2, 31));
	const rows = [3, 7, 1, 6, 2, 5, 4].map((day) => {
		const at = (hour: number) => new Date(Date.UTC(2026, 2, day, hour)).toISOString();
		return { conversationId: `c${day}`, date: at(24 * (8 - day)), processedDate: at(0) };
	});
	const items = await poller('manual', rows, rows.length).poll();
	expect(items.map(({ json }) => json.dedupeKey)).toEqual(['c7', 'c6', 'c5', 'c4', 'c3']);
	expect(server.seen[0].body).toMatchObject({
		toDate: '2026-03-31T00:00:00.000Z',
		fromDate: '2026-03-01T00:00:00.000Z',
		page: 1,
	});
});

test.each([{}, { users: ['ana@example.com', 'bo@example.com'] }])(
	'the editor says with the filters %j that it found no conversation, and by which filters',
	async (filters: { users?: string[] }) => {
		await expect(poller('manual', [], 0, { filters }).poll()).rejects.toMatchObject({
			message: expect.stringContaining(filters.users ? ' passes User Names or IDs was' : 'conversation was'),
			context: { details: { code: 'no_sample' } },
		});
		expect(server.seen[0].body?.users).toEqual(filters.users);
	},
);
