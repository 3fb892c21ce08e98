import { type Sandbox, startSandbox } from '../../../sandbox';
import { always, exportGet, exportPost, send } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const list = (body: object, key?: string) =>
	exportPost(sandbox, 'conversations', { ...always, ...body }, key);
type Row = { conversationId: string; date: string; processedDate: string | null; user: { email: string } };

describe('pages', () => {
	it('hold each row of the three arrays once, and count the pages of the largest', async () => {
		const first = (await list({})).json;
		expect(first).toMatchObject({
			currentPage: 1,
			totalPages: 51,
			totalConversations: 2501,
			totalAwaitingUpload: 120,
			totalErrored: 35,
		});
		const pages: Array<Record<string, Row[]>> = [];
		for (let page = 1; page <= 51; page++) pages.push((await list({ page })).json);
		const ids = (array: string, field: string) =>
			pages.flatMap((page) => page[array].map((row: Row) => row[field as keyof Row]));
		expect(new Set(ids('conversations', 'conversationId')).size).toBe(2501);
		expect(new Set(ids('awaitingUpload', 'recordingId')).size).toBe(120);
		expect(new Set(ids('errored', 'recordingId')).size).toBe(35);
		expect(pages.map((page) => page.awaitingUpload.length).slice(0, 4)).toEqual([50, 50, 20, 0]);
		expect(pages[50].conversations).toHaveLength(1);
	});

	it('are empty past the end', async () => {
		const { json } = await list({ page: 52 });
		expect(json).toMatchObject({ currentPage: 52, totalPages: 51, conversations: [], errored: [] });
	});

	it('include both bounds', async () => {
		const { date }: Row = (await list({ page: 3, limit: 7 })).json.conversations[4];
		const later = new Date(Date.parse(date) + 1).toISOString();
		const sooner = new Date(Date.parse(date) - 1).toISOString();
		expect((await list({ fromDate: date, toDate: later })).json.conversations[0].date).toBe(date);
		expect((await list({ fromDate: sooner, toDate: date })).json.conversations[0].date).toBe(date);
		expect(
			(await list({ fromDate: later, toDate: '2100-01-01T00:00:00Z' })).json.conversations[0].date,
		).not.toBe(date);
	});

	it('select by processing time and leave awaiting recordings out, with dateType processedDate', async () => {
		const row: Row = (await list({ page: 2 })).json.conversations[0];
		const at = row.processedDate ?? '';
		const next = new Date(Date.parse(at) + 1).toISOString();
		const { json } = await list({ dateType: 'processedDate', fromDate: at, toDate: next });
		expect(json.conversations.map((found: Row) => found.conversationId)).toEqual([row.conversationId]);
		expect(Object.keys(json).sort()).toEqual(
			['conversations', 'currentPage', 'errored', 'totalConversations', 'totalErrored', 'totalPages'].sort(),
		);
		const all = (await list({ dateType: 'processedDate' })).json;
		expect(all.errored).toHaveLength(all.totalErrored);
		expect(all.errored.every((found: Row) => found.processedDate !== null)).toBe(true);
	});
});

describe('users filter', () => {
	it('matches emails exactly and case-sensitively, and means everybody when empty', async () => {
		const { email } = (await list({})).json.conversations[0].user;
		const mine = (await list({ users: [email] })).json;
		expect(mine.totalConversations).toBeGreaterThan(0);
		expect(mine.totalConversations).toBeLessThan(2501);
		expect(mine.conversations.every((row: Row) => row.user.email === email)).toBe(true);
		expect((await list({ users: [email.toUpperCase()] })).json.totalConversations).toBe(0);
		expect((await list({ users: [] })).json.totalConversations).toBe(2501);
		expect((await exportPost(sandbox, 'users', { ...always, users: ['nobody@example.com'] })).json).toEqual({
			users: [],
		});
	});

	it('falls back to all allowed users for a team-scoped key when it matches none of them', async () => {
		const { team } = sandbox.keys;
		const allowed = (await list({}, team)).json;
		expect(allowed.totalConversations).toBeGreaterThan(0);
		expect(allowed.totalConversations).toBeLessThan(2501);
		const foreign = sandbox.control.users().find((user) => user.records && user.teams.includes('East'));
		for (const users of [['nobody@example.com'], [foreign?.email]]) {
			expect((await list({ users }, team)).json.totalConversations).toBe(allowed.totalConversations);
		}
		const { email } = allowed.conversations[0].user;
		expect((await list({ users: [email, 'nobody@example.com'] }, team)).json.totalConversations).toBeLessThan(
			allowed.totalConversations,
		);
		const everyUser = (await exportPost(sandbox, 'users', always, team)).json.users;
		const unmatched = (await exportPost(sandbox, 'users', { ...always, users: ['nobody@example.com'] }, team))
			.json.users;
		expect(unmatched).toHaveLength(everyUser.length);
	});
});

