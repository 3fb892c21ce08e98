import fc from 'fast-check';
import { absentId, call, expectDocumented, nobody, rowsOf, shifted, useService } from '../client';
import type { Conversation, Page } from '../client';

const service = useService({ conversations: 1000, awaitingUpload: 70, errored: 33 });
const TOTALS = {
	conversations: 'totalConversations',
	awaitingUpload: 'totalAwaitingUpload',
	errored: 'totalErrored',
} as const;
const arrays = Object.keys(TOTALS) as Array<keyof typeof TOTALS>;
const ids = (rows: ReadonlyArray<{ recordingId: string }>) => rows.map((row) => row.recordingId);
type Team = Awaited<ReturnType<typeof service.teams>>[number];
type User = Awaited<ReturnType<typeof service.users>>[number];

let pages: Page[];
let everybody: User[];
let teams: Team[];
beforeAll(async () => {
	[pages, everybody, teams] = [await service.all(), await service.users(), await service.teams()];
});
const conversations = () => pages.flatMap((page) => page.conversations);
// D1-RESP-01..08, D1-EXP-00..01, D1-CONVENTION-01, D1-CONV-01..28, D1-RUSER-01..03, D1-CONVENTION-03, D1-VIEWER-01..04
// D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
// D1-REC-01..11, D1-RECORDING-01, D1-ERRORED-01..13, D1-TEAM-01..30, D1-USER-01..41, D1-MEMBER-01..02, D1-COACH-01..08
test('responses have exactly the documented keys and types', async () => {
	const response = await service.post('conversations');
	expect(response.headers['content-type']).toMatch(/^application\/json/);
	expectDocumented('ConversationsExportResponse', [response.json]);
	const rows = conversations();
	const trackers = rows.flatMap((row) => row.checklists.flatMap((each) => each.trackerData));
	for (const [table, found] of Object.entries({
		ConversationsExport: rows,
		Viewer: rows.flatMap((row) => row.viewers),
		Checklist: rows.flatMap((row) => row.checklists),
		Tracker: trackers,
		AiTracker: rows.flatMap((row) => row.aiTrackers),
		ConversationCustomer: rows.flatMap((row) => row.customer ?? []),
		SurveyConversationResult: rows.flatMap((row) => row.surveyResults),
		RecordingsExport: pages.flatMap((page) => page.awaitingUpload),
		ErroredRecordingsExport: pages.flatMap((page) => page.errored),
		TeamsExport: teams,
		UsersExport: everybody,
	}))
		expectDocumented(table, found);
});

// D1-CONV-03..04, D1-CONV-24..25, D1-CONVENTION-02, D1-CONVENTION-04, D1-TRACK-01, D1-AITRACK-02, D1-RECORDING-02, D1-DOES-03
test('a conversation is recorded in UTC before it is processed, and once; a score counts hits; a tracker has one ID', () => {
	const recordings = ids(rowsOf(...pages));
	expect(new Set(recordings).size).toBe(recordings.length);
	const trackers = new Map<string, string>();
	for (const { date, processedDate, checklists, aiTrackers } of conversations()) {
		expect([date.endsWith('Z'), Date.parse(processedDate) >= Date.parse(date)]).toEqual([true, true]);
		for (const { name, checklistName, score, trackerData } of checklists)
			expect([checklistName, score]).toEqual([name, trackerData.filter(({ isHit }) => isHit).length]);
		for (const { trackerName, trackerId } of [
			...checklists.flatMap((each) => each.trackerData),
			...aiTrackers,
		])
			expect(trackers.set(trackerName, trackers.get(trackerName) ?? trackerId).get(trackerName)).toBe(
				trackerId,
			);
	}
});

interface Body {
	fromDate: string;
	toDate: string;
	dateType?: 'processedDate' | 'timeOfRecording';
	users?: string[];
	page?: number;
	limit?: number;
}

/** What a list must return, by the documents. */
function expected({ fromDate, toDate, dateType, users = [], page = 1, limit = 50 }: Body) {
	const shown = arrays.filter((array) => dateType !== 'processedDate' || array !== 'awaitingUpload');
	const rows = shown.map((array) =>
		pages
			.flatMap((each): Array<Conversation | Page['errored'][number]> => each[array] as never[])
			.filter((row) => {
				const time = (dateType === 'processedDate' ? row.processedDate : row.date) ?? '';
				return time >= fromDate && time <= toDate && (users.length === 0 || users.includes(row.user.email));
			}),
	);
	return {
		currentPage: page,
		totalPages: Math.ceil(Math.max(...rows.map(({ length }) => length)) / limit),
		...Object.fromEntries(shown.map((array, at) => [TOTALS[array], rows[at].length])),
		...Object.fromEntries(
			shown.map((array, at) => [array, ids(rows[at].slice((page - 1) * limit, page * limit))]),
		),
	};
}

