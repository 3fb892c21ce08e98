import { sandboxExport, scriptedExport } from '../exportNode';

interface Row {
	conversationId: string;
	outcome: string | null;
	duration: number;
	user: { email: string };
}

describe('Conversation Intelligence: filters that the node applies', () => {
	const { sandbox, run: list } = sandboxExport({ conversations: 310, errored: 35 });
	let all: Row[];

	beforeAll(async () => {
		all = (await run({})).items.map(({ json }) => json as unknown as Row);
	});

	const run = async (filters: object, parameters: object = {}) => await list({ ...parameters, filters });
	const idsOf = (rows: Row[]) => rows.map(({ conversationId }) => conversationId);

	test('fill a limit with rows that pass, and fetch transcripts only for those', async () => {
		const filters = { outcome: 'Sold', hasTranscript: true };
		const { items, hints } = await run(filters, {
			returnAll: false,
			limit: 3,
			options: { includeTranscript: true },
		});

		const sold = all.filter(({ outcome }) => outcome === 'Sold');
		expect(items.map(({ json }) => json.conversationId)).toEqual(idsOf(sold.slice(-3).reverse()));
		expect(sandbox.requests.list().filter(({ host }) => host === 'media')).toHaveLength(3);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^The newest 3 conversations that pass Outcome "Sold", Has Transcript\. \d+ of 310 in the range were read, of which \d+ pass: turn on Return All to get the rest\.$/,
			),
		]);
	});
});

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
