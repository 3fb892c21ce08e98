import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { searchConversations } from '../../../nodes/ConversationIntelligence/conversationLocator';
import { pageOf } from './listsService';
import { scriptedService, type Sent } from '../shared/http/scriptedService';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const MINUTE = 60_000;

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

/** A service with these conversations, which it lists in their order. */
function picker(rows: Array<{ date: string }>, zone = 'UTC') {
	let sent: Sent[] = [];
	const bodies = () => sent.map(({ options }) => JSON.parse(String(options.body)) as IDataObject);
	const respond = async () => ({
		statusCode: 200,
		body: JSON.stringify(pageOf({ conversations: rows }, bodies().at(-1)!)),
	});
	const service = scriptedService({ responses: [respond] });
	({ sent } = service);
	const context = Object.assign(service.context, { getTimezone: () => zone });
	const search = async (filter?: string) =>
		await searchConversations.call(context as unknown as ILoadOptionsFunctions, filter);
	return { search, sent };
}

/** A conversation so many minutes ago. */
const row = (conversationId: string, minutesAgo: number, more: IDataObject = {}) => ({
	conversationId,
	date: new Date(NOW - minutesAgo * MINUTE).toISOString(),
	processedDate: '2026-03-01T00:00:00Z',
	...more,
});
const values = ({ results }: { results: Array<{ value: unknown }> }) => results.map(({ value }) => value);

test('the list begins with the newest of the last 30 days; no request takes longer than ten seconds', async () => {
	const { search, sent } = picker([row('old', 43_201), row('b', 60), row('c', 43_200), row('a', 2)]);
	expect(await search()).toMatchObject({ results: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] });
	expect(sent).toHaveLength(1);
	await search('roof');
	for (const { options } of sent) {
		expect(options.url).toBe('https://api.example.com/v1/export/conversations');
		expect(options.timeout).toBeGreaterThan(5000);
		expect(options.timeout).toBeLessThanOrEqual(10_000);
	}
});

// D1-CONV-03, D1-CONV-05, D1-CONV-08, D1-CONV-21, D1-RUSER-02
test('a conversation is named by its date in the zone, minutes, customer, title and rep; nothing begins with =', async () => {
	const run = '={{ $env }}';
	const known = { title: 'Roof', duration: 5140, user: { name: 'Ana' }, customer: { name: 'Lee' } };
	const rows = [
		row('a', 100, { ...known, serviceUrl: 'https://a' }),
		row('b', 160, { title: null, user: null, serviceUrl: null }),
		row('c', 220, { conversationId: 7, title: run, serviceUrl: run }),
		row('d', 280, { conversationId: run }),
	];
	expect((await picker(rows, 'Europe/Berlin').search()).results).toStrictEqual([
		{ name: '2026-03-31 12:20 – 86 min – Lee – Roof – Ana', value: 'a', url: 'https://a' },
		{ name: '2026-03-31 11:20', value: 'b' },
		{ name: `2026-03-31 10:20 – ${run}`, value: '7' },
		// n8n would run as an expression what is picked.
		expect.objectContaining({ name: expect.stringMatching(/^Not listed: 1/), value: 'not listed' }),
	]);
});

test.each([
	['ROOF', 'a c'],
	['  roof   ana ', 'a'],
	['ana roof', 'a'],
	['lee', 'c'],
	['03-31', 'a b c'],
	['03-31 13:59', 'a'],
	['id-of-b', ''],
	['B', 'b c'],
	['garden', ''],
])(
	'a search for %j looks for each word in date, customer, title, rep and ID of all: %j',
	async (words, found) => {
		const { search } = picker(
			[
				...Array.from({ length: 600 }, (_, n) => row(`x${n}`, 20_000 + n)),
				row('c', 3, { title: 'roof', user: { name: 'Ben' }, customer: { name: 'Lee' } }),
				row('b', 2, { user: { name: 'Cem' } }),
				row('a', 1, { title: 'Roof', user: { name: 'Ana' } }),
			],
			'Europe/Berlin',
		);
		expect(values(await search(words)).join(' ')).toBe(found);
	},
);

test('a search ends with the slice that brings the 50th match, and after some 10,000 conversations', async () => {
	const rows = Array.from({ length: 30_000 }, (_, n) => row(`x${n}`, n, { title: n % 5 ? '' : 'Roof' }));
	const { search, sent } = picker(rows);
	const { results } = await search('roof');
	expect(results.length).toBeGreaterThanOrEqual(50);
	expect(sent.length).toBeLessThan(30);

	sent.length = 0;
	expect((await search('garden')).results).toEqual([]);
	expect(sent.length).toBeGreaterThan(200);
	expect(sent.length).toBeLessThan(400);
});
