import {
	ARRAYS,
	ExportClient,
	idReader,
	type ArrayName,
	type ListQuery,
} from '../../../../nodes/shared/exportApi/client';
import type { RequestError } from '../../../../nodes/shared/http/requestErrors';
import { bytes, scriptedService, type Scripted } from '../http/scriptedService';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const EXPIRES = '2026-03-01T18:00:00.000Z';
const PAGE = { from: Date.parse('2026-02-01T00:00:00Z'), to: NOW, page: 3, limit: 20 };
const RANGE = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-03-01T12:00:00.000Z' };
const EMPTY = {
	...{ conversations: [], totalConversations: 0, awaitingUpload: [], totalAwaitingUpload: 0 },
	...{ errored: [], totalErrored: 0 },
};

const ok = (body: unknown, headers?: Record<string, string>): Scripted => ({
	statusCode: 200,
	headers,
	body: bytes(body),
});

type Scripts = Parameters<typeof scriptedService>[0]['responses'];

/** Calls the client while every pause passes at once. */
async function call<T>(responses: Scripts, method: (client: ExportClient) => Promise<T>, deadline?: number) {
	const { context, sent } = scriptedService({ responses });
	const outcome = method(new ExportClient(context, deadline)).then(
		(value) => ({ value, details: undefined, error: undefined }),
		(error: RequestError) => ({ value: undefined, details: error.details, error }),
	);
	await jest.runAllTimersAsync();
	const requests = sent.map(({ type, options: { method: verb, url, timeout, body } }) => ({
		...{ type, method: verb, url, timeout },
		body: body === undefined ? undefined : (JSON.parse(String(body)) as object),
	}));
	return { requests, ...(await outcome) };
}

async function fetchPage(responses: Scripts, list: Partial<ListQuery> = {}, deadline?: number) {
	const page = async (client: ExportClient) => {
		const { at, read } = await client.page({ arrays: ['conversations'], ...list }, PAGE);
		return { at, ...(await read()) };
	};
	return await call(responses, page, deadline);
}

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

describe('One conversation', () => {
	const get = async (response: Scripted, id = 'aB-1', advice?: string) =>
		await call([response], (client) => client.conversation(id, advice));

	// D1-GET-01
	test('is requested by its encoded ID, gets the expiry of its links, and can come in capital letters', async () => {
		const { requests, value } = await get(ok({ conversationId: 'A/b c' }), 'a/b c');
		const url = 'https://api.example.com/v1/export/conversations/a%2Fb%20c';
		expect(requests).toMatchObject([{ method: 'GET', url }]);
		expect(value).toStrictEqual({ conversationId: 'A/b c', urlsExpireAt: EXPIRES });
	});

	// D1-GET-01
	test.each<[response: Scripted, code: string, words: string]>([
		[ok({}), 'response_unreadable', 'has no field "conversationId"'],
		[
			ok({ conversationId: null }),
			'response_unreadable',
			'an unexpected value in the field "conversationId"',
		],
		[ok({ conversationId: 'aB-2' }), 'response_unreadable', 'is about another conversation, "aB-2"'],
		[{ statusCode: 404 }, 'conversation_not_found', 'Check the ID.'],
		[{ statusCode: 410 }, 'request_refused', '410'],
	])('is not the response %j: %s', async (response, code, words) => {
		const { error, details } = await get(response, 'aB-1', 'Check the ID.');
		expect(details).toMatchObject({ code });
		expect(`${error?.message} ${String(error?.description)}`).toContain(words);
	});
});

