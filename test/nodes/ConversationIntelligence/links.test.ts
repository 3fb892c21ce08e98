import { scriptedExport } from './exportNode';
import { documentedRow } from '../../support/engine/documentedRow';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const HOURS_MS = 3_600_000;
const { server, run } = scriptedExport();

// D1-LIM-03, D1-CONV-09, D1-CONV-22
test.each([{}, { operation: 'get', conversationId: ID }])(
	'a conversation says when its links expire: six hours after the request, never later than they do: %j',
	async (parameters) => {
		let respondedAt = 0;
		server.respond(({ method }) => {
			respondedAt = Date.now();
			const conversation = documentedRow('ConversationsExport', { conversationId: ID });
			const page = { conversations: [conversation], totalConversations: 1 };
			return { status: 200, body: JSON.stringify(method === 'POST' ? page : conversation) };
		});
		const before = Date.now();
		const { items } = await run(parameters);
		const end = Date.parse(String(items[0].json.urlsExpireAt));
		expect(end).toBeGreaterThanOrEqual(before + 6 * HOURS_MS);
		expect(end).toBeLessThanOrEqual(respondedAt + 6 * HOURS_MS);
	},
);
