import { exportPost, list, listAll, nobody, type Page, rowsOf, shifted, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 260, awaitingUpload: 70, errored: 33 });
const ids = (rows: ReadonlyArray<{ recordingId: string }>) => rows.map((row) => row.recordingId);
const arrays = ['conversations', 'awaitingUpload', 'errored'] as const;
const totals = {
	conversations: 'totalConversations',
	awaitingUpload: 'totalAwaitingUpload',
	errored: 'totalErrored',
} as const;
const totalOf = (page: Page, array: (typeof arrays)[number]) => page[totals[array]] ?? 0;
const largest = (page: Page) => Math.max(...arrays.map((array) => totalOf(page, array)));

describe('pages', () => {
	// D1-EXP-02, D1-RESP-01
	test('are of each array alone: each row once, then empty pages', async () => {
		const pages = await listAll(service);
		expect(pages.map((page) => page.currentPage)).toEqual(pages.map((_, index) => index + 1));
		for (const array of arrays) {
			const total = totalOf(pages[0], array);
			expect(new Set(pages.flatMap((page) => ids(page[array]))).size).toBe(total);
			expect(pages.map((page) => page[array].length)).toEqual(
				pages.map((_, index) => Math.max(0, Math.min(50, total - index * 50))),
			);
		}
	});

	// D1-RESP-02, D1-EXP-03, D1-EXPBODY-05, D1-LIM-01
	test.each([1, 7, 49, 50])('are counted by the largest of the three arrays at limit %i', async (limit) => {
		const page = await list(service, { limit });
		expect(page.conversations).toHaveLength(limit);
		expect(page.totalPages).toBe(Math.ceil(largest(page) / limit));
	});

	// D1-EXPBODY-03..05, D1-LIM-01..02
	test('default to page 1, limit 50 and the time of recording', async () => {
		const defaults = { page: 1, limit: 50, dateType: 'timeOfRecording' };
		const [omitted, given] = [await list(service), await list(service, defaults)];
		expect(omitted).toMatchObject({ currentPage: 1, totalPages: given.totalPages });
		for (const array of arrays) expect(ids(omitted[array])).toEqual(ids(given[array]));
	});
});

describe('a range', () => {
	// D1-EXPBODY-02, D1-CONV-03, D1-DOES-01
	test('includes both bounds', async () => {
		const { date, recordingId } = (await list(service, { page: 2 })).conversations[20];
		const finds = async (from: number, to: number) => {
			const range = { fromDate: shifted(date, from), toDate: shifted(date, to) };
			return ids((await list(service, range)).conversations).includes(recordingId);
		};
		const found = [await finds(0, 1), await finds(-1, 0), await finds(1, 2), await finds(-2, -1)];
		expect(found).toEqual([true, true, false, false]);
	});

	// D1-RESP-03..05
	test('limits the totals and rows of all three arrays', async () => {
		const bounds = (await list(service, { page: 2 })).conversations.map((row) => row.date).sort();
		const [fromDate, toDate] = [bounds[0], bounds[bounds.length - 1]];
		const [inside, everything] = [await listAll(service, { fromDate, toDate }), await listAll(service)];
		for (const array of arrays) {
			const expected = everything
				.flatMap((page): Array<{ recordingId: string; date: string }> => page[array])
				.filter(({ date }) => date >= fromDate && date <= toDate);
			expect(inside.flatMap((page) => ids(page[array])).sort()).toEqual(ids(expected).sort());
			expect(totalOf(inside[0], array)).toBe(expected.length);
		}
	});

	// D1-EXPBODY-03
	test('of processing selects by the time processing finished', async () => {
		const { conversations, errored } = await list(service);
		for (const row of [conversations[11], ...errored.filter((each) => each.processedDate).slice(0, 1)]) {
			const fromDate = row.processedDate ?? '';
			const range = { fromDate, toDate: shifted(fromDate, 1) };
			const byProcessing = await list(service, { ...range, dateType: 'processedDate' });
			expect(ids(rowsOf([byProcessing]))).toContain(row.recordingId);
			expect(ids(rowsOf([await list(service, range)]))).not.toContain(row.recordingId);
		}
	});

	// D1-EXP-04, D1-RESP-04, D1-RESP-07
	test('of processing omits awaitingUpload and its total', async () => {
		const { json } = await exportPost(service, 'conversations', { dateType: 'processedDate' });
		expect(Object.keys(json as object)).not.toContain('awaitingUpload');
		expect(Object.keys(json as object)).not.toContain('totalAwaitingUpload');
		const page = await list(service, { dateType: 'processedDate' });
		expect(page.totalPages).toBe(Math.ceil(largest(page) / 50));
	});

	// D1-CONV-20
	test('does not limit comments and views', async () => {
		const row = (await list(service)).conversations.find((each) => each.totalComments > 0);
		const date = row?.date ?? '';
		const { conversations } = await list(service, { fromDate: date, toDate: shifted(date, 1) });
		expect(conversations[0]).toMatchObject({ totalComments: row?.totalComments, viewers: row?.viewers });
	});
});

