import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchConversations } from '../../../nodes/ConversationIntelligence/conversationLocator';
import { pageOf } from './listing';
import { scriptedService, type Sent } from '../shared/http/scriptedService';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const MINUTE = 60_000;

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

/** A service with these conversations, which it lists in their order. */
function picker(rows: Array<{ date: string }>, zone = 'UTC') {
	let sent: Sent[] = [];
	const respond = async () => ({
		statusCode: 200,
		body: pageOf(rows, JSON.parse(String(sent.at(-1)!.options.body))),
	});
	const service = scriptedService({ responses: [respond] });
	({ sent } = service);
	const context = Object.assign(service.context, { getTimezone: () => zone });
	const search = async (filter?: string, token?: string) =>
		await searchConversations.call(context as unknown as ILoadOptionsFunctions, filter, token);
	return { search, sent };
}

/** A conversation so many minutes ago. */
const row = (conversationId: string, minutesAgo = 0, more: IDataObject = {}) => ({
	conversationId,
	date: new Date(NOW - minutesAgo * MINUTE).toISOString(),
	processedDate: '2026-03-01T00:00:00Z',
	...more,
});
const values = ({ results }: { results: Array<{ value: unknown }> }) => results.map(({ value }) => value);

test('the list begins with the newest conversations of the last 30 days, whatever order the service has', async () => {
	const { search, sent } = picker([row('old', 43_201), row('b', 60), row('c', 43_200), row('a', 2)]);
	const { results, paginationToken } = await search();

	expect(values({ results })).toEqual(['a', 'b', 'c']);
	expect(paginationToken).toBeUndefined();
	expect(sent).toHaveLength(1);
	expect(sent[0]).toMatchObject({
		type: 'conversationExportApi',
		options: { method: 'POST', url: 'https://api.example.com/v1/export/conversations' },
	});
});

test('each conversation appears once as the list is scrolled', async () => {
	const { search } = picker(
		Array.from({ length: 500 }, (_, n) => row(`c${(n * 7919) % 500}`, (n * 7919) % 500)),
	);
	const listed: unknown[] = [];
	let token: string | undefined;
	let parts = 0;
	do {
		const part = await search('', token);
		listed.push(...values(part));
		token = part.paginationToken as string | undefined;
		parts++;
	} while (token !== undefined);

	expect(listed).toEqual(Array.from({ length: 500 }, (_, n) => `c${n}`));
	expect(parts).toBeGreaterThan(3);
});

test('a further part is of the range with which the list began', async () => {
	const { search, sent } = picker([row('a', 10), row('b', 30), row('c', 60)]);
	const { results } = await search('', `${NOW - 50 * MINUTE}-${NOW - 30 * MINUTE}`);

	expect(results).toEqual([]);
	expect(JSON.parse(String(sent[0].options.body))).toMatchObject({
		fromDate: '2026-03-31T11:10:00.000Z',
		toDate: '2026-03-31T11:30:00.000Z',
	});
});

// D1-CONV-03, D1-CONV-05, D1-CONV-08, D1-CONV-21, D1-RUSER-02
test('a conversation is named by its date in the zone, minutes, customer, title and rep, with its link', async () => {
	const { search } = picker(
		[
			row('a', 100, {
				title: 'Roof',
				duration: 5107,
				user: { name: 'Ana' },
				customer: { name: 'Lee' },
				serviceUrl: 'https://a',
			}),
			row('b', 160, { title: null, user: null, serviceUrl: null }),
			row('c', 220, { conversationId: 7 }),
		],
		'Europe/Berlin',
	);
	expect((await search()).results).toStrictEqual([
		{ name: '2026-03-31 12:20 – 85 min – Lee – Roof – Ana', value: 'a', url: 'https://a' },
		{ name: '2026-03-31 11:20', value: 'b' },
		{ name: '2026-03-31 10:20', value: '7' },
	]);
});

test('nothing that is picked becomes an expression: no ID, name or link begins with =', async () => {
	const run = '={{ $env }}';
	const { search } = picker([
		row('a', 1, { title: run, serviceUrl: run }),
		row('b', 2, { conversationId: run }),
	]);
	const { results } = await search();
	expect(values({ results })).toEqual(['a', 'not listed']);
	expect(
		results.flatMap((result) => Object.values(result)).filter((saved) => String(saved)[0] === '='),
	).toEqual([]);
});

test.each<[string, string[]]>([
	['ROOF', ['a', 'c']],
	['  roof   ana ', ['a']],
	['ana roof', ['a']],
	['lee', ['c']],
	['03-31', ['a', 'b', 'c']],
	['id-of-b', []],
	['B', ['b', 'c']],
	['garden', []],
])(
	'a search for %j looks for each word in date, customer, title, rep and ID of all',
	async (words, expected) => {
		const others = Array.from({ length: 600 }, (_, n) => row(`x${n}`, 20_000 + n));
		const { search } = picker([
			...others,
			row('c', 3, { title: 'roof', user: { name: 'Ben' }, customer: { name: 'Lee' } }),
			row('b', 2, { user: { name: 'Cem' } }),
			row('a', 1, { title: 'Roof', user: { name: 'Ana' } }),
		]);
		expect(values(await search(words))).toEqual(expected);
	},
);

test('a search looks in the date of the zone', async () => {
	const { search } = picker([row('a', 1), row('b', 121)], 'Europe/Berlin');
	expect(values(await search('13:59'))).toEqual(['a']);
});

test('no request of a list or a search may take longer than ten seconds', async () => {
	const { search, sent } = picker([row('a')]);
	await search();
	await search('roof');
	const timeouts = sent.map(({ options }) => Number(options.timeout));
	expect(Math.min(...timeouts)).toBeGreaterThan(5000);
	expect(Math.max(...timeouts)).toBeLessThanOrEqual(10_000);
});

test('a search ends with the slice that brings the 50th match, and after some 10,000 conversations', async () => {
	const rows = Array.from({ length: 30_000 }, (_, n) => row(`x${n}`, n, { title: n % 5 ? '' : 'Roof' }));
	const { search, sent } = picker(rows);
	const { results, paginationToken } = await search('roof');
	expect(results.length).toBeGreaterThanOrEqual(50);
	expect(paginationToken).toBeUndefined();
	expect(sent.length).toBeLessThan(30);

	sent.length = 0;
	expect((await search('garden')).results).toEqual([]);
	expect(sent.length).toBeGreaterThan(200);
	expect(sent.length).toBeLessThan(400);
});
