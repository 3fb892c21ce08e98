import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { getTeams, getUsers, membersOf } from '../../../../nodes/shared/selection/teamsAndUsers';
import { scriptedService } from '../http/scriptedService';

/** Calls a method of the editor, or what an execution calls, with one response of the service. */
async function call<Context, T>(body: object, method: (context: Context) => Promise<T>) {
	const { context, sent } = scriptedService({
		responses: [{ statusCode: 200, body: JSON.stringify(body) }],
	});
	return { value: await method(context as Context), limitMs: sent[0].options.timeout };
}

const load = async (body: object, method: typeof getTeams) =>
	await call(body, (context: ILoadOptionsFunctions) => method.call(context));

// D1-USER-02..03, D1-USER-05, D1-USERS-03
test.each([
	[
		'teams has names, sorted, or IDs, and leaves out what has no ID',
		getTeams,
		[{ name: 'West', teamId: 'w' }, { teamId: 'n' }, { name: 7, teamId: 'e' }, { name: 'Lost' }, null],
		['e: e', 'n: n', 'West: w'],
	],
	[
		'users has names with emails, sorted, and who was removed',
		getUsers,
		[
			{ name: 'Cem', email: 'c@x' },
			{ name: 'Ana', email: 'a@x', isRemoved: true },
			{ name: '', email: 'd@x', isRemoved: true },
			{ name: 7, email: 'b@x', isRemoved: 'no' },
			...[{ name: 'Without an email' }, { name: 'Wrong', email: 5 }, null],
		],
		['Ana (a@x), removed: a@x', 'b@x: b@x', 'Cem (c@x): c@x', 'd@x, removed: d@x'],
	],
])('the list of %s, within ten seconds', async (_what, method, rows, listed) => {
	const { value, limitMs } = await load({ teams: rows, users: rows }, method);
	expect(value.map(({ name, value: id }) => `${name}: ${String(id)}`)).toEqual(listed);
	// A person waits for it in the editor.
	expect(limitMs).toBeGreaterThan(9000);
	expect(limitMs).toBeLessThanOrEqual(10_000);
});

test.each([
	['=Team', '={{ $env }}', "a team's ID", getTeams],
	['Ana', '={{ 1 }}@x', "a user's email", getUsers],
])('what n8n would run is not listed, and the list says so: %s', async (name, run, id, method) => {
	const rows = [
		{ name, teamId: run, email: run },
		{ name: '=shown', teamId: 'b', email: 'b' },
	];
	const listed = (await load({ teams: rows, users: rows }, method)).value;
	expect(listed.map(({ value }) => value)).toEqual(['b', 'not listed']);
	expect(listed[1].name).toBe(`Not listed: 1, because ${id} begins with "="`);
});

describe('The members of teams', () => {
	const users = [
		{ email: 'a@x', teams: [{ teamId: 't', name: 'West' }] },
		{ email: 'b@x', teams: [{ teamId: 'u' }, { teamId: 't' }] },
		{ email: 5, teams: [{ teamId: 't' }] },
		{ email: 'c@x', teams: null },
		{ email: 'd@x', teams: [null] },
		{ email: 'e@x', teams: [{ teamId: 'w', name: 'u' }] },
		{ email: 'f@x', teams: [{ teamId: 5, name: 'East' }] },
		{ email: 'g@x', teams: [{ teamId: 6, name: '5' }] },
		null,
	];
	const rows = [
		{ teamId: 'w', name: 'u', parentTeamId: 'p' },
		{ teamId: 'p', name: 'Coast', parentTeamId: 'q' },
		{ teamId: 'q', name: 'Land', parentTeamId: 'p' },
		null,
	];
	const of = async (teams: string[], among?: string[], deadline?: number) =>
		await call({ users, teams: rows }, (context: IExecuteFunctions) =>
			membersOf(context, teams, among, deadline),
		);

	test.each<[string, teams: string[], among: string[] | undefined, users: string[], emptyTeams?: string[]]>([
		['by the ID of any of their teams', ['t'], undefined, ['a@x', 'b@x']],
		['by the name of a team', ['West'], undefined, ['a@x', 'b@x']],
		['by ID alone where another team is named so', ['u'], undefined, ['b@x']],
		['by an ID that is a number, not by a team named so', ['5'], undefined, ['f@x']],
		['in a team without members that has a subteam', ['Coast'], undefined, ['e@x']],
		['in all teams below, also where parents form a circle', ['Land'], undefined, ['e@x']],
		['among some users', ['t', 'u'], ['b@x', 'c@x'], ['b@x']],
		['with the teams in which nobody is', ['North', 'West', 'v'], undefined, ['a@x', 'b@x'], ['North', 'v']],
	])('are found %s', async (_how, teams, among, found, emptyTeams = []) => {
		const { value, limitMs } = await of(teams, among);
		expect(value).toEqual({ users: found, emptyTeams });
		expect(limitMs).toBe(300_000);
	});

	test('are asked for within the time that a poll has', async () => {
		expect((await of(['t'], undefined, performance.now() + 5000)).limitMs).toBeLessThanOrEqual(5000);
	});

	test.each([
		[undefined, 'team_without_members'],
		[['c@x'], 'user_not_in_teams'],
	])('must not be none, because no users would mean all: among %j', async (among, code) => {
		await expect(of(['East, 2', 'v'], among)).rejects.toMatchObject({
			details: { code },
			message: expect.stringContaining('"East, 2", "v"') as string,
		});
	});
});
