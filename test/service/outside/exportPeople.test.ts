import { exportPost, listAll, nobody, rowsOf, shifted, teams, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 1000, awaitingUpload: 30, errored: 20 });
const beforeTime = { fromDate: '1990-01-01T00:00:00Z', toDate: '1990-01-02T00:00:00Z' };
type Team = Awaited<ReturnType<typeof teams>>[number];
type User = Awaited<ReturnType<typeof users>>[number];

let everybody: User[];
let all: Team[];
let active: User[];
let pages: Awaited<ReturnType<typeof listAll>>;
beforeAll(async () => {
	[everybody, all, pages] = [await users(service), await teams(service), await listAll(service)];
	active = everybody.filter((user) => !user.isRemoved);
});

const membersOf = ({ teamId }: Team) =>
	active.filter((user) => user.teams?.some((team) => team.teamId === teamId));
/** The IDs of the team and its descendants. */
function within(top: Team): Set<string> {
	const found = new Set([top.teamId]);
	for (let before = 0; before < found.size; ) {
		before = found.size;
		for (const team of all) if (team.parentTeamId && found.has(team.parentTeamId)) found.add(team.teamId);
	}
	return found;
}

// D1-TEAMS-01, D1-TEAMBODY-04, D1-USERS-01, D1-USERBODY-05, D1-LIM-08
test.each([
	['teams', () => all.map((team) => team.teamId)],
	['users', () => everybody.map((user) => user.userId)],
])('%s are all in one response, one row each', async (path, ids) => {
	expect(new Set(ids()).size).toBe(ids().length);
	expect(Object.keys((await exportPost(service, path)).json as object)).toEqual([path]);
});

// D1-TEAM-08, D1-TEAM-23, D1-TEAM-27, D1-USER-15, D1-USER-31..32, D1-USER-36, D1-USER-40
test('ratios are fractions with two decimals, and null without data', async () => {
	const ratios = [
		...all.flatMap((team) => [team.recordingCompliance, team.talkRatioAverage]),
		...everybody.flatMap((user) => [
			user.averageScriptCompliance,
			user.percentageOfRepsWithCommentsGiven,
			user.recordingCompliance,
			user.talkRatioAverage,
			user.viewedRecordedRatio,
		]),
	].filter((value) => value !== null);
	expect(ratios.filter((value) => value < 0 || value > 1 || Math.round(value * 100) / 100 !== value)).toEqual(
		[],
	);
	const idle = { conversationsRecorded: 0, averageConversationDuration: null, recordingCompliance: null };
	for (const team of await teams(service, beforeTime)) expect(team).toMatchObject(idle);
});

// D1-USER-28
test('the longest monologue of a user is the median of the conversations', () => {
	const rows = pages.flatMap((page) => page.conversations);
	const known = everybody.filter((user) => user.longestMonologueAverage !== null);
	expect(known.length).toBeGreaterThan(10);
	for (const user of known) {
		const lengths = rows
			.filter((row) => row.user.id === user.userId)
			.flatMap((row) => row.longestRepMonologue ?? [])
			.sort((a, b) => a - b);
		const [low, high] = [lengths[(lengths.length - 1) >> 1], lengths[lengths.length >> 1]];
		expect(user.longestMonologueAverage).toBe(Math.round((low + high) * 5) / 10);
	}
});

describe('a team', () => {
	// D1-TEAM-04..05
	test('has another team as its parent, or null', () => {
		const names = new Map(all.map((team) => [team.teamId, team.name]));
		for (const { parentTeamId, parentTeamName } of all)
			expect(parentTeamName).toBe(parentTeamId === null ? null : names.get(parentTeamId));
		expect(all.some((team) => team.parentTeamId === null)).toBe(true);
	});

	// D1-TEAMS-02, D1-TEAMS-04, D1-TEAM-30
	test('counts its active, visible members, also those of other teams', () => {
		for (const team of all) expect(team.totalUsers).toBe(membersOf(team).length);
		const memberships = all.reduce((total, team) => total + team.totalUsers, 0);
		expect(memberships).toBeGreaterThan(active.filter((user) => user.teams !== null).length);
	});

	// D1-TEAMS-03, D1-TEAMBODY-03, D1-TEAM-30
	test('counts the members of its subteams once with includeSubteams, which is false by default', async () => {
		const rolled = await teams(service, { includeSubteams: true });
		expect(rolled.map((team) => team.teamId)).toEqual(all.map((team) => team.teamId));
		for (const team of rolled) {
			const below = within(team);
			const counted = active.filter((user) => user.teams?.some(({ teamId }) => below.has(teamId)));
			expect(team.totalUsers).toBe(counted.length);
		}
		expect(rolled.some((team, index) => team.totalUsers > all[index].totalUsers)).toBe(true);
		expect(await teams(service, { includeSubteams: false })).toEqual(all);
	});

	// D1-TEAM-18, D1-TEAM-29
	test('sums up the recordings and recorders of its members', () => {
		for (const team of all) {
			const own = membersOf(team);
			expect(team.conversationsRecorded).toBe(own.reduce((sum, user) => sum + user.conversationsRecorded, 0));
			expect(team.totalUsersWhoRecorded).toBe(own.filter((user) => user.conversationsRecorded > 0).length);
		}
	});

	// D1-TEAMBODY-02
	test('counts the end of the range', async () => {
		const [team] = all.filter((each) => each.conversationsRecorded > 0);
		const members = membersOf(team).map(({ userId }) => userId);
		const date = rowsOf(pages).find((row) => members.includes(row.user.id))?.date ?? '';
		const recorded = async (toDate: string) =>
			(await teams(service, { toDate })).find(({ teamId }) => teamId === team.teamId)?.conversationsRecorded;
		expect(await recorded(date)).toBe(((await recorded(shifted(date, -1))) ?? Number.NaN) + 1);
	});

	// D1-AUTH-02
	test('is seen by its key with its subteams only', async () => {
		const seen = (await teams(service, {}, service.keys.team)).map(({ teamId }) => teamId);
		expect(seen.length).toBeGreaterThan(0);
		expect(seen.length).toBeLessThan(all.length);
		for (const team of all.filter(({ teamId }) => seen.includes(teamId)))
			expect(seen).toEqual(expect.arrayContaining([...within(team)]));
	});
});

