import { RequestError } from '../../../../nodes/shared/http';
import { exportPages, type ExportPages } from '../../../../nodes/shared/exportApi/conversationPages';
import { rowsOf } from '../../../../nodes/shared/exportApi/page';
import { bytes, failed, scriptedService, type Scripted } from '../http/scriptedService';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const PAGE = { from: Date.parse('2026-02-01T00:00:00Z'), to: NOW, page: 3, limit: 20 };
const RANGE = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-03-01T12:00:00.000Z' };
const EMPTY = {
	conversations: [],
	totalConversations: 0,
	awaitingUpload: [],
	totalAwaitingUpload: 0,
	errored: [],
	totalErrored: 0,
};

const ok = (body: unknown, headers?: Record<string, string>): Scripted => ({
	statusCode: 200,
	headers,
	body: bytes(body),
});

/** Fetches one page while every pause passes at once. */
async function fetchPage(
	responses: Parameters<typeof scriptedService>[0]['responses'],
	options: Partial<ExportPages> = {},
) {
	const { context, sent } = scriptedService({ responses });
	const fetch = exportPages(context, { arrays: ['conversations'], ...options });
	const settled = fetch(PAGE)
		.then(({ at, read }) => ({ page: { at, ...read() }, error: undefined }))
		.catch((error: RequestError) => ({ page: undefined, error }));
	await jest.runAllTimersAsync();
	return { sent, ...(await settled) };
}

/** The rows of a page of conversations that holds these. */
async function rowsFor(conversations: unknown, added?: ExportPages['added']) {
	const { page } = await fetchPage([ok({ ...EMPTY, conversations })], added && { added });
	return rowsOf(page!);
}

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

describe('The request for a page', () => {
	test('asks for the range and the page only, where there are no filters', async () => {
		const { sent } = await fetchPage([ok(EMPTY)]);
		expect(sent).toHaveLength(1);
		expect(sent[0].type).toBe('conversationExportApi');
		expect(sent[0].options).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/v1/export/conversations',
			timeout: 60_000,
		});
		expect(sent[0].options.body).toStrictEqual({ ...RANGE, page: 3, limit: 20 });
	});

	test.each<[Partial<ExportPages>, object]>([
		[{ dateType: 'processedDate' }, { dateType: 'processedDate' }],
		[{ users: ['a@b.example'] }, { users: ['a@b.example'] }],
		[
			{ dateType: 'timeOfRecording', users: ['a@b.example'] },
			{ dateType: 'timeOfRecording', users: ['a@b.example'] },
		],
	])('sends the filters %j', async (options, filters) => {
		const { sent } = await fetchPage([ok(EMPTY)], options);
		expect(sent[0].options.body).toStrictEqual({ ...RANGE, ...filters, page: 3, limit: 20 });
	});

	test('keeps to the deadline', async () => {
		const { sent } = await fetchPage([ok(EMPTY)], { deadline: performance.now() + 5000 });
		expect(sent[0].options.timeout).toBe(5000);
	});
});

