import fc from 'fast-check';
import { absentId, call, expectDocumented, nobody, rowsOf, shifted, useService } from '../client';
import type { Conversation, Page, Team, User } from '../client';

const service = useService({ conversations: 120, awaitingUpload: 150, errored: 90 });
const { list, post, get } = service;
const TOTALS = [
	['conversations', 'totalConversations'],
	['awaitingUpload', 'totalAwaitingUpload'],
	['errored', 'totalErrored'],
] as const;
const beforeTime = { fromDate: '1990-01-01T00:00:00Z', toDate: '1990-01-02T00:00:00Z' };

let pages: Page[];
let conversations: Conversation[];
let rows: ReturnType<typeof rowsOf>;
let everybody: User[];
let active: User[];
let teams: Team[];
beforeAll(async () => {
	[pages, everybody, teams] = [await service.all(), await service.users(), await service.teams()];
	conversations = pages.flatMap((page) => page.conversations);
	rows = rowsOf(...pages);
	active = everybody.filter((user) => !user.isRemoved);
});
const emailsOf = (users: User[]) => users.map(({ email }) => email);
/** The same without links, which differ each time. */
const bare = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value, (name, inner) => (/^(transcript|audio)Url$/.test(name) ? '' : inner)));

// D1-RESP-01..08, D1-EXP-00..01, D1-CONVENTION-01, D1-CONV-01..28, D1-RUSER-01..03, D1-CONVENTION-03, D1-VIEWER-01..04
// D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
// D1-REC-01..11, D1-RECORDING-01, D1-ERRORED-01..13, D1-TEAM-01..30, D1-USER-01..41, D1-MEMBER-01..02, D1-COACH-01..08
// D1-TEAMS-01, D1-TEAMBODY-04, D1-USERS-01, D1-USERBODY-05, D1-LIM-08
test('responses have exactly the documented keys and types, and those of teams and users, one row each', async () => {
	expect((await post('conversations')).type).toBe('application/json');
	expectDocumented('ConversationsExportResponse', pages);
	for (const [path, table] of [
		['teams', 'TeamsExport'],
		['users', 'UsersExport'],
	]) {
		const all = (await post(path)).json as Record<string, Array<Partial<User & Team>>>;
		expect(Object.keys(all)).toEqual([path]);
		expectDocumented(table, all[path]);
		expect(new Set(all[path].map((row) => row.userId ?? row.teamId)).size).toBe(all[path].length);
	}
	for (const name of ['viewers', 'checklists', 'aiTrackers', 'surveyResults', 'customer'] as const)
		expect([name, conversations.some((row) => Object.keys(row[name] ?? {}).length > 0)]).toEqual([
			name,
			true,
		]);
});

// D1-CONV-03..04, D1-CONV-24..25, D1-CONVENTION-02, D1-CONVENTION-04, D1-TRACK-01, D1-AITRACK-02, D1-RECORDING-02, D1-DOES-03
test('a conversation is recorded in UTC before it is processed, and once; a score counts hits; a tracker has one ID', () => {
	expect(new Set(rows.map((row) => row.recordingId)).size).toBe(rows.length);
	for (const { date, processedDate } of conversations)
		expect([date.endsWith('Z'), Date.parse(processedDate) >= Date.parse(date)]).toEqual([true, true]);
	const checklists = conversations.flatMap((row) => row.checklists);
	for (const { name, checklistName, score, trackerData } of checklists)
		expect([checklistName, score]).toEqual([name, trackerData.filter(({ isHit }) => isHit).length]);
	const trackers = [
		...checklists.flatMap((each) => each.trackerData),
		...conversations.flatMap((row) => row.aiTrackers),
	];
	const different = (of: (tracker: (typeof trackers)[number]) => string) => new Set(trackers.map(of)).size;
	const named = different(({ trackerName, trackerId }) => `${trackerName} ${trackerId}`);
	expect([different((each) => each.trackerName), different((each) => each.trackerId)]).toEqual([
		named,
		named,
	]);
});

