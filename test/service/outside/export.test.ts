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
	const filled = (row: Conversation) =>
		Object.entries(row).filter(([, value]) => Object.keys(value ?? {}).length > 0);
	const names = conversations.flatMap(filled).map(([name]) => name);
	expect(names).toEqual(
		expect.arrayContaining(['viewers', 'checklists', 'aiTrackers', 'surveyResults', 'customer']),
	);
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
	const ids = new Map(trackers.map(({ trackerName, trackerId }) => [trackerName, trackerId]));
	expect(new Set(ids.values()).size).toBe(ids.size);
	for (const { trackerName, trackerId } of trackers) expect(ids.get(trackerName)).toBe(trackerId);
});

/** What a list must return to a key for somebody, by the documents. */
function expected(
	from: string,
	to: string,
	dateType: string | undefined,
	wanted: string[],
	page = 1,
	limit = 50,
) {
	const response: Record<string, unknown> = { currentPage: page };
	let longest = 0;
	for (const [array, total] of TOTALS) {
		if (array === 'awaitingUpload' && dateType === 'processedDate') continue;
		const all = pages.flatMap((each): Array<Conversation | Page['errored'][number]> => each[array] as never);
		const selected = all.filter((row) => {
			const time = (dateType === 'processedDate' ? row.processedDate : row.date) ?? '';
			return time >= from && time <= to && wanted.includes(row.user.email);
		});
		response[total] = selected.length;
		response[array] = selected.slice((page - 1) * limit, page * limit);
		longest = Math.max(longest, selected.length);
	}
	return { ...response, totalPages: Math.ceil(longest / limit) };
}

// D1-EXP-02..05, D1-RESP-01..08, D1-EXPBODY-01..06, D1-LIM-01..02, D1-CONV-03, D1-CONV-20, D1-VIEWER-03..04, D1-DOES-01
// D1-DOES-05..06, D1-AUTH-02, D1-USERS-01, D1-USERBODY-03..04
test('a list has the rows of its range, with both ends, and of its users, case-sensitive, page by page', async () => {
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
		page: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
		limit: fc.constantFrom(undefined, 1, 7, 49, 50),
		key: fc.constantFrom(team, organization),
	});
	await fc.assert(
		fc.asyncProperty(request, async ({ times, users, page, limit, key: by }) => {
			const [fromDate, toDate] = times.sort();
			const named = scopes[by].filter((email) => users.includes(email));
			const isAll = users.length === 0 || (named.length === 0 && by === team);
			const wanted = isAll ? scopes[by] : named;
			expect(emailsOf(await service.users({ users }, by))).toEqual(wanted);
			for (const dateType of ['processedDate', 'timeOfRecording', undefined]) {
				const body = { fromDate, toDate, dateType, users, page, limit };
				const { json } = await post('conversations', body, by);
				expect(bare(json)).toEqual(bare(expected(fromDate, toDate, dateType, wanted, page, limit)));
			}
		}),
	);
});

type Request = () => ReturnType<typeof call>;
type Headers = () => Record<string, string>;
const key = () => service.keys.organization;
const right: Headers = () => ({ authorization: key() });
const at =
	(path: string, headers: Headers): Request =>
	() =>
		call('GET', service.exportUrl + path, headers());
const LISTS = ['conversations', 'teams', 'users'];
/** A request to every endpoint with these headers. */
const everywhere = (headers: Headers): Request[] => [
	...LISTS.map((path) => () => call('POST', `${service.exportUrl}/export/${path}`, headers(), service.range)),
	at(`/export/conversations/${absentId}`, headers),
];
const NO_DATES = [undefined, '2024-01-01T00:00:00', '2024-01-01T00:00:00+00:00', '2024-13-41T00:00:00Z'];
const [EARLIER, LATER] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];
const RANGES = [
	...NO_DATES.flatMap((wrong) => [{ fromDate: wrong }, { toDate: wrong?.replace('2024', '2090') }]),
	...[EARLIER, LATER].map((fromDate) => ({ fromDate, toDate: EARLIER })),
];
const PAGES = [{ limit: 0 }, { limit: 51 }, { limit: -1 }, { page: 0 }, { dateType: 'x' }];
const NO_PATHS = ['/export/conversations/%E0%A4%A', '/%E0%A4%A?x=%E0', '/nowhere'];
const wrong = [
	() => '',
	() => 'none',
	() => `Bearer ${key()}`,
	() => `${key()} x`,
	() => key().toUpperCase(),
];
const noKeys: Headers[] = [
	...[() => ({}), () => ({ 'x-api-key': key() })],
	...wrong.map((value) => () => ({ authorization: value() })),
];

// D1-EXPBODY-01..05, D1-TEAMBODY-01..02, D1-USERBODY-01..02, D1-LIM-01..02, D1-HTTP-01..02, D1-AUTH-01, D1-AUTH-04
// D1-GET-03, D1-ERR-01..02, D1-SUB-01
test.each<[request: string, status: RegExp, requests: Request[]]>([
	['an invalid range', /^4/, LISTS.flatMap((path) => RANGES.map((body) => () => post(path, body)))],
	['an invalid page, limit or kind of date', /^4/, PAGES.map((body) => () => post('conversations', body))],
	['a body of another type', /^4/, everywhere(() => ({ ...right(), 'content-type': 'text/html' }))],
	['a key', /^200/, everywhere(right).slice(0, -1)],
	['no key, or none that is exactly one', /^401/, noKeys.flatMap(everywhere)],
	['no key, whatever else is wrong', /^401/, NO_PATHS.map((path) => at(path, () => ({})))],
	['an ID that does not exist', /^404/, [() => get(absentId)]],
	['a path that does not exist', /^40[04]/, NO_PATHS.map((path) => at(path, right))],
	['a list of subscriptions', /^404/, [() => post('webhooks'), () => post('webhooks/subscriptions')]],
])('%s gets the status %s', async (_request, expected, requests) => {
	for (const request of requests) expect(String((await request()).status)).toMatch(expected);
});

// D1-AUTH-02, D1-DOES-05, D1-GET-03..04
test('a key gets the same 404 for a conversation of another organization, or outside its teams, as for none', async () => {
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

// D1-GET-01..02, D1-DOES-02
test('one conversation is a bare object, equal to its row in the list, also by its URL-encoded ID', async () => {
	const [row] = conversations;
	const { status, json } = await get(row.conversationId.replace('-', '%2D'));
	expect([status, bare(json)]).toEqual([200, bare(row)]);
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
			expect(user.conversationsRecorded).toBe(dates.length);
			expect(timeOfFirstRecording).toBe(dates.sort()[0] ?? null);
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
