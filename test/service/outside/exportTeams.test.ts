import { exportPost, list, shifted, teams, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 400, awaitingUpload: 30, errored: 20 });
type Team = Awaited<ReturnType<typeof teams>>[number];

const rolledUp = () => teams(service, { includeSubteams: true });
const active = async () => (await users(service)).filter((user) => !user.isRemoved);

const membersOf = ({ teamId }: Team, members: Awaited<ReturnType<typeof users>>) =>
	members.filter((user) => user.teams?.some((team) => team.teamId === teamId));

/** The IDs of the team and its descendants. */
function within(all: readonly Team[], top: Team): Set<string> {
	const found = new Set([top.teamId]);
	for (let before = 0; before < found.size; ) {
		before = found.size;
		for (const team of all) if (team.parentTeamId && found.has(team.parentTeamId)) found.add(team.teamId);
	}
	return found;
}

// D1-TEAMS-01, D1-TEAMBODY-04, D1-LIM-08
test('returns one row per team in one response', async () => {
	const rows = await teams(service);
	expect(new Set(rows.map((team) => team.teamId)).size).toBe(rows.length);
	const { json } = await exportPost(service, 'teams', {});
	expect(Object.keys(json as object)).toEqual(['teams']);
});

// D1-TEAM-04..05
test('a parent is another team, or null for top-level teams', async () => {
	const rows = await teams(service);
	const names = new Map(rows.map((team) => [team.teamId, team.name]));
	for (const { parentTeamId, parentTeamName } of rows) {
		expect(parentTeamName).toBe(parentTeamId === null ? null : names.get(parentTeamId));
	}
	expect(rows.some((team) => team.parentTeamId === null)).toBe(true);
});

// D1-TEAMS-02, D1-TEAM-30
test('members are current, active, non-hidden users', async () => {
	const members = await active();
	for (const team of await teams(service)) {
		const own = membersOf(team, members);
		expect(team).toMatchObject({ totalUsers: own.length });
	}
});

// D1-TEAMS-04
test('a user counts in each of their teams, so rows do not add up to the organization', async () => {
	const members = (await active()).filter((user) => user.teams !== null);
	const memberships = members.reduce((sum, user) => sum + (user.teams?.length ?? 0), 0);
	const sum = (await teams(service)).reduce((total, team) => total + team.totalUsers, 0);
	expect(sum).toBe(memberships);
	expect(sum).toBeGreaterThan(members.length);
});

// D1-TEAMS-03, D1-TEAMBODY-03, D1-TEAM-30
test('includeSubteams counts each member of subteams once and removes no row', async () => {
	const [alone, rolled, members] = [await teams(service), await rolledUp(), await active()];
	expect(rolled.map((team) => team.teamId)).toEqual(alone.map((team) => team.teamId));
	for (const team of rolled) {
		const below = within(alone, team);
		const counted = members.filter((user) => user.teams?.some(({ teamId }) => below.has(teamId)));
		expect(team).toMatchObject({ totalUsers: counted.length });
	}
	expect(rolled.some((team, index) => team.totalUsers > alone[index].totalUsers)).toBe(true);
});

// D1-TEAMBODY-03
test('includeSubteams defaults to false', async () => {
	expect(await teams(service)).toEqual(await teams(service, { includeSubteams: false }));
});

// D1-TEAM-18, D1-TEAM-29
test('recordings and recorders are counted over the members', async () => {
	const members = await active();
	for (const team of await teams(service)) {
		const own = membersOf(team, members);
		expect(team.conversationsRecorded).toBe(own.reduce((sum, user) => sum + user.conversationsRecorded, 0));
		expect(team.totalUsersWhoRecorded).toBe(own.filter((user) => user.conversationsRecorded > 0).length);
	}
});

// D1-TEAM-08..09, D1-TEAM-20..21
test('averages give every member with data the same weight', async () => {
	const members = await active();
	const fields = [
		'averageConversationDuration',
		'averageConversationLength',
		'longestCustomerMonologueAverage',
		'longestMonologueAverage',
	] as const;
	for (const team of await teams(service)) {
		const own = membersOf(team, members);
		for (const field of fields) {
			const values = own.flatMap((user) => user[field] ?? []);
			if (values.length === 0) expect(team[field]).toBeNull();
			else expect(team[field]).toBeCloseTo(values.reduce((sum, value) => sum + value) / values.length, 0);
		}
	}
});

// D1-TEAM-08, D1-TEAM-23
test('averages and compliance are null without data', async () => {
	const range = { fromDate: '1990-01-01T00:00:00Z', toDate: '1990-01-02T00:00:00Z' };
	for (const team of await teams(service, range)) {
		expect(team).toMatchObject({
			conversationsRecorded: 0,
			averageConversationDuration: null,
			recordingCompliance: null,
		});
	}
});

// D1-TEAM-23, D1-TEAM-27
test('compliance and talk ratio are fractions with two decimals', async () => {
	for (const team of await teams(service)) {
		for (const value of [team.recordingCompliance, team.talkRatioAverage]) {
			if (value === null) continue;
			expect(value).toBeGreaterThanOrEqual(0);
			expect(value).toBeLessThanOrEqual(1);
			expect(Math.round(value * 100) / 100).toBe(value);
		}
	}
});

// D1-TEAMBODY-02
test('metrics include the end of the range', async () => {
	const members = new Map((await active()).map((user) => [user.userId, user]));
	const { conversations } = await list(service);
	const row = conversations.find(({ user }) => members.get(user.id)?.teams);
	if (!row) throw new Error('No member of a team has recorded a conversation.');
	const mine = new Set(members.get(row.user.id)?.teams?.map(({ teamId }) => teamId));
	const recorded = async (toDate: string) =>
		(await teams(service, { toDate }))
			.filter(({ teamId }) => mine.has(teamId))
			.map((team) => team.conversationsRecorded);
	const before = await recorded(shifted(row.date, -1));
	expect(before).toHaveLength(mine.size);
	expect(await recorded(row.date)).toEqual(before.map((count) => count + 1));
});

// D1-AUTH-02
test('a team-scoped key only shows its teams and their subteams', async () => {
	const everything = await teams(service);
	const seen = await teams(service, {}, service.keys.team);
	expect(seen.length).toBeGreaterThan(0);
	expect(seen.length).toBeLessThan(everything.length);
	for (const team of seen) {
		for (const id of within(everything, team)) expect(seen.map(({ teamId }) => teamId)).toContain(id);
	}
});

describe.each(['teams', 'users'])('the range of %s', (path) => {
	// D1-TEAMBODY-01..02, D1-USERBODY-01..02
	test.each([
		['fromDate is missing', { fromDate: undefined }],
		['fromDate does not end in Z', { fromDate: '2024-01-01T00:00:00' }],
		['toDate is missing', { toDate: undefined }],
		['toDate is not after fromDate', { toDate: '1999-01-01T00:00:00Z' }],
	])('is refused with 4xx when %s', async (_case, body) => {
		const { status } = await exportPost(service, path, body);
		expect(Math.floor(status / 100)).toBe(4);
	});
});