type Body = {
	fromDate: string;
	toDate: string;
	dateType?: string;
	users: string[];
	page: number;
	limit: number;
};

/** What a list must return to a key for somebody, by the documents. */
function expected({ fromDate, toDate, dateType, page, limit }: Body, wanted: string[]) {
	const response: Record<string, unknown> = { currentPage: page };
	let longest = 0;
	for (const [array, total] of TOTALS) {
		if (array === 'awaitingUpload' && dateType === 'processedDate') continue;
		const all = pages.flatMap((each): Array<Conversation | Page['errored'][number]> => each[array] as never);
		const selected = all.filter((row) => {
			const time = (dateType === 'processedDate' ? row.processedDate : row.date) ?? '';
			return time >= fromDate && time <= toDate && wanted.includes(row.user.email);
		});
		response[total] = selected.length;
		response[array] = selected.slice((page - 1) * limit, page * limit);
		longest = Math.max(longest, selected.length);
	}
	return { ...response, totalPages: Math.ceil(longest / limit) };
}

// D1-EXP-02..05, D1-RESP-01..08, D1-EXPBODY-01..06, D1-LIM-01..02, D1-CONV-03, D1-CONV-20, D1-VIEWER-03..04, D1-DOES-01
// D1-DOES-05..06, D1-AUTH-02, D1-USERS-01, D1-USERBODY-03..04
test('a list has the rows of its range, both ends included, of its users, exact and case-sensitive, page by page', async () => {
	const known = [...conversations, ...pages.flatMap((page) => page.errored)];
	const { team, organization } = service.keys;
	const scopes = { [team]: emailsOf(await service.users({}, team)), [organization]: emailsOf(everybody) };
	const outside = emailsOf(everybody).filter((email) => !scopes[team].includes(email));
	const emails = [...scopes[team].slice(0, 2), ...outside.slice(0, 2)];
	const bounds = fc.constantFrom(...known.flatMap((row) => [row.date, row.processedDate ?? row.date]));
	const time = fc.tuple(bounds, fc.integer({ min: -1, max: 1 })).map(([date, by]) => shifted(date, by));
	const request = fc.record({
		times: fc.uniqueArray(time, { minLength: 2, maxLength: 2 }),
		users: fc.subarray([...emails, emails[0].toUpperCase(), ` ${emails[0]}`, emails[2].slice(1), nobody]),
		more: fc.record(
			{ page: fc.integer({ min: 1, max: 4 }), limit: fc.constantFrom(1, 7, 49, 50) },
			{ requiredKeys: [] },
		),
		key: fc.constantFrom(team, organization),
	});
	await fc.assert(
		fc.asyncProperty(request, async ({ times, users, more, key }) => {
			const [fromDate, toDate] = times.sort();
			const named = scopes[key].filter((email) => users.includes(email));
			const isAll = users.length === 0 || (named.length === 0 && key === team);
			const wanted = isAll ? scopes[key] : named;
			expect(emailsOf(await service.users({ users }, key))).toEqual(wanted);
			for (const dateType of ['processedDate', 'timeOfRecording', undefined]) {
				const given = { fromDate, toDate, dateType, users, ...more };
				const { json } = await post('conversations', given, key);
				expect(bare(json)).toEqual(bare(expected({ page: 1, limit: 50, ...given }, wanted)));
			}
		}),
	);
});

// D1-EXPBODY-01..05, D1-TEAMBODY-01..02, D1-USERBODY-01..02, D1-LIM-01..02
test.each([
	['teams', []],
	['users', []],
	['conversations', [{ limit: 0 }, { limit: 51 }, { limit: -1 }, { page: 0 }, { dateType: 'x' }]],
])('an invalid body for %s is refused with 4xx', async (path, more) => {
	const [earlier, later] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];
	const notInZ = ['2024-01-01T00:00:00', '2024-01-01T00:00:00+00:00', 'yesterday', '2024-13-41T00:00:00Z'];
	const from = [undefined, ...notInZ].map((fromDate) => ({ fromDate }));
	const to = [undefined, '2090-01-01T00:00:00+01:00'].map((toDate) => ({ toDate }));
	const reversed = [earlier, later].map((fromDate) => ({ fromDate, toDate: earlier }));
	for (const body of [...from, ...to, ...reversed, ...more])
		expect([body, Math.floor((await post(path, body)).status / 100)]).toEqual([body, 4]);
});