describe('A page', () => {
	test('holds the requested arrays in their order, each with its own total', async () => {
		const body = {
			totalErrored: 7,
			errored: [{ recordingId: 'e' }],
			conversations: [{ conversationId: 'c' }, { conversationId: 'd' }],
			totalConversations: 2,
			awaitingUpload: [{ recordingId: 'w' }],
			totalAwaitingUpload: 1,
		};
		const { page } = await fetchPage([ok(body)], { arrays: ['errored', 'conversations'] });
		expect(page!.lists.map(({ total }) => total)).toEqual([7, 2]);
		expect(page!.lists.map(({ rows }) => rows)).toEqual([
			[{ recordingId: 'e' }],
			[{ conversationId: 'c' }, { conversationId: 'd' }],
		]);
		const waiting = await fetchPage([ok(body)], { arrays: ['awaitingUpload'] });
		expect(waiting.page!.lists.map(({ total, rows }) => [total, ...rows])).toEqual([
			[1, { recordingId: 'w' }],
		]);
	});

	test.each([
		['Sun, 01 Mar 2026 11:59:30 GMT', NOW - 30_000],
		['Sun, 01 Mar 2026 12:05:00 GMT', NOW],
		['Thu, 01 Jan 1970 00:00:00 GMT', 0],
		['soon', NOW],
	])('with the Date header %p shows %i at the latest, by the earlier clock', async (date, at) => {
		expect((await fetchPage([ok(EMPTY, { date })])).page!.at).toBe(at);
	});

	test('without a Date header counts as sent when its request left, however often that was repeated', async () => {
		const sentAt: number[] = [];
		const added = (_: unknown, at: number) => ({ at: sentAt.push(at) });
		const { page } = await fetchPage([{ statusCode: 503 }, ok(EMPTY)], { added });
		expect(Date.now()).toBeGreaterThan(NOW);
		expect(page!.at).toBe(NOW);
		expect(sentAt).toEqual([NOW]);
	});

	test.each([
		['no field "conversations"', { conversations: undefined }],
		['no list in the field "conversations"', { conversations: { 0: {} } }],
		['no list in the field "conversations"', { conversations: null }],
		['no field "totalConversations"', { totalConversations: undefined }],
		['no number in the field "totalConversations"', { totalConversations: '0' }],
	])('with %s is refused', async (wrong, body) => {
		const { error } = await fetchPage([ok({ ...EMPTY, ...body })]);
		expect(error?.message).toBe(`The service's response has ${wrong}`);
	});

	test('that takes too long leads to the advice to shorten the range', async () => {
		const late = async () => {
			await new Promise((resolve) => setTimeout(resolve, 60_000));
			return failed('ECONNABORTED');
		};
		const { error } = await fetchPage([late]);
		expect(error?.description).toBe('Tried 2 times. Use a shorter date range.');
	});

	test('does not miss an array that nobody asked for', async () => {
		const { page } = await fetchPage([ok({ conversations: [], totalConversations: 5 })]);
		expect(page!.lists.map(({ total }) => total)).toEqual([5]);
	});

	test.each([
		['the totals of its arrays', { totalConversations: 41 }, 3],
		[
			'the totals, when those of another array explain totalPages',
			{ totalConversations: 41, totalErrored: 90, totalPages: 5 },
			3,
		],
		['totalPages, when no total explains it', { totalConversations: 41, totalErrored: 90, totalPages: 6 }, 6],
		[
			'totalPages, when there are no other totals',
			{ totalPages: 1, totalAwaitingUpload: undefined, totalErrored: undefined },
			1,
		],
		['the totals, when totalPages is no number', { totalConversations: 41, totalPages: '9' }, 3],
	])('has as many pages as %s', async (_what, body, pages) => {
		const { page } = await fetchPage([ok({ ...EMPTY, ...body })]);
		expect(page!.pages).toBe(pages);
	});

	test('is not parsed before it is read', async () => {
		const { context } = scriptedService({ responses: [ok('<html>')] });
		const response = await exportPages(context, { arrays: ['conversations'] })(PAGE);
		expect(() => response.read()).toThrow('is a web page, not JSON');
	});
});

describe('The rows of a page', () => {
	test('stay as the service sent them, nested values and empty names included', async () => {
		const rows = [{ user: { id: '1' }, viewers: [{ '': 0 }] }, { '': 5 }, {}];
		expect(await rowsFor(rows)).toEqual(rows);
	});

	test('that are no objects stay as they are, without added fields', async () => {
		const rows = [null, 7, 'text', true, { a: 1 }];
		expect(await rowsFor(rows)).toEqual(rows);
		expect(await rowsFor(rows, () => ({ kind: 'x' }))).toEqual([null, 7, 'text', true, { a: 1, kind: 'x' }]);
	});

	test("get the added fields of their array, over which the service's own win", async () => {
		const body = {
			...EMPTY,
			conversations: [{ id: 1 }, { kind: null }, { kind: 'own', urlsExpireAt: '' }],
			errored: [{ id: 2 }],
		};
		const { page } = await fetchPage([ok(body)], {
			arrays: ['conversations', 'errored'],
			added: (name, sentAt) => ({ kind: name, urlsExpireAt: new Date(sentAt).toISOString() }),
		});
		const urlsExpireAt = '2026-03-01T12:00:00.000Z';
		expect(rowsOf(page!)).toEqual([
			{ id: 1, kind: 'conversations', urlsExpireAt },
			{ kind: null, urlsExpireAt },
			{ kind: 'own', urlsExpireAt: '' },
			{ id: 2, kind: 'errored', urlsExpireAt },
		]);
	});
});
