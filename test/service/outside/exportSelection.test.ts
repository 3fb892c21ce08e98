import { exportPost, list, listAll, shifted, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 260, awaitingUpload: 70, errored: 33 });
const nobody = 'nobody.at.all@example.invalid';
const ids = (rows: ReadonlyArray<{ recordingId: string }>) => rows.map((row) => row.recordingId);

describe('selection', () => {
	// D1-EXPBODY-02, D1-CONV-03, D1-DOES-01
	test('both bounds are inclusive', async () => {
		const { conversations } = await list(service, { page: 2 });
		const { date, conversationId } = conversations[20];
		const found = async (fromDate: string, toDate: string) =>
			(await list(service, { fromDate, toDate })).conversations.map((row) => row.conversationId);
		expect(await found(date, shifted(date, 1))).toContain(conversationId);
		expect(await found(shifted(date, -1), date)).toContain(conversationId);
		expect(await found(shifted(date, 1), shifted(date, 2))).not.toContain(conversationId);
		expect(await found(shifted(date, -2), shifted(date, -1))).not.toContain(conversationId);
	});

	// D1-RESP-03..05
	test('totals and rows of all three arrays are limited to the range', async () => {
		const { conversations } = await list(service, { page: 2 });
		const bounds = conversations.map((row) => row.date).sort();
		const range = { fromDate: bounds[0], toDate: bounds[bounds.length - 1] };
		const pages = await listAll(service, range);
		const everywhere = await listAll(service);
		for (const array of ['conversations', 'awaitingUpload', 'errored'] as const) {
			const inside = everywhere
				.flatMap((page) => [...(page[array] ?? [])])
				.filter(({ date }) => date >= range.fromDate && date <= range.toDate);
			const found = pages.flatMap((page) => [...(page[array] ?? [])]);
			expect(ids(found).sort()).toEqual(ids(inside).sort());
			const total = { conversations: 'totalConversations', awaitingUpload: 'totalAwaitingUpload' } as const;
			expect(pages[0][array === 'errored' ? 'totalErrored' : total[array]]).toBe(inside.length);
		}
	});

	// D1-EXPBODY-03
	test('timeOfRecording is the default', async () => {
		const { conversations } = await list(service);
		const { date } = conversations[7];
		const range = { fromDate: date, toDate: shifted(date, 1) };
		const [omitted, given] = [
			await list(service, range),
			await list(service, { ...range, dateType: 'timeOfRecording' }),
		];
		expect(ids(omitted.conversations)).toEqual(ids(given.conversations));
		expect(ids(omitted.conversations)).toContain(conversations[7].recordingId);
	});

	// D1-EXPBODY-03
	test('processedDate selects by the time processing finished', async () => {
		const row = (await list(service)).conversations[11];
		const range = { fromDate: row.processedDate, toDate: shifted(row.processedDate, 1) };
		const byProcessing = await list(service, { ...range, dateType: 'processedDate' });
		expect(ids(byProcessing.conversations)).toContain(row.recordingId);
		expect(ids((await list(service, range)).conversations)).not.toContain(row.recordingId);
		const errored = (await list(service)).errored.find((each) => each.processedDate !== null);
		const at = errored?.processedDate ?? '';
		const found = await list(service, { fromDate: at, toDate: shifted(at, 1), dateType: 'processedDate' });
		expect(ids(found.errored)).toContain(errored?.recordingId);
	});

	// D1-EXP-04, D1-RESP-04, D1-RESP-07
	test('processedDate omits awaitingUpload and its total', async () => {
		const { json } = await exportPost(service, 'conversations', { dateType: 'processedDate', limit: 1 });
		expect(Object.keys(json as object)).not.toContain('awaitingUpload');
		expect(Object.keys(json as object)).not.toContain('totalAwaitingUpload');
		const pages = await listAll(service, { dateType: 'processedDate', limit: 50 });
		const [{ totalConversations, totalErrored, totalPages }] = pages;
		expect(totalPages).toBe(Math.ceil(Math.max(totalConversations, totalErrored) / 50));
	});

	// D1-CONV-20
	test('totalComments is not limited to the request window', async () => {
		const row = (await list(service)).conversations.find((each) => each.totalComments > 0);
		const { date } = row ?? { date: '' };
		const narrow = await list(service, { fromDate: date, toDate: shifted(date, 1) });
		expect(narrow.conversations.find((each) => each.recordingId === row?.recordingId)).toMatchObject({
			totalComments: row?.totalComments,
			viewers: row?.viewers,
		});
	});
});

describe('users filter', () => {
	// D1-EXPBODY-06, D1-DOES-06
	test('all three arrays contain only rows of the listed users', async () => {
		const everything = await list(service);
		const [one, two] = [...new Set(everything.conversations.map((row) => row.user.email))];
		const alone = await list(service, { users: [one] });
		const both = await list(service, { users: [one, two] });
		const other = await list(service, { users: [two] });
		expect(new Set(alone.conversations.map((row) => row.user.email))).toEqual(new Set([one]));
		expect(both.totalConversations).toBe(alone.totalConversations + other.totalConversations);
		expect(both.totalErrored).toBe(alone.totalErrored + other.totalErrored);
		expect(both.totalConversations).toBeLessThan(everything.totalConversations);
		for (const row of [...(both.awaitingUpload ?? []), ...both.errored]) {
			expect([one, two]).toContain(row.user.email);
		}
	});

	// D1-EXPBODY-06
	test('emails are exact and case-sensitive', async () => {
		const { email } = (await list(service)).conversations[0].user;
		for (const other of [email.toUpperCase(), ` ${email}`, email.slice(0, -1)]) {
			expect(await list(service, { users: [other] })).toMatchObject({
				totalConversations: 0,
				totalErrored: 0,
			});
		}
	});

	// D1-EXPBODY-06
	test('an omitted or empty filter means all users', async () => {
		const [omitted, empty] = [await list(service), await list(service, { users: [] })];
		expect(empty.totalConversations).toBe(omitted.totalConversations);
		expect(ids(empty.conversations)).toEqual(ids(omitted.conversations));
	});

	// D1-EXP-05
	test('a team-scoped key gets all allowed users if its filter matches nobody', async () => {
		const { team } = service.keys;
		const allowed = await list(service, {}, team);
		const inScope = new Set((await users(service, {}, team)).map((user) => user.email));
		const outside = (await users(service)).find((user) => !inScope.has(user.email));
		for (const filter of [[nobody], [outside?.email ?? nobody]]) {
			const page = await list(service, { users: filter }, team);
			expect(page.totalConversations).toBe(allowed.totalConversations);
			expect(ids(page.conversations)).toEqual(ids(allowed.conversations));
		}
	});

	// D1-EXP-05
	test('a team-scoped key gets only the matched users if its filter matches anyone', async () => {
		const { team } = service.keys;
		const allowed = await list(service, {}, team);
		const { email } = allowed.conversations[0].user;
		const page = await list(service, { users: [email, nobody] }, team);
		expect(new Set(page.conversations.map((row) => row.user.email))).toEqual(new Set([email]));
	});

	// D1-EXPBODY-06
	test('an organization’s key gets nothing if its filter matches nobody', async () => {
		expect(await list(service, { users: [nobody] })).toMatchObject({
			totalConversations: 0,
			totalAwaitingUpload: 0,
			totalErrored: 0,
			conversations: [],
			awaitingUpload: [],
			errored: [],
		});
	});
});
