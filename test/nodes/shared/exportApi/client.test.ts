import {
	ARRAYS,
	ExportClient,
	idReader,
	type ArrayName,
	type ListQuery,
} from '../../../../nodes/shared/exportApi/client';
import type { RequestError } from '../../../../nodes/shared/http/response';
import { bytes, failed, scriptedService, type Scripted } from '../http/scriptedService';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const EXPIRES = '2026-03-01T18:00:00.000Z';
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
const CONVERSATIONS: ListQuery = { arrays: ['conversations'] };

const ok = (body: unknown, headers?: Record<string, string>): Scripted => ({
	statusCode: 200,
	headers,
	body: bytes(body),
});

const lateBy = (ms: number) => async () => {
	await new Promise((resolve) => setTimeout(resolve, ms));
	return failed('ECONNABORTED');
};

type Scripts = Parameters<typeof scriptedService>[0]['responses'];

/** Calls the client while every pause passes at once. */
async function call<T>(responses: Scripts, method: (client: ExportClient) => Promise<T>, deadline?: number) {
	const { context, sent } = scriptedService({ responses });
	const outcome = method(new ExportClient(context, deadline)).then(
		(value) => ({ value, error: undefined }),
		(error: RequestError) => ({ value: undefined, error }),
	);
	await jest.runAllTimersAsync();
	return { sent, ...(await outcome) };
}

async function fetchPage(responses: Scripts, list = CONVERSATIONS) {
	const { value, ...rest } = await call(responses, async (client) => {
		const { at, read } = await client.page(list, PAGE);
		return { at, ...read() };
	});
	return { page: value, ...rest };
}

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

describe('One conversation', () => {
	// D1-GET-01
	test('is requested by its encoded ID, and gets the expiry of its links', async () => {
		const { sent, value } = await call([ok({ conversationId: 'a/b c' })], (client) =>
			client.conversation('a/b c'),
		);
		expect(sent[0].options).toMatchObject({
			method: 'GET',
			url: 'https://api.example.com/v1/export/conversations/a%2Fb%20c',
		});
		expect(value).toStrictEqual({ conversationId: 'a/b c', urlsExpireAt: EXPIRES });
	});

	test.each([{}, { conversationId: null, title: 'Visit' }, { data: { conversationId: 'a' } }])(
		'is not the response %j, whose fields would all be empty',
		async (response) => {
			const { error } = await call([ok(response)], (client) => client.conversation('a'));
			expect(error?.details.code).toBe('response_unreadable');
		},
	);

	// D1-GET-01
	test('is the one that was asked for, in capital letters or not', async () => {
		const get = async (conversationId: string) =>
			await call([ok({ conversationId })], (client) => client.conversation('aB-1'));
		expect((await get('Ab-1')).value).toMatchObject({ conversationId: 'Ab-1' });
		const { error } = await get('aB-2');
		expect(error?.details.code).toBe('response_unreadable');
		expect(error?.message).toContain('is about another conversation, "aB-2"');
	});

	test('that does not exist is an error with advice', async () => {
		const missing: Scripted = { statusCode: 404 };
		const { error } = await call([missing], (client) => client.conversation('a', 'Check the ID.'));
		expect(error?.details).toMatchObject({ code: 'conversation_not_found', status: 404 });
		expect(error?.description).toContain('Check the ID.');
		const other = await call([{ statusCode: 410 }], (client) => client.conversation('a'));
		expect(other.error?.details.code).toBe('request_refused');
	});
});

describe('The request for a page', () => {
	test.each<Omit<ListQuery, 'arrays'>>([
		{},
		{ dateType: 'processedDate' },
		{ dateType: 'processedDate', users: ['a@b.example'] },
	])('asks for the range, the page and the filters %j', async (filters) => {
		const { sent } = await fetchPage([ok(EMPTY)], { ...CONVERSATIONS, ...filters });
		expect(sent).toHaveLength(1);
		expect(sent[0].type).toBe('conversationExportApi');
		expect(sent[0].options).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/v1/export/conversations',
			timeout: 60_000,
		});
		expect(JSON.parse(String(sent[0].options.body))).toStrictEqual({
			...RANGE,
			...filters,
			page: 3,
			limit: 20,
		});
	});

	test('keeps to the deadline', async () => {
		const page = (client: ExportClient) => client.page(CONVERSATIONS, PAGE);
		const { sent } = await call([ok(EMPTY)], page, performance.now() + 5000);
		expect(sent[0].options.timeout).toBe(5000);
	});
});