// D1-EXP-02..04, D1-RESP-01..08, D1-EXPBODY-01..06, D1-LIM-01..02, D1-CONV-03, D1-CONV-20, D1-DOES-01, D1-DOES-06
test('a list has the rows of its range, both ends included, of its users, exact and case-sensitive, page by page', async () => {
	const known = pages.flatMap((page) => [...page.conversations, ...page.errored]);
	const emails = [...new Set(known.map((row) => row.user.email))].slice(0, 4);
	const time = fc
		.tuple(
			fc.constantFrom(...known.flatMap((row) => [row.date, row.processedDate ?? row.date])),
			fc.integer({ min: -1, max: 1 }),
		)
		.map(([date, by]) => shifted(date, by));
	const body = fc.record(
		{
			times: fc.uniqueArray(time, { minLength: 2, maxLength: 2 }),
			dateType: fc.constantFrom('processedDate', 'timeOfRecording'),
			users: fc.subarray([...emails, emails[0].toUpperCase(), ` ${emails[0]}`, nobody]),
			page: fc.integer({ min: 1, max: 4 }),
			limit: fc.constantFrom(1, 7, 49, 50),
		},
		{ requiredKeys: ['times'] },
	);
	await fc.assert(
		fc.asyncProperty(body, async ({ times, ...more }) => {
			const [fromDate, toDate] = times.sort();
			const given = { fromDate, toDate, ...more } as Body;
			const { json } = await service.post('conversations', given);
			const shown = Object.entries(json as Page).map(([name, value]) => [
				name,
				Array.isArray(value) ? ids(value) : value,
			]);
			expect(Object.fromEntries(shown)).toEqual(expected(given));
		}),
	);
});

// D1-CONV-20
test('a range does not limit comments and views', async () => {
	const row = conversations().find(({ totalComments, viewers }) => totalComments > 0 && viewers.length > 0)!;
	const range = { fromDate: row.date, toDate: shifted(row.date, 1) };
	const { totalComments, viewers } = row;
	expect((await service.list(range)).conversations).toMatchObject([{ totalComments, viewers }]);
});

describe('users in a filter', () => {
	const emailsIn = (page: Page) => [...new Set(rowsOf(page).map((row) => row.user.email))].sort();

	// D1-USERS-01, D1-USERBODY-03
	test('of users are exact and case-sensitive, too', async () => {
		const { email } = everybody[1];
		const found = async (users: string[]) => (await service.users({ users })).map((user) => user.email);
		expect(await found([email])).toEqual([email]);
		expect(await found([email.toUpperCase(), ` ${email}`, email.slice(0, -1), nobody])).toEqual([]);
		expect(await found([])).toEqual(everybody.map((user) => user.email));
	});

	// D1-EXP-05, D1-AUTH-02, D1-DOES-05..06, D1-USERBODY-04
	test('of a team-scoped key that match nobody it may see mean everybody it may see', async () => {
		const { team } = service.keys;
		const allowed = await service.list({}, team);
		const seen = async (users: string[]) => (await service.users({ users }, team)).map(({ email }) => email);
		const inScope = await seen([]);
		const outside = everybody.map(({ email }) => email).filter((email) => !inScope.includes(email));
		expect(outside).not.toEqual([]);
		expect(emailsIn(allowed).filter((email) => !inScope.includes(email))).toEqual([]);
		for (const users of [[nobody], outside.slice(0, 1)]) {
			expect(ids(rowsOf(await service.list({ users }, team)))).toEqual(ids(rowsOf(allowed)));
			expect(await seen(users)).toEqual(inScope);
		}
		const { email } = allowed.conversations[0].user;
		expect(emailsIn(await service.list({ users: [email, nobody, ...outside] }, team))).toEqual([email]);
		expect(await seen([email, nobody, ...outside])).toEqual([email]);
	});
});

// D1-EXPBODY-01..05, D1-TEAMBODY-01..02, D1-USERBODY-01..02, D1-LIM-01..02
test.each(['conversations', 'teams', 'users'])('an invalid body for %s is refused with 4xx', async (path) => {
	const [fromDate, toDate] = ['2024-01-02T00:00:00Z', '2024-01-01T00:00:00Z'];
	const from = [
		undefined,
		'2024-01-01T00:00:00',
		'2024-01-01T00:00:00+00:00',
		'yesterday',
		'2024-13-41T00:00:00Z',
	];
	const bodies = [
		...from.map((wrong) => ({ fromDate: wrong })),
		...[undefined, '2090-01-01T00:00:00+01:00'].map((wrong) => ({ toDate: wrong })),
		...[
			{ fromDate, toDate: fromDate },
			{ fromDate, toDate },
		],
		...(path === 'conversations'
			? [{ limit: 0 }, { limit: 51 }, { limit: -1 }, { page: 0 }, { dateType: 'x' }]
			: []),
	];
	for (const body of bodies)
		expect([body, Math.floor((await service.post(path, body)).status / 100)]).toEqual([body, 4]);
});

