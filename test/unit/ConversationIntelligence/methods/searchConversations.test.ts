import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchConversations } from '../../../../nodes/ConversationIntelligence/methods/searchConversations';
import { scriptedService, type Sent } from '../../shared/http/scriptedService';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const EARLIER = Date.parse('2026-03-31T11:00:00Z');

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

/** A service with these pages of conversations; with more of them if `totalPages` says so. */
function picker(pages: IDataObject[][], totalPages = pages.length) {
	let sent: Sent[] = [];
	const open = { now: 0, most: 0 };
	const service = scriptedService({
		responses: [
			async () => {
				const { page } = sent.at(-1)!.options.body as { page: number };
				open.most = Math.max(open.most, ++open.now);
				await new Promise(setImmediate);
				open.now--;
				return {
					statusCode: 200,
					body: JSON.stringify({ conversations: page > pages.length ? [] : pages[page - 1], totalPages }),
				};
			},
		],
	});
	({ sent } = service);
	const search = async (filter?: string, token?: string) =>
		await searchConversations.call(service.context as unknown as ILoadOptionsFunctions, filter, token);
	return { search, open, sent, bodies: () => sent.map(({ options }) => options.body) };
}

const row = (conversationId: string, more: IDataObject = {}) => ({
	conversationId,
	date: '2026-03-02',
	...more,
});
const values = ({ results }: { results: Array<{ value: unknown }> }) => results.map(({ value }) => value);

test('the list begins with the first page of the last 30 days', async () => {
	const { search, sent, bodies } = picker([[row('a')], [row('b')]]);
	const { results, paginationToken } = await search();
	expect(sent[0]).toMatchObject({
		type: 'conversationExportApi',
		options: { method: 'POST', url: 'https://api.example.com/v1/export/conversations' },
	});
	expect(results).toStrictEqual([{ name: '2026-03-02', value: 'a' }]);
	expect(paginationToken).toBe(`2@${NOW}`);
	expect(bodies()).toEqual([
		{ fromDate: '2026-03-01T12:00:00.000Z', toDate: '2026-03-31T12:00:00.000Z', page: 1 },
	]);
});

test('a further page is of the range with which the list began', async () => {
	const { search, bodies } = picker([[row('a')], [row('b')]]);
	const { results, paginationToken } = await search('', `2@${EARLIER}`);
	expect(results).toHaveLength(1);
	expect(paginationToken).toBeUndefined();
	expect(bodies()).toEqual([
		{ fromDate: '2026-03-01T11:00:00.000Z', toDate: '2026-03-31T11:00:00.000Z', page: 2 },
	]);
});

test.each([
	['is the last', [[row('a')]], 1],
	['is empty', [[]], 5],
])('the list ends with a page that %s', async (_name, pages, totalPages) => {
	expect((await picker(pages, totalPages).search()).paginationToken).toBeUndefined();
});

test('the list is empty if the service sends none', async () => {
	expect(await picker([undefined as never], NaN).search()).toEqual({ results: [] });
});

test('a conversation is named by date, title and rep, with its link', async () => {
	const { search } = picker([
		[
			row('a', {
				date: '2026-03-02T10:20:30Z',
				title: 'Roof',
				user: { name: 'Ana' },
				serviceUrl: 'https://a',
			}),
			row('b', { title: null, user: null }),
		],
	]);
	expect((await search()).results).toStrictEqual([
		{ name: '2026-03-02 10:20 – Roof – Ana', value: 'a', url: 'https://a' },
		{ name: '2026-03-02', value: 'b' },
	]);
});

test.each<[string, string[]]>([
	['ROOF', ['a', 'c']],
	['  roof   ana ', ['a']],
	['ana roof', ['a']],
	['03-02', ['a', 'b', 'c']],
	['id-of-b', []],
	['B', ['b', 'c']],
	['garden', []],
])('a search for %j looks for each word in date, title, rep and ID of all pages', async (words, expected) => {
	const { search, bodies } = picker([
		[row('a', { title: 'Roof', user: { name: 'Ana' } })],
		[row('b', { user: { name: 'Cem' } })],
		[row('c', { title: 'roof', user: { name: 'Ben' } })],
	]);
	const found = await search(words);
	expect(values(found)).toEqual(expected);
	expect(found.paginationToken).toBeUndefined();
	expect(bodies().map((body) => (body as IDataObject).page)).toEqual([1, 2, 3]);
});

test('a search requests six pages at the same time', async () => {
	const { search, open } = picker([], 20);
	await search('roof');
	expect(open.most).toBe(6);
});

test.each([
	[49, 20],
	[50, 8],
])('a search ends with the page that brings the 50th match: %i on the first pages', async (matches, most) => {
	const half = Array.from({ length: Math.ceil(matches / 2) }, (_, n) => row(`a${n}`, { title: 'Roof' }));
	const rest = Array.from({ length: matches - half.length }, (_, n) => row(`b${n}`, { title: 'Roof' }));
	const { search, bodies } = picker([half, rest], 20);
	expect((await search('roof')).results).toHaveLength(matches);
	expect(bodies().length).toBeLessThanOrEqual(most);
	expect(bodies().length).toBeGreaterThanOrEqual(matches < 50 ? 20 : 2);
});