describe('A page', () => {
	// D1-RESP-06..08, D1-EXP-01
	test('holds the requested arrays in their order, each with its own total', async () => {
		const body = {
			totalErrored: 47,
			errored: [{ recordingId: 'e' }],
			conversations: [{ conversationId: 'c' }, { conversationId: 'd' }],
			totalConversations: 2,
		};
		const { page } = await fetchPage([ok(body)], { arrays: ['errored', 'conversations'] });
		expect(page!.lists).toMatchObject([
			{ total: 47, rows: [{ recordingId: 'e' }] },
			{ total: 2, rows: [{ conversationId: 'c' }, { conversationId: 'd' }] },
		]);
		expect(page!.pages).toBe(3);
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
		const body = { conversations: [{}], totalConversations: 1 };
		const { page } = await fetchPage([{ statusCode: 503 }, ok(body)]);
		expect(Date.now()).toBeGreaterThan(NOW);
		expect(page!.at).toBe(NOW);
		expect(page!.lists[0].rows).toEqual([{ urlsExpireAt: EXPIRES }]);
	});

	// D1-RESP-03..08, D1-EXP-00
	test.each(
		Object.entries(ARRAYS).flatMap(([array, { total }]) => [
			[array, array, { 0: {} }],
			[array, total, '0'],
		]) as Array<[ArrayName, string, unknown]>,
	)('of %s is refused without its field %s, and with another value in it', async (array, field, value) => {
		for (const [wrong, given] of [
			['no field', undefined],
			['an unexpected value in the field', value],
		]) {
			const { error } = await fetchPage([ok({ ...EMPTY, [field]: given })], { arrays: [array] });
			expect(error?.details.code).toBe('response_unreadable');
			expect(error?.message).toContain(`${String(wrong)} "${field}"`);
		}
	});

	test('that takes too long leads to the advice to shorten the range', async () => {
		expect((await fetchPage([lateBy(60_000)])).error?.details.code).toBe('range_too_slow');
	});

	// D1-RESP-02..05, D1-EXP-02..03, D1-EXP-04
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
		expect((await fetchPage([ok({ ...EMPTY, ...body })])).page!.pages).toBe(pages);
	});

	test('is not parsed before it is read', async () => {
		const { value } = await call([ok('<html>')], (client) => client.page(CONVERSATIONS, PAGE));
		expect(() => value!.read()).toThrow('is a web page, not JSON');
	});
});

describe('The rows of a page', () => {
	test('stay as the service sent them, whatever they are', async () => {
		const rows = [{ user: { id: '1' }, viewers: [{ '': 0 }], urlsExpireAt: 'own' }, null, 7, 'text', true];
		const { page } = await fetchPage([ok({ ...EMPTY, conversations: rows })]);
		expect(page!.lists[0].rows).toEqual(rows);
	});

	test("of several arrays have the same keys and their kind, over which the service's own win", async () => {
		const body = {
			...EMPTY,
			conversations: [{ conversationId: 'c' }, { kind: 'own', error: 'own' }],
			errored: [{ recordingId: 'r', error: 'no sound' }],
		};
		const { page } = await fetchPage([ok(body)], { arrays: ['conversations', 'errored'] });
		const [[conversation, own], [errored]] = page!.lists.map(({ rows }) => rows as object[]);
		expect(conversation).toMatchObject({ error: null, kind: 'conversation', urlsExpireAt: EXPIRES });
		expect(own).toMatchObject({ kind: 'own', error: 'own' });
		expect(errored).toMatchObject({ kind: 'errored', transcriptUrl: null, urlsExpireAt: null });
		const documented = (name: 'conversations' | 'errored') => Object.keys(ARRAYS[name].schema.shape);
		const keys = (row: object, name: 'conversations' | 'errored') =>
			new Set([...documented(name), ...Object.keys(row)]);
		expect(keys(conversation, 'conversations')).toEqual(keys(errored, 'errored'));
		const recordings = await fetchPage([ok(body)], { arrays: ['awaitingUpload', 'errored'] });
		expect(recordings.page!.lists[1].rows[0]).not.toHaveProperty('urlsExpireAt');
	});
});

describe('The ID of a row', () => {
	const idOf = idReader(['conversations', 'awaitingUpload', 'errored']);

	// D1-CONV-01, D1-REC-01, D1-ERRORED-01
	test.each([
		[{ conversationId: 'c1' }, 'c1'],
		[{ recordingId: 'r1' }, 'r1'],
		[{ conversationId: '', recordingId: 'r1' }, 'r1'],
		[{ conversationId: 7, recordingId: 'r1' }, 'r1'],
		[{}, undefined],
		[{ recordingId: 7 }, undefined],
		[null, undefined],
		['c1', undefined],
	])('of %j is %j', (row, id) => {
		expect(idOf(row)).toBe(id);
	});

	test('is read only from the field of the arrays asked for', () => {
		expect(idReader(['conversations'])({ recordingId: 'r1' })).toBeUndefined();
	});
});

describe('The metrics of teams and users', () => {
	const rows = [{ email: 'a@x' }, null];

	test.each(['teams', 'users'] as const)('of %s are the rows of their list, as sent', async (kind) => {
		const body = { ...RANGE, includeSubteams: true };
		const { sent, value } = await call([ok({ [kind]: rows })], (client) => client[kind](body));
		expect(value).toEqual(rows);
		expect(sent[0].options).toMatchObject({
			method: 'POST',
			url: `https://api.example.com/v1/export/${kind}`,
			body: JSON.stringify(body),
			timeout: 300_000,
		});
		const { error } = await call([ok({ [kind]: 'none' })], (client) => client[kind](body));
		expect(error?.details.code).toBe('response_unreadable');
	});

	test('are of the last second without a range, because it does not matter', async () => {
		const { sent } = await call([ok({ users: [] })], (client) => client.users());
		expect(JSON.parse(String(sent[0].options.body))).toEqual({
			fromDate: '2026-03-01T11:59:59.000Z',
			toDate: RANGE.toDate,
		});
	});

	test('that take too long lead to the advice to shorten the range, if there is one', async () => {
		const late = [lateBy(300_000)];
		expect((await call(late, (client) => client.teams(RANGE))).error?.details.code).toBe('range_too_slow');
		expect((await call(late, (client) => client.teams())).error?.details.code).toBe('service_silent');
	});
});
