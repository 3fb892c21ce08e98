import type { INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { GET_ALL } from '../listing';

const PAGE = 50;
const WANTED = 'ana@example.com';

/** Three pages in which every fifth conversation is Ana's, except the first of each page if `firstIsForeign`. */
const rows = (firstIsForeign: boolean) =>
	Array.from({ length: 3 * PAGE }, (_, n) => ({
		conversationId: `c${n}`,
		date: '2026-01-01T00:00:00.000Z',
		processedDate: '2026-01-01T01:00:00.000Z',
		// A row without its user is another user's.
		user: n % 5 === 4 ? null : { email: n % 5 === (firstIsForeign ? 1 : 0) ? WANTED : 'ben@example.com' },
	}));

const { server, engine } = scriptedEngine([ConversationIntelligence]);

// D1-EXP-05
test.each([true, false])(
	'drops rows of other users and reads on to the last page (first row is foreign: %p)',
	async (firstIsForeign) => {
		const all = rows(firstIsForeign);
		server.respond(({ body }) => {
			const page = Number(body?.page);
			const conversations = all.slice((page - 1) * PAGE, page * PAGE);
			return { status: 200, body: JSON.stringify({ conversations, totalConversations: all.length }) };
		});
		const parameters: INodeParameters = { ...GET_ALL, filters: { users: [WANTED] } };
		const { items, error } = await engine.runNode('conversationIntelligence', parameters);

		expect(error).toBeUndefined();
		const wanted = all.filter(({ user }) => user?.email === WANTED);
		expect(items.map(({ json }) => json.conversationId)).toEqual(
			wanted.map(({ conversationId }) => conversationId),
		);
		expect(server.seen).toHaveLength(3);
	},
);