describe('a key', () => {
	/** The statuses of every endpoint for these headers. */
	async function everywhere(headers: Record<string, string>) {
		const at = `${service.exportUrl}/export`;
		const lists = ['conversations', 'teams', 'users'].map((path) =>
			call(`${at}/${path}`, { method: 'POST', headers, body: service.range }),
		);
		const responses = await Promise.all([...lists, call(`${at}/conversations/${absentId}`, { headers })]);
		return responses.map(({ status }) => status);
	}

	// D1-AUTH-01, D1-AUTH-04, D1-ERR-01, D1-HTTP-01
	test('that is not exactly one, and in Authorization, gets 401 everywhere', async () => {
		const { organization: key } = service.keys;
		const wrong = ['', 'no-such-key', `Bearer ${key}`, key.replace('-', ' -'), key.toUpperCase()];
		const headers = wrong.map((authorization): Record<string, string> => ({ authorization }));
		for (const given of [{}, { 'x-api-key': key }, ...headers])
			expect([given, ...(await everywhere(given))]).toEqual([given, 401, 401, 401, 401]);
	});

	// D1-HTTP-01, D1-AUTH-01, D1-AUTH-04, D1-GET-03, D1-ERR-01..02
	test('that is raw is accepted; a key is checked before the path', async () => {
		const headers = { authorization: service.keys.organization };
		expect(await everywhere(headers)).toEqual([200, 200, 200, 404]);
		for (const path of ['/export/conversations/%E0%A4%A', '/%E0%A4%A?x=%E0', '/nowhere']) {
			expect((await call(`${service.exportUrl}${path}`)).status).toBe(401);
			expect([400, 404]).toContain((await call(`${service.exportUrl}${path}`, { headers })).status);
		}
	});

	// D1-AUTH-02, D1-DOES-05, D1-GET-03
	test('shows only its own organization', async () => {
		const { otherOrganization } = service.keys;
		const theirs = (await service.users({}, otherOrganization)).map(({ userId }) => userId);
		expect(theirs).not.toEqual([]);
		expect(everybody.filter(({ userId }) => theirs.includes(userId))).toEqual([]);
		const [{ conversationId }] = (await service.list({}, otherOrganization)).conversations;
		expect((await service.get(conversationId, otherOrganization)).status).toBe(200);
		expect((await service.get(conversationId)).status).toBe(404);
	});

	// D1-GET-04
	test('of a team gets the same 404 for a conversation outside as for a missing one', async () => {
		const { team } = service.keys;
		const inScope = (await service.users({}, team)).map((user) => user.userId);
		const [inside, outside] = [true, false].map(
			(is) => conversations().find((row) => inScope.includes(row.user.id) === is)!.conversationId,
		);
		const missing = await service.get(absentId, team);
		expect([(await service.get(inside, team)).status, missing.status]).toEqual([200, 404]);
		expect(await service.get(outside, team)).toMatchObject({ status: 404, text: missing.text });
	});
});

// D1-GET-01..02, D1-DOES-02
test('one conversation is a bare object, equal to its row in the list, also by its URL-encoded ID', async () => {
	const [row] = (await service.list({ limit: 3 })).conversations;
	const { status, json } = await service.get(row.conversationId.replace('-', '%2D'));
	expect(status).toBe(200);
	expectDocumented('ConversationsExport', [json]);
	const links = { transcriptUrl: '', audioUrl: '' };
	expect({ ...(await service.conversation(row.conversationId)), ...links }).toEqual({ ...row, ...links });
});

// D1-HTTP-02, D1-SUB-01
test('a body of another content type is refused, and there is no endpoint for subscriptions', async () => {
	const headers = { authorization: service.keys.organization, 'content-type': 'text/html' };
	const url = `${service.exportUrl}/export/teams`;
	const { status } = await call(url, { method: 'POST', headers, body: service.range });
	expect(Math.floor(status / 100)).toBe(4);
	for (const path of ['webhooks', 'webhooks/subscriptions', 'subscriptions'])
		expect((await service.post(path, { url: 'https://receiver.example/' })).status).toBe(404);
});