describe('users', () => {
	// D1-USERS-01, D1-USERBODY-03
	test('are filtered by exact, case-sensitive email; an empty filter means all', async () => {
		const { email } = everybody[1];
		const found = async (filter: string[]) =>
			(await users(service, { users: filter })).map((user) => user.email);
		expect(await found([email])).toEqual([email]);
		expect(await found([email.toUpperCase()])).toEqual([]);
		expect(await found([nobody])).toEqual([]);
		expect(await found([])).toHaveLength(everybody.length);
	});

	// D1-USERBODY-04, D1-AUTH-02
	test('are all allowed ones if the filter of a team-scoped key matches nobody', async () => {
		const found = async (filter: string[]) =>
			(await users(service, { users: filter }, service.keys.team)).map((user) => user.email);
		const allowed = await found([]);
		expect(allowed.length).toBeLessThan(everybody.length);
		expect(await found([nobody])).toEqual(allowed);
		const outside = everybody.map(({ email }) => email).filter((email) => !allowed.includes(email));
		expect(await found([allowed[0], nobody, ...outside])).toEqual([allowed[0]]);
	});

	// D1-USERS-03..04, D1-USER-08..09
	test('have an identity, teams and activity that do not depend on the range; removed ones too', async () => {
		const always = (rows: User[]) =>
			rows.map(({ userId, name, email, role, teams: own, timeOfFirstRecording, lastActive }) => ({
				...{ userId, name, email, role, own, timeOfFirstRecording, lastActive },
			}));
		const empty = await users(service, beforeTime);
		expect(always(empty)).toEqual(always(everybody));
		expect(empty.every((user) => user.conversationsRecorded === 0)).toBe(true);
		expect(empty.some((user) => user.isRemoved)).toBe(true);
	});

	// D1-USER-07
	test('have teams sorted by name, and null instead of none', () => {
		for (const { teams: own } of everybody) {
			const names = own?.map((team) => team.name) ?? ['null'];
			expect(names.length).toBeGreaterThan(0);
			expect(names).toEqual([...names].sort());
		}
		expect(everybody.some((user) => user.teams === null)).toBe(true);
		expect(everybody.some((user) => (user.teams?.length ?? 0) > 1)).toBe(true);
	});

	// D1-USER-08, D1-USER-24
	test('have as many recordings as the lists, and the date of the first', () => {
		const rows = rowsOf(pages);
		for (const user of everybody) {
			const dates = rows.filter((row) => row.user.id === user.userId).map(({ date }) => date);
			expect(user.conversationsRecorded).toBe(dates.length);
			expect(user.timeOfFirstRecording).toBe(dates.sort()[0] ?? null);
		}
	});

	// D1-USERS-05, D1-COACH-01..08
	test('without coaching have zeros, and null for lastCoachedAt', async () => {
		const rows = [...everybody, ...(await users(service, beforeTime))].map((user) => user.liveCoaching);
		const idle = rows.filter((coaching) => coaching.sessionsHosted === 0);
		expect(idle.length).toBeGreaterThan(0);
		for (const { lastCoachedAt, ...counts } of idle)
			expect([lastCoachedAt, ...Object.values(counts).filter((count) => count !== 0)]).toEqual([null]);
	});

	// D1-USERBODY-06, D1-COACH-08
	test('have live coaching without the end of the range', async () => {
		const coached = everybody.filter((user) => user.liveCoaching.lastCoachedAt !== null);
		expect(coached.length).toBeGreaterThan(0);
		for (const { email, liveCoaching } of coached.slice(0, 3)) {
			const at = liveCoaching.lastCoachedAt ?? '';
			const until = async (toDate: string) =>
				(await users(service, { users: [email], toDate }))[0].liveCoaching.lastCoachedAt;
			expect(await until(shifted(at, 1))).toBe(at);
			expect((await until(at)) ?? '').not.toBe(at);
		}
	});
});
