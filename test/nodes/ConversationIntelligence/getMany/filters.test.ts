import { scriptedExport } from '../exportNode';

describe('Conversation Intelligence: a filter of teams', () => {
	const { server, run } = scriptedExport();

	test('asks for its members among the users, drops the rows of others, and misses no member', async () => {
		const user = (email: string) => ({ email, teams: email.startsWith('ana') ? [{ teamId: 't' }] : null });
		const asked = ['ana@example.com', 'ana.without.rows@example.com'];
		const users = [...asked, 'ana.not.asked@example.com', 'ben@example.com'].map(user);
		const row = { conversationId: 'c', date: '2025-01-01T00:00:00Z', user: users[0] };
		const conversations = [row, { ...row, conversationId: 'd', user: null }];
		const body = JSON.stringify({ users, conversations, totalConversations: 2 });
		server.respond(() => ({ status: 200, body }));
		const { items, hints } = await run({ filters: { teams: ['t'], users: [...asked, 'ben@example.com'] } });
		expect(server.seen.at(-1)?.body?.users).toEqual(asked);
		expect(items.map(({ json }) => json.conversationId)).toEqual(['c']);
		expect(hints.map(({ message }) => message.slice(0, 10))).toEqual(['Dropped 1 ', 'Unexpected']);
	});
});
