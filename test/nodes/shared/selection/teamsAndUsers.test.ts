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

/** A person waits for a list in the editor. */
function expectTenSeconds(limitMs?: number) {
	expect(limitMs).toBeGreaterThan(9000);
	expect(limitMs).toBeLessThanOrEqual(10_000);
}

test('the list of teams has names, sorted, or IDs, leaves out what has no ID, and comes in ten seconds', async () => {
	const teams = [
		{ name: 'West', teamId: 'w' },
		{ teamId: 'n' },
		{ name: 7, teamId: 'e' },
		{ name: 'Lost' },
		null,
	];
	const { value, limitMs } = await load({ teams }, getTeams);
	expect(value.map(({ name, value: id }) => `${name} ${String(id)}`)).toEqual(['e e', 'n n', 'West w']);
	expectTenSeconds(limitMs);
});

// D1-USER-02..03, D1-USER-05, D1-USERS-03
test('the list of users shows names with emails, sorted, and who was removed', async () => {
	const users = [
		{ name: 'Cem', email: 'c@x' },
		{ name: 'Ana', email: 'a@x', isRemoved: true },
		{ name: '', email: 'd@x', isRemoved: true },
		{ name: 7, email: 'b@x', isRemoved: 'no' },
		{ name: 'Without an email' },
		{ name: 'Wrong', email: 5 },
		null,
	];
	const { value, limitMs } = await load({ users }, getUsers);
	expectTenSeconds(limitMs);
	expect(value).toStrictEqual([
		{ name: 'Ana (a@x), removed', value: 'a@x' },
		{ name: 'b@x', value: 'b@x' },
		{ name: 'Cem (c@x)', value: 'c@x' },
		{ name: 'd@x, removed', value: 'd@x' },
	]);
});

test.each([
	['=Team', '={{ $env }}', "a team's ID", getTeams],
	['Ana', '={{ 1 }}@x', "a user's email", getUsers],
])(
	'what n8n would run when it is picked is not listed, and the list says so: %s',
	async (name, value, id, method) => {
		const body = {
			teams: [
				{ name, teamId: value },
				{ name: '=shown', teamId: 't' },
			],
			users: [{ name, email: value }, { email: 'b@x' }],
		};
		const listed = (await load(body, method)).value;
		expect(listed.map((option) => option.value)).toEqual([method === getTeams ? 't' : 'b@x', 'not listed']);
		expect(listed[1].name).toBe(`Not listed: 1, because ${id} begins with "="`);
	},
);

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
	const of = async (teams: string[], among?: string[], deadline?: number) =>
		await call({ users }, (context: IExecuteFunctions) => membersOf(context, teams, among, deadline));

	test.each([
		['by the ID of any of their teams', ['t'], undefined, ['a@x', 'b@x'], []],
		['by the name of a team', ['West'], undefined, ['a@x'], []],
		['by ID alone where another team is named so', ['u'], undefined, ['b@x'], []],
		['by an ID that is a number, not by a team named so', ['5'], undefined, ['f@x'], []],
		['among some users', ['t', 'u'], ['b@x', 'c@x'], ['b@x'], []],
		['with the teams in which nobody is', ['North', 'West', 'v'], undefined, ['a@x'], ['North', 'v']],
	])(
		'are found %s, in up to five minutes or the time that a poll has',
		async (_how, teams, among, emails, emptyTeams) => {
			const { value, limitMs } = await of(teams, among);
			expect(value).toEqual({ users: emails, emptyTeams });
			expect(limitMs).toBe(300_000);
			const soon = performance.now() + 5000;
			expect((await of(teams, among, soon)).limitMs).toBeLessThanOrEqual(5000);
		},
	);

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
