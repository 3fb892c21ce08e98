import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { getTeams, membersOf } from '../../../../nodes/shared/exportApi/teams';
import { scriptedService } from '../http/scriptedService';

const respondWith = (body: object) =>
	scriptedService({ responses: [{ statusCode: 200, body: JSON.stringify(body) }] });

test('the list of teams gives up after ten seconds, because a person waits for it', async () => {
	const { context, sent } = respondWith({ teams: [] });
	await getTeams.call(context as unknown as ILoadOptionsFunctions);
	expect(sent[0].options.timeout).toBeGreaterThan(9000);
	expect(sent[0].options.timeout).toBeLessThanOrEqual(10_000);
});

test('the members of teams may take five minutes, like the users of a list', async () => {
	const { context, sent } = respondWith({ users: [{ email: 'a@x', teams: [{ teamId: 't' }] }] });
	expect(await membersOf(context as IExecuteFunctions, ['t'], undefined)).toMatchObject({ users: ['a@x'] });
	expect(sent[0].options.timeout).toBe(300_000);
});

test('the list of teams has their names, sorted, or their IDs, and leaves out what has no ID', async () => {
	const teams = [
		{ name: 'West', teamId: 'w' },
		{ teamId: 'n' },
		{ name: 7, teamId: 'e' },
		{ name: 'Lost' },
		null,
	];
	const { context } = respondWith({ teams });
	expect(await getTeams.call(context as unknown as ILoadOptionsFunctions)).toEqual([
		{ name: 'e', value: 'e' },
		{ name: 'n', value: 'n' },
		{ name: 'West', value: 'w' },
	]);
});

describe('The members of teams', () => {
	const of = async (teams: string[], among?: string[]) => {
		const users = [
			{ email: 'a@x', teams: [{ teamId: 't', name: 'West' }] },
			{ email: 'b@x', teams: [{ teamId: 'u' }, { teamId: 't' }] },
			{ email: 5, teams: [{ teamId: 't' }] },
			{ email: 'c@x', teams: null },
			null,
		];
		return await membersOf(respondWith({ users }).context as IExecuteFunctions, teams, among);
	};

	test('are found by the ID or the name of any of their teams', async () => {
		expect(await of(['t'])).toEqual({ users: ['a@x', 'b@x'], emptyTeams: [] });
		expect(await of(['West'])).toEqual({ users: ['a@x'], emptyTeams: [] });
	});

	test('can be narrowed to some users', async () => {
		expect(await of(['t', 'u'], ['b@x', 'c@x'])).toEqual({ users: ['b@x'], emptyTeams: [] });
	});

	test('come with the teams in which nobody is', async () => {
		expect(await of(['East', 'West', 'v'])).toEqual({ users: ['a@x'], emptyTeams: ['East', 'v'] });
	});

	test.each([
		[undefined, 'No user that the API key may see is in the teams "East, 2", "v"'],
		[['c@x'], 'None of the users of the filter is in the teams "East, 2", "v"'],
	])('must not be none, because no users would mean all: among %j', async (among, message) => {
		await expect(of(['East, 2', 'v'], among)).rejects.toMatchObject({
			message,
			description: 'Choose other teams, or remove the filter.',
		});
	});

	test('are not read from a response without a list of users', async () => {
		const { context } = respondWith({ users: 'none' });
		const read = membersOf(context as IExecuteFunctions, ['t'], undefined);
		await expect(read).rejects.toThrow('The service\'s response has no field "users"');
	});
});
