import { rowsOf, shifted, useService, type Page } from '../client';

const service = useService({ conversations: 1000, awaitingUpload: 30, errored: 20 });
const beforeTime = { fromDate: '1990-01-01T00:00:00Z', toDate: '1990-01-02T00:00:00Z' };
type Team = Awaited<ReturnType<typeof service.teams>>[number];
type User = Awaited<ReturnType<typeof service.users>>[number];

let pages: Page[];
let everybody: User[];
let teams: Team[];
let active: User[];
beforeAll(async () => {
	[pages, everybody, teams] = [await service.all(), await service.users(), await service.teams()];
	active = everybody.filter((user) => !user.isRemoved);
});
const membersOf = (wanted: Set<string>) =>
	active.filter((user) => user.teams?.some(({ teamId }) => wanted.has(teamId)));
/** The IDs of a team and its descendants. */
function within({ teamId }: Team): Set<string> {
	const found = new Set([teamId]);
	for (let before = 0; before < found.size; ) {
		before = found.size;
		for (const team of teams) if (team.parentTeamId && found.has(team.parentTeamId)) found.add(team.teamId);
	}
	return found;
}

describe('teams', () => {
	// D1-TEAMS-01, D1-TEAMBODY-04, D1-USERS-01, D1-USERBODY-05, D1-LIM-08
	test('and users are all in one response, one row each', async () => {
		for (const [path, rows] of [
			['teams', teams.map((team) => team.teamId)],
			['users', everybody.map((user) => user.userId)],
		] as const) {
			expect(new Set(rows).size).toBe(rows.length);
			expect(Object.keys((await service.post(path)).json as object)).toEqual([path]);
		}
	});

	// D1-TEAM-04..05, D1-TEAM-18, D1-TEAM-29..30, D1-TEAMS-02, D1-TEAMS-04
	test('have a parent or null, and sum up their active, visible members, also those of other teams', () => {
		const names = new Map(teams.map((team) => [team.teamId, team.name]));
		for (const team of teams) {
			const members = membersOf(new Set([team.teamId]));
			expect(team).toMatchObject({
				parentTeamName: team.parentTeamId === null ? null : names.get(team.parentTeamId),
				totalUsers: members.length,
				conversationsRecorded: members.reduce((sum, user) => sum + user.conversationsRecorded, 0),
				totalUsersWhoRecorded: members.filter((user) => user.conversationsRecorded > 0).length,
			});
		}
		const memberships = teams.reduce((total, team) => total + team.totalUsers, 0);
		expect(memberships).toBeGreaterThan(active.filter((user) => user.teams !== null).length);
	});

	// D1-TEAMS-03, D1-TEAMBODY-03, D1-TEAM-30
	test('count the members of subteams once with includeSubteams, which is false by default', async () => {
		const rolled = await service.teams({ includeSubteams: true });
		expect(rolled.map(({ teamId, totalUsers }) => [teamId, totalUsers])).toEqual(
			teams.map((team) => [team.teamId, membersOf(within(team)).length]),
		);
		expect(rolled.some((team, index) => team.totalUsers > teams[index].totalUsers)).toBe(true);
		expect(await service.teams({ includeSubteams: false })).toEqual(teams);
	});

	// D1-TEAMBODY-02, D1-AUTH-02
	test('count the end of the range, and are seen by their key with their subteams only', async () => {
		const { teamId } = teams.find((each) => each.conversationsRecorded > 0)!;
		const members = membersOf(new Set([teamId])).map(({ userId }) => userId);
		const { date } = rowsOf(...pages).find((row) => members.includes(row.user.id))!;
		const recorded = async (toDate: string) =>
			(await service.teams({ toDate })).find((team) => team.teamId === teamId)!.conversationsRecorded;
		expect(await recorded(date)).toBe((await recorded(shifted(date, -1))) + 1);
		const seen = (await service.teams({}, service.keys.team)).map((team) => team.teamId);
		const below = teams.filter((team) => seen.includes(team.teamId)).flatMap((team) => [...within(team)]);
		expect([...new Set(below)].sort()).toEqual(seen.sort());
		expect([seen.length > 0, seen.length < teams.length]).toEqual([true, true]);
	});
});

describe('users', () => {
	// D1-USERS-03..04, D1-USER-08..09
	test('have an identity, teams and activity whatever the range; removed ones too', async () => {
		const always = (rows: User[]) =>
			rows.map((row) => [
				row.userId,
				row.name,
				row.email,
				row.role,
				row.teams,
				row.timeOfFirstRecording,
				row.lastActive,
			]);
		const empty = await service.users(beforeTime);
		expect(always(empty)).toEqual(always(everybody));
		expect(empty.every((user) => user.conversationsRecorded === 0)).toBe(true);
		expect(empty.some((user) => user.isRemoved)).toBe(true);
	});

	// D1-USER-08, D1-USER-24
	test('have the recordings of the lists: their number and the first', () => {
		const rows = rowsOf(...pages);
		for (const { userId, conversationsRecorded, timeOfFirstRecording } of everybody) {
			const dates = rows.filter((row) => row.user.id === userId).map(({ date }) => date);
			expect([conversationsRecorded, timeOfFirstRecording]).toEqual([dates.length, dates.sort()[0] ?? null]);
		}
	});

	// D1-USERS-05, D1-USERBODY-06, D1-COACH-01..08
	test('have live coaching without the end of the range; without any, zeros and null', async () => {
		const [coached, idle] = [true, false].map((is) =>
			everybody.filter(({ liveCoaching }) => liveCoaching.sessionsHosted > 0 === is),
		);
		expect(idle).not.toEqual([]);
		for (const { liveCoaching } of [...idle, ...(await service.users(beforeTime))])
			expect(new Set(Object.values(liveCoaching))).toEqual(new Set([0, null]));
		expect(coached).not.toEqual([]);
		for (const { email, liveCoaching } of coached.slice(0, 3)) {
			const at = liveCoaching.lastCoachedAt ?? '';
			const until = async (toDate: string) =>
				(await service.users({ users: [email], toDate }))[0].liveCoaching.lastCoachedAt;
			expect(await until(shifted(at, 1))).toBe(at);
			expect(await until(at)).not.toBe(at);
		}
	});
});