describe('a users filter', () => {
	// D1-EXPBODY-06, D1-DOES-06
	test('leaves only rows of the listed users in all three arrays', async () => {
		const everything = await list(service);
		const [one, two] = [...new Set(everything.conversations.map((row) => row.user.email))];
		const [alone, other] = [await list(service, { users: [one] }), await list(service, { users: [two] })];
		const both = await list(service, { users: [one, two] });
		expect(new Set(rowsOf([alone]).map((row) => row.user.email))).toEqual(new Set([one]));
		expect(new Set(rowsOf([both]).map((row) => row.user.email))).toEqual(new Set([one, two]));
		for (const array of arrays)
			expect(totalOf(both, array)).toBe(totalOf(alone, array) + totalOf(other, array));
		expect(both.totalConversations).toBeLessThan(everything.totalConversations);
	});

	// D1-EXPBODY-06
	test('is exact and case-sensitive, and leaves nothing for an organization if nobody matches', async () => {
		const { email } = (await list(service)).conversations[0].user;
		for (const other of [email.toUpperCase(), ` ${email}`, email.slice(0, -1), nobody])
			expect(largest(await list(service, { users: [other] }))).toBe(0);
	});

	// D1-EXPBODY-06
	test('means all users when it is empty', async () => {
		const [omitted, empty] = [await list(service), await list(service, { users: [] })];
		expect(ids(rowsOf([empty]))).toEqual(ids(rowsOf([omitted])));
	});

	// D1-EXP-05, D1-AUTH-02, D1-DOES-05, D1-DOES-06
	test('falls back to all allowed users of a team-scoped key only if it matches none of them', async () => {
		const { team } = service.keys;
		const allowed = await list(service, {}, team);
		const inScope = new Set((await users(service, {}, team)).map((user) => user.email));
		const outside = (await users(service)).find((user) => !inScope.has(user.email))!.email;
		for (const row of rowsOf([allowed])) expect(inScope).toContain(row.user.email);
		for (const email of [nobody, outside])
			expect(ids(rowsOf([await list(service, { users: [email] }, team)]))).toEqual(ids(rowsOf([allowed])));
		const { email } = allowed.conversations[0].user;
		const { conversations } = await list(service, { users: [email, nobody, outside] }, team);
		expect(new Set(conversations.map((row) => row.user.email))).toEqual(new Set([email]));
	});
});

describe('a body', () => {
	describe.each(['conversations', 'teams', 'users'])('for %s', (path) => {
		// D1-EXPBODY-01..02, D1-TEAMBODY-01..02, D1-USERBODY-01..02
		test.each([
			{ fromDate: undefined },
			{ fromDate: '2024-01-01T00:00:00' },
			{ fromDate: '2024-01-01T00:00:00+00:00' },
			{ fromDate: 'yesterday' },
			{ fromDate: '2024-13-41T00:00:00Z' },
			{ toDate: undefined },
			{ toDate: '2090-01-01T00:00:00+01:00' },
			{ fromDate: '2024-01-01T00:00:00Z', toDate: '2024-01-01T00:00:00Z' },
			{ fromDate: '2024-01-02T00:00:00Z', toDate: '2024-01-01T00:00:00Z' },
		])('is refused with 4xx: %p', async (body) => {
			expect(Math.floor((await exportPost(service, path, body)).status / 100)).toBe(4);
		});
	});

	// D1-EXPBODY-03..05, D1-LIM-01..02
	test.each([{ limit: 0 }, { limit: 51 }, { limit: -1 }, { page: 0 }, { dateType: 'created' }])(
		'for conversations is refused with 4xx: %j',
		async (body) => {
			expect(Math.floor((await exportPost(service, 'conversations', body)).status / 100)).toBe(4);
		},
	);
});