describe('A page', () => {
	test('is requested by its range, page and filters, within a minute and the deadline', async () => {
		const url = 'https://api.example.com/v1/export/conversations';
		const request = { type: 'conversationExportApi', method: 'POST', url };
		const dateType = 'processedDate';
		const filters: Array<Partial<ListQuery>> = [{}, { dateType }, { dateType, users: ['a@b.example'] }];
		for (const filter of filters) {
			const body = { ...RANGE, ...filter, page: 3, limit: 20 };
			const { requests } = await fetchPage([ok(EMPTY)], filter);
			expect(requests).toStrictEqual([{ ...request, timeout: 60_000, body }]);
		}
		const soon = await fetchPage([ok(EMPTY)], {}, performance.now() + 5000);
		expect(soon.requests).toMatchObject([{ timeout: 5000 }]);
	});

	// D1-RESP-06..08, D1-EXP-01
	test('holds the requested arrays in their order, each with its own total, and as many pages as the longest', async () => {
		const [errored, conversations] = [
			[{ recordingId: 'e' }],
			[{ conversationId: 'c' }, { conversationId: 'd' }],
		];
		const response = ok({ totalErrored: 2, errored, conversations, totalConversations: 47 });
		const { value } = await fetchPage([response], { arrays: ['errored', 'conversations'] });
		expect(value?.lists.map(({ total }) => total)).toEqual([2, 47]);
		expect(value).toMatchObject({ lists: [{ rows: errored }, { rows: conversations }], pages: 3 });
	});

	test.each([
		['Sun, 01 Mar 2026 11:59:30 GMT', NOW - 30_000],
		['Sun, 01 Mar 2026 12:05:00 GMT', NOW],
		['Thu, 01 Jan 1970 00:00:00 GMT', 0],
		['soon', NOW],
	])('with the Date header %p shows %i at the latest, by the earlier clock', async (date, at) => {
		expect((await fetchPage([ok(EMPTY, { date })])).value!.at).toBe(at);
	});

	test('without a Date header counts as sent when its request left, however often that was repeated', async () => {
		const { value } = await fetchPage([{ statusCode: 503 }, ok({ ...EMPTY, conversations: [{}] })]);
		expect(Date.now()).toBeGreaterThan(NOW);
		expect(value).toMatchObject({ at: NOW, lists: [{ rows: [{ urlsExpireAt: EXPIRES }] }] });
	});

	// D1-RESP-03..08, D1-EXP-00
	test.each(Object.keys(ARRAYS) as ArrayName[])('is refused without %s or their total', async (array) => {
		const wrong = { [array]: { 0: {} }, [ARRAYS[array].total]: '0' };
		for (const field of Object.keys(wrong))
			for (const value of [undefined, wrong[field]]) {
				const { error } = await fetchPage([ok({ ...EMPTY, [field]: value })], { arrays: [array] });
				expect(error?.details.code).toBe('response_unreadable');
				expect(error?.message).toContain(`field "${field}"`);
			}
	});

	// D1-RESP-02..05, D1-EXP-02..03, D1-EXP-04
	test.each([
		['its totals, without totalPages', {}, 3],
		['its totals, when those of another array explain totalPages', { totalErrored: 90, totalPages: 5 }, 3],
		['totalPages, when no total explains it', { totalErrored: 90, totalPages: 6 }, 6],
		['totalPages, when there are no other totals', { totalErrored: undefined, totalPages: 4 }, 4],
		['its totals, when totalPages is no number', { totalPages: '9' }, 3],
	])('has as many pages as %s', async (_what, body, pages) => {
		const { value } = await fetchPage([ok({ ...EMPTY, totalConversations: 41, ...body })]);
		expect(value!.pages).toBe(pages);
	});

	test('is not parsed before it is read', async () => {
		const { value } = await call([ok('{"a":[oops]}')], (client) =>
			client.page({ arrays: ['errored'] }, PAGE),
		);
		await expect(value!.read()).rejects.toThrow('is not valid JSON');
	});

	test('has no more rows than were asked for, and says how many more came', async () => {
		const conversations = Array.from({ length: 23 }, (_, index) => ({ conversationId: `c${index}` }));
		const { value } = await fetchPage([ok({ ...EMPTY, conversations })]);
		expect(value!.lists[0].rows).toMatchObject(conversations.slice(0, 20));
		expect(value).toMatchObject({ limit: 20, surplus: 3 });
	});

	test('has rows as the service sent them, whatever they are', async () => {
		const rows = [{ user: { id: '1' }, viewers: [{ '': 0 }], urlsExpireAt: 'own' }, null, 7, 'text', true];
		const { value } = await fetchPage([ok({ ...EMPTY, conversations: rows })]);
		expect(value!.lists[0].rows).toEqual(rows);
	});

	test("of several arrays has rows with the same keys and their kind, and keeps the service's own", async () => {
		const awaitingUpload = [{ recordingId: 'a' }, { kind: 'own', error: 'own' }];
		const body = { ...EMPTY, awaitingUpload, errored: [{ recordingId: 'r', error: 'no sound' }] };
		const { value } = await fetchPage([ok(body)], { arrays: ['errored', 'awaitingUpload'] });
		expect(value!.lists.map(({ rows }) => rows)).toEqual([
			[{ recordingId: 'r', error: 'no sound', kind: 'errored' }],
			[
				{ recordingId: 'a', error: null, processedDate: null, kind: 'awaitingUpload' },
				{ kind: 'own', error: 'own', processedDate: null },
			],
		]);
	});
});

// D1-CONV-01, D1-REC-01, D1-ERRORED-01
test.each<[id: string | undefined, ...rows: unknown[]]>([
	['c1', { conversationId: 'c1' }, { conversationId: 'c1', recordingId: 'r1' }],
	['r1', { recordingId: 'r1' }, ...['', 7].map((conversationId) => ({ conversationId, recordingId: 'r1' }))],
	[undefined, { teamId: 't1' }, { recordingId: 7 }, null, 'c1'],
])('%j is the ID of each of %j, and only of an array asked for', (id, ...rows) => {
	for (const row of rows) {
		expect(idReader(['conversations', 'awaitingUpload', 'errored'])(row)).toBe(id);
		expect(idReader(['conversations'])(row)).toBe(id === 'c1' ? id : undefined);
	}
});

describe('The metrics of teams and users', () => {
	test.each(['teams', 'users'] as const)('of %s are the rows of their list, as sent', async (kind) => {
		const rows = [{ email: 'a@x' }, null];
		const body = { ...RANGE, includeSubteams: true };
		const { requests, value } = await call([ok({ [kind]: rows })], (client) => client[kind](body));
		expect(value).toEqual(rows);
		const url = `https://api.example.com/v1/export/${kind}`;
		expect(requests).toMatchObject([{ method: 'POST', url, body, timeout: 300_000 }]);
		const { details } = await call([ok({ [kind]: 'none' })], (client) => client[kind](body));
		expect(details).toMatchObject({ code: 'response_unreadable' });
	});

	test('are of the last second without a range, because it does not matter', async () => {
		const { requests } = await call([ok({ users: [] })], (client) => client.users());
		const body = { fromDate: '2026-03-01T11:59:59.000Z', toDate: RANGE.toDate };
		expect(requests).toMatchObject([{ body, timeout: 300_000 }]);
	});
});