describe('one conversation', () => {
	it('comes bare and equal to its row in the list', async () => {
		const row = (await list({ page: 9 })).json.conversations[5];
		const { status, json } = await exportGet(sandbox, row.conversationId);
		expect(status).toBe(200);
		expect({ ...json, transcriptUrl: '', audioUrl: '' }).toEqual({ ...row, transcriptUrl: '', audioUrl: '' });
	});

	it('is not found when unknown, of another organization, or outside the key’s teams', async () => {
		const foreign = (await list({}, sandbox.keys.otherOrganization)).json.conversations[0].conversationId;
		const mine: Row[] = (await list({})).json.conversations;
		const theirs = new Set(
			(await list({}, sandbox.keys.team)).json.conversations.map((row: Row) => row.conversationId),
		);
		const outside = mine.find((row) => !theirs.has(row.conversationId) && row.user.email !== '');
		const inTeam = [...theirs][0] as string;
		expect((await exportGet(sandbox, 'b6f1c0de-0000-4000-8000-000000000000')).status).toBe(404);
		expect((await exportGet(sandbox, 'not-a-uuid')).status).toBe(404);
		expect((await exportGet(sandbox, foreign)).status).toBe(404);
		expect((await exportGet(sandbox, foreign, sandbox.keys.otherOrganization)).status).toBe(200);
		expect((await exportGet(sandbox, outside?.conversationId ?? '', sandbox.keys.team)).status).toBe(404);
		expect((await exportGet(sandbox, inTeam, sandbox.keys.team)).status).toBe(200);
	});
});

describe('keys', () => {
	it.each([
		['missing', undefined],
		['unknown', 'no-such-key'],
		['with a Bearer prefix', 'Bearer sandbox-1-organization-key'],
		['with a blank inside', 'sandbox-1- organization-key'],
		['in capitals', 'SANDBOX-1-ORGANIZATION-KEY'],
		['without an organization', 'sandbox-1-unmapped-key'],
	])('are refused with 401 when %s', async (_name, key) => {
		const answer = await send(`${sandbox.exportUrl}/export/teams`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...(key && { authorization: key }) },
			body: JSON.stringify(always),
		});
		expect(answer).toMatchObject({ status: 401, json: undefined });
	});
});

describe('invalid bodies', () => {
	it.each([
		['a day without time', { fromDate: '2024-01-01' }, 'fromDate'],
		['an offset', { toDate: '2024-01-01T00:00:00+01:00' }, 'toDate'],
		['an impossible day', { fromDate: '2024-13-41T00:00:00Z' }, 'fromDate'],
		['an end before the start', { toDate: '1999-01-01T00:00:00Z' }, 'toDate must be after fromDate'],
		['an end at the start', { toDate: always.fromDate }, 'toDate must be after fromDate'],
		['limit 0', { limit: 0 }, 'limit'],
		['limit 51', { limit: 51 }, 'limit'],
		['page 0', { page: 0 }, 'page'],
		['half a page', { page: 1.5 }, 'page'],
		['an unknown dateType', { dateType: 'created' }, 'dateType'],
		['one email instead of a list', { users: 'a@example.com' }, 'users'],
	])('are refused with 400: %s', async (_name, body, named) => {
		const { status, json } = await list(body);
		expect(status).toBe(400);
		expect(json.message).toContain(named);
	});

	it('are refused with 400 when they are no JSON at all', async () => {
		expect((await exportPost(sandbox, 'conversations', '{')).status).toBe(400);
		expect((await exportPost(sandbox, 'conversations', '[]')).status).toBe(400);
		expect((await exportPost(sandbox, 'teams', { ...always, includeSubteams: 'yes' })).status).toBe(400);
	});
});

describe('teams and users', () => {
	const teamsOf = async (includeSubteams: boolean, key?: string) =>
		(await exportPost(sandbox, 'teams', { ...always, includeSubteams }, key)).json.teams;

	it('roll subteams up without removing their rows', async () => {
		const [alone, rolled] = [await teamsOf(false), await teamsOf(true)];
		expect(rolled.map((team: { name: string }) => team.name)).toEqual(
			alone.map((team: { name: string }) => team.name),
		);
		expect(rolled[0].totalUsers).toBeGreaterThan(alone[0].totalUsers);
		expect(rolled[0].conversationsRecorded).toBeGreaterThan(alone[0].conversationsRecorded);
		expect(rolled[3]).toEqual(alone[3]);
	});

	it('count current, active, non-hidden users as members', async () => {
		const people = sandbox.control.users();
		const members = (team: string, active: boolean) =>
			people.filter((user) => user.teams.includes(team) && (!active || !(user.isRemoved || user.isHidden)))
				.length;
		const teams: Array<{ name: string; totalUsers: number }> = await teamsOf(false);
		expect(teams.map((team) => team.totalUsers)).toEqual(teams.map((team) => members(team.name, true)));
		expect(teams.some((team) => team.totalUsers < members(team.name, false))).toBe(true);
	});

	it('show a team-scoped key its teams and their subteams only', async () => {
		const names = (await teamsOf(false, sandbox.keys.team)).map((team: { name: string }) => team.name);
		expect(names).toEqual(['West', 'West Coast', 'West Mountain', 'Rockies']);
	});

	it('count distinct recordings of all three kinds', async () => {
		const { users } = (await exportPost(sandbox, 'users', always)).json;
		const total = users.reduce(
			(sum: number, user: { conversationsRecorded: number }) => sum + user.conversationsRecorded,
			0,
		);
		expect(total).toBe(2501 + 120 + 35);
	});

	it('leave hidden users out and keep removed ones', async () => {
		const { users } = (await exportPost(sandbox, 'users', always)).json;
		const emails = new Set(users.map((user: { email: string }) => user.email));
		const people = sandbox.control.users();
		expect(people.filter((user) => user.isHidden).some((user) => emails.has(user.email))).toBe(false);
		expect(users.filter((user: { isRemoved: boolean }) => user.isRemoved).length).toBeGreaterThan(0);
		expect(emails.size).toBe(people.filter((user) => !user.isHidden).length);
	});
});