describe('a key', () => {
	/** The statuses of every endpoint for these headers. */
	async function everywhere(headers: Record<string, string>) {
		const at = `${service.exportUrl}/export`;
		const responses = await Promise.all([
			...['conversations', 'teams', 'users'].map((path) =>
				call('POST', `${at}/${path}`, headers, service.range),
			),
			call('GET', `${at}/conversations/${absentId}`, headers),
		]);
		return responses.map(({ status }) => status);
	}

	// D1-HTTP-01, D1-AUTH-01, D1-AUTH-04, D1-GET-03, D1-ERR-01..02
	test('that is not exactly one, and in Authorization, gets 401 everywhere, before the path is looked at', async () => {
		const { organization: key } = service.keys;
		const wrong = ['', 'no-such-key', `Bearer ${key}`, key.replace('-', ' -'), key.toUpperCase()];
		for (const given of [{}, { 'x-api-key': key }, ...wrong.map((authorization) => ({ authorization }))])
			expect([given, ...(await everywhere(given as never))]).toEqual([given, 401, 401, 401, 401]);
		const headers = { authorization: key };
		expect(await everywhere(headers)).toEqual([200, 200, 200, 404]);
		for (const path of ['/export/conversations/%E0%A4%A', '/%E0%A4%A?x=%E0', '/nowhere']) {
			expect((await call('GET', `${service.exportUrl}${path}`)).status).toBe(401);
			expect([400, 404]).toContain((await call('GET', `${service.exportUrl}${path}`, headers)).status);
		}
	});

	// D1-AUTH-02, D1-DOES-05, D1-GET-03..04
	test('gets the same 404 for a conversation of another organization, or outside its teams, as for none', async () => {
		const { team, otherOrganization, organization } = service.keys;
		const theirs = (await service.users({}, otherOrganization)).map(({ userId }) => userId);
		expect(theirs).not.toEqual([]);
		expect(everybody.filter(({ userId }) => theirs.includes(userId))).toEqual([]);
		const inScope = emailsOf(await service.users({}, team));
		const [inside, outside] = [true, false].map(
			(is) => conversations.find((row) => inScope.includes(row.user.email) === is)!,
		);
		const [other] = (await list({}, otherOrganization)).conversations;
		const { text } = await get(absentId);
		for (const [row, key, status] of [
			[inside, team, 200],
			[other, otherOrganization, 200],
			[outside, team, 404],
			[other, organization, 404],
		] as const)
			expect(await get(row.conversationId, key)).toMatchObject({ status, ...(status === 404 && { text }) });
	});
});

// D1-GET-01..02, D1-DOES-02
test('one conversation is a bare object, equal to its row in the list, also by its URL-encoded ID', async () => {
	const [row] = conversations;
	const { status, json } = await get(row.conversationId.replace('-', '%2D'));
	expect([status, bare(json)]).toEqual([200, bare(row)]);
});

// D1-HTTP-02, D1-SUB-01
test('a body of another content type is refused, and there is no endpoint for subscriptions', async () => {
	const headers = { authorization: service.keys.organization, 'content-type': 'text/html' };
	const { status } = await call('POST', `${service.exportUrl}/export/teams`, headers, service.range);
	expect(Math.floor(status / 100)).toBe(4);
	for (const path of ['webhooks', 'webhooks/subscriptions', 'subscriptions'])
		expect((await post(path, { url: 'https://receiver.example/' })).status).toBe(404);
});

/** The active users of a team, with `isDeep` also of its descendants. */
function membersOf({ teamId }: Team, isDeep = false): User[] {
	const below = isDeep ? teams.filter((team) => team.parentTeamId === teamId) : [];
	const own = active.filter((user) => user.teams?.some((team) => team.teamId === teamId));
	return [...new Set([...own, ...below.flatMap((team) => membersOf(team, true))])];
}

