import type { IDataObject } from 'n8n-workflow';
import { sandboxExport, scriptedExport } from '../exportNode';

interface Row {
	conversationId: string;
	outcome: string | null;
	duration: number;
	user: { email: string };
}

describe('Conversation Intelligence: filters that the node applies', () => {
	const { sandbox, engine, run: list } = sandboxExport({ conversations: 310, errored: 35 });
	let all: Row[];

	beforeAll(async () => {
		all = (await run({})).items.map(({ json }) => json as unknown as Row);
	});

	const run = async (filters: object, parameters: object = {}) => await list({ ...parameters, filters });
	const idsOf = (rows: Row[]) => rows.map(({ conversationId }) => conversationId);

	test('return the conversations with one of the outcomes and the minimum duration', async () => {
		const { items, error, hints } = await run({ outcome: 'sold, not sold', minDuration: 1800 });

		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		const expected = all.filter(
			({ outcome, duration }) => ['Sold', 'Not Sold'].includes(outcome ?? '') && duration >= 1800,
		);
		expect(expected.length).toBeGreaterThan(10);
		expect(items.map(({ json }) => json.conversationId)).toEqual(idsOf(expected));
		const none = await run({ outcome: 'unheard of' });
		expect(none.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^None of 310 conversations from .* \(UTC\) passes Outcome "unheard of": one has "[\w ]+" for Outcome\.$/,
			),
		]);
	});

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

	test('are counted in the item of a file', async () => {
		const { items } = await run({ outcome: 'Sold' }, { outputAs: 'file' });
		const sold = all.filter(({ outcome }) => outcome === 'Sold').length;
		expect(items[0].json).toMatchObject({ rows: sold, filteredRows: 310 - sold });
	});

	test('find the members of a team through the users list, and ask only for those', async () => {
		const teams = await engine
			.nodeType('conversationIntelligence')
			.methods!.loadOptions!.getTeams.call(engine.loadOptions('conversationIntelligence'));
		const users = (await run({}, { resource: 'user' })).items.map(({ json }) => json);
		const team = teams.find(({ value }) => JSON.stringify(users).includes(`"teamId":"${String(value)}"`))!;
		const members = users
			.filter((user) => JSON.stringify(user.teams ?? []).includes(String(team.value)))
			.map(({ email }) => String(email));
		sandbox.requests.reset();
		const { items, error } = await run({ teams: [team.value] });

		expect(error).toBeUndefined();
		const expected = all.filter(({ user }) => members.includes(user.email));
		expect(items.map(({ json }) => json.conversationId)).toEqual(idsOf(expected));
		const [list, ...pages] = sandbox.requests.list();
		expect(list.path).toBe('/data/export/users');
		expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / 50)));
		expect((pages[0].body as { users: string[] }).users.sort()).toEqual(members.sort());

		const range = { dateRange: 'custom', fromDate: '1999-03-01', toDate: '1999-03-02' };
		const [hint] = (await run({ teams: [team.value, 'X'] }, range)).hints.slice(1);
		expect(hint.message).toMatch(new RegExp(`for the members of ${String(team.value)}, X\\.$`));
	});

	test('add the current teams of each rep, with one request more', async () => {
		const users = (await run({}, { resource: 'user' })).items.map(({ json }) => json);
		sandbox.requests.reset();
		const { items, error } = await run({}, { output: 'simplified', options: { addTeams: true } });

		expect(error).toBeUndefined();
		expect(sandbox.requests.count('/data/export/users')).toBe(1);
		for (const { json } of items) {
			const { teams } = users.find(({ email }) => email === json.userEmail)!;
			const joined = (field: string) =>
				(teams as IDataObject[] | null)?.map((team) => team[field]).join(', ') ?? null;
			expect([json.teamNames, json.teamIds]).toEqual([joined('name'), joined('teamId')]);
		}
		expect(items.some(({ json }) => String(json.teamNames).includes(', '))).toBe(true);
		sandbox.requests.reset();
		const hidden = await run({}, { rowsFor: 'trackers', options: { addTeams: true } });
		expect(hidden.items[0].json).not.toHaveProperty('teamNames');
		expect(sandbox.requests.count('/data/export/users')).toBe(0);
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
