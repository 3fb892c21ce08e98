import { exportPost, list, listAll, shifted } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 260, awaitingUpload: 70, errored: 33 });
const ids = (rows: ReadonlyArray<{ recordingId: string }>) => rows.map((row) => row.recordingId);

describe('pages', () => {
	// D1-EXP-02, D1-RESP-01
	test('pages the three arrays independently: each row once, then empty pages', async () => {
		const pages = await listAll(service, { limit: 50 });
		const [first] = pages;
		const arrays = [
			[first.totalConversations, pages.map((page) => page.conversations)],
			[first.totalAwaitingUpload, pages.map((page) => page.awaitingUpload ?? [])],
			[first.totalErrored, pages.map((page) => page.errored)],
		] as const;
		pages.forEach((page, index) => expect(page.currentPage).toBe(index + 1));
		for (const [total, rows] of arrays) {
			const all = rows.flatMap((page) => ids(page));
			expect(all).toHaveLength(total ?? 0);
			expect(new Set(all).size).toBe(total);
			rows.forEach((page, index) => {
				expect(page).toHaveLength(Math.max(0, Math.min(50, (total ?? 0) - index * 50)));
			});
		}
	});

	// D1-RESP-02, D1-EXP-03
	test('totalPages is the largest page count of the three arrays', async () => {
		for (const limit of [1, 7, 49, 50]) {
			const page = await list(service, { limit });
			const totals = [page.totalConversations, page.totalAwaitingUpload ?? 0, page.totalErrored];
			expect(page.totalPages).toBe(Math.max(...totals.map((total) => Math.ceil(total / limit))));
		}
	});

	// D1-EXP-03
	test('totalPages counts other arrays even without conversations', async () => {
		const { awaitingUpload, errored } = await list(service);
		const { date } = awaitingUpload?.[0] ?? errored[0];
		const page = await list(service, { fromDate: date, toDate: shifted(date, 1), limit: 1 });
		expect(page.totalConversations).toBe(0);
		expect(page.totalPages).toBe(Math.max(page.totalAwaitingUpload ?? 0, page.totalErrored));
		expect(page.totalPages).toBeGreaterThan(0);
	});

	// D1-EXPBODY-04, D1-EXPBODY-05, D1-LIM-01, D1-LIM-02
	test('page defaults to 1 and limit to 50', async () => {
		const [omitted, given] = [await list(service), await list(service, { page: 1, limit: 50 })];
		expect(omitted.currentPage).toBe(1);
		expect(omitted.conversations).toHaveLength(50);
		expect(ids(omitted.conversations)).toEqual(ids(given.conversations));
		expect(ids(omitted.awaitingUpload ?? [])).toEqual(ids(given.awaitingUpload ?? []));
		expect(ids(omitted.errored)).toEqual(ids(given.errored));
	});

	// D1-EXP-02
	test('pages with a smaller limit have the same rows in the same order', async () => {
		const whole = await list(service, { limit: 50 });
		const parts = [];
		for (let page = 1; page <= 5; page++) parts.push(await list(service, { limit: 10, page }));
		expect(parts.flatMap((page) => ids(page.conversations))).toEqual(ids(whole.conversations));
		expect(parts.flatMap((page) => ids(page.errored))).toEqual(ids(whole.errored));
	});
});

describe('bodies', () => {
	// D1-EXPBODY-01
	test.each([
		['fromDate is missing', { fromDate: undefined }],
		['fromDate does not end in Z', { fromDate: '2024-01-01T00:00:00+00:00' }],
		['fromDate is not a date', { fromDate: 'yesterday' }],
		['fromDate is an impossible day', { fromDate: '2024-13-41T00:00:00Z' }],
	])('responds with 4xx when %s', async (_case, body) => {
		expect4xx(await exportPost(service, 'conversations', body));
	});

	// D1-EXPBODY-02
	test.each([
		['toDate is missing', { toDate: undefined }],
		['toDate does not end in Z', { toDate: '2090-01-01T00:00:00+01:00' }],
		['toDate equals fromDate', { fromDate: '2024-01-01T00:00:00Z', toDate: '2024-01-01T00:00:00Z' }],
		['toDate is before fromDate', { fromDate: '2024-01-02T00:00:00Z', toDate: '2024-01-01T00:00:00Z' }],
	])('responds with 4xx when %s', async (_case, body) => {
		expect4xx(await exportPost(service, 'conversations', body));
	});

	// D1-EXPBODY-05, D1-LIM-01
	test.each([0, 51, 1000, -1])('responds to limit %s with 4xx', async (limit) => {
		expect4xx(await exportPost(service, 'conversations', { limit }));
	});

	// D1-EXPBODY-05, D1-LIM-01
	test.each([1, 50])('accepts limit %s', async (limit) => {
		expect((await list(service, { limit })).conversations).toHaveLength(limit);
	});

	// D1-EXPBODY-04, D1-LIM-02
	test('responds to page 0 with 4xx', async () => {
		expect4xx(await exportPost(service, 'conversations', { page: 0 }));
	});

	// D1-EXPBODY-03
	test('responds to an unknown dateType with 4xx', async () => {
		expect4xx(await exportPost(service, 'conversations', { dateType: 'created' }));
	});

	function expect4xx({ status }: { status: number }) {
		expect(status).toBeGreaterThanOrEqual(400);
		expect(status).toBeLessThan(500);
	}
});