describe('teams', () => {
	// D1-TEAM-04..05, D1-TEAM-18, D1-TEAM-29..30, D1-TEAMS-02..04, D1-TEAMBODY-03
	test.each([false, true])(
		'sum up active, visible members, each once, with includeSubteams %s',
		async (isDeep) => {
			for (const team of isDeep ? await service.teams({ includeSubteams: true }) : teams) {
				const counts = membersOf(team, isDeep).map((user) => user.conversationsRecorded);
				expect(team).toMatchObject({
					parentTeamName: teams.find(({ teamId }) => teamId === team.parentTeamId)?.name ?? null,
					totalUsers: counts.length,
					conversationsRecorded: counts.reduce((sum, count) => sum + count, 0),
					totalUsersWhoRecorded: counts.filter((count) => count > 0).length,
				});
			}
			expect(await service.teams({ includeSubteams: false })).toEqual(teams);
			expect(teams.some((team) => membersOf(team, true).length > membersOf(team).length)).toBe(true);
			expect(active.filter((user) => (user.teams?.length ?? 0) > 1)).not.toEqual([]);
		},
	);

	// D1-TEAMBODY-02, D1-AUTH-02
	test('count the end of the range, and are seen by their key with their subteams only', async () => {
		const { teamId } = teams.find((each) => each.conversationsRecorded > 0)!;
		const members = emailsOf(active.filter((user) => user.teams?.some((team) => team.teamId === teamId)));
		const { date } = rows.find((row) => members.includes(row.user.email))!;
		const recorded = async (toDate: string) =>
			(await service.teams({ toDate })).find((team) => team.teamId === teamId)!.conversationsRecorded;
		expect(await recorded(date)).toBe((await recorded(shifted(date, -1))) + 1);
		const seen = (await service.teams({}, service.keys.team)).map((team) => team.teamId);
		const below = teams.filter((team) => [team.teamId, team.parentTeamId].some((id) => seen.includes(id!)));
		expect(below.map((team) => team.teamId).sort()).toEqual(seen.sort());
		expect([seen.length > 1, seen.length < teams.length]).toEqual([true, true]);
	});
});

describe('users', () => {
	// D1-USERS-03..04, D1-USER-08..09, D1-USER-24
	test('have the number of their recordings; identity, teams and activity whatever the range; removed ones too', async () => {
		const empty = await service.users(beforeTime);
		expect(empty.some((user) => user.isRemoved)).toBe(true);
		for (const [index, user] of everybody.entries()) {
			const dates = rows.filter((row) => row.user.id === user.userId).map(({ date }) => date);
			const { userId, name, email, role, teams: of, timeOfFirstRecording, lastActive } = user;
			expect([user.conversationsRecorded, timeOfFirstRecording]).toEqual([
				dates.length,
				dates.sort()[0] ?? null,
			]);
			const always = { userId, name, email, role, teams: of, timeOfFirstRecording, lastActive };
			expect(empty[index]).toMatchObject({ ...always, conversationsRecorded: 0 });
		}
	});

	// D1-USERS-05, D1-USERBODY-06, D1-COACH-01..08
	test('have live coaching without the end of the range; without any, zeros and null', async () => {
		const coached = everybody.filter(({ liveCoaching }) => liveCoaching.sessionsHosted > 0);
		const idle = everybody.filter((user) => !coached.includes(user));
		expect([coached.length > 0, idle.length > 0]).toEqual([true, true]);
		for (const { liveCoaching } of [...idle, ...(await service.users(beforeTime))])
			expect(new Set(Object.values(liveCoaching))).toEqual(new Set([0, null]));
		for (const { email, liveCoaching } of coached.slice(0, 3)) {
			const at = liveCoaching.lastCoachedAt ?? '';
			const until = async (toDate: string) =>
				(await service.users({ users: [email], toDate }))[0].liveCoaching.lastCoachedAt;
			expect(await until(shifted(at, 1))).toBe(at);
			expect(await until(at)).not.toBe(at);
		}
	});
});
