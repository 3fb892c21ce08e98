import type { INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';
import { POLICY } from '../../../nodes/shared/http/policy';
import type { ScriptedResponse, SeenRequest } from '../../support/scriptedServer';
import { LISTS, scriptedExport } from './listing';

const KEY = 'AbC+def/0123456789==';
const { server, run } = scriptedExport(KEY);
const ROWS = Array.from({ length: 60 }, (_, n) => {
	const date = new Date(Date.UTC(2026, 2, 1 + (n % 20), n)).toISOString();
	return { conversationId: `c${n}`, date, processedDate: date, title: `Visit ${n}` };
});
const RANGE = { dateRange: 'custom', fromDate: '2026-03-01', toDate: '2026-03-31', timeZone: 'UTC' };
const ALL: INodeParameters = { ...LISTS.conversations, ...RANGE, returnAll: true };

/** The page that a request asks for. */
function pageOf({ body }: Pick<SeenRequest, 'body'>, all = ROWS) {
	const {
		page = 1,
		limit = 50,
		fromDate,
		toDate,
	} = body as { page?: number; limit?: number; fromDate: string; toDate: string };
	const rows = all.filter(({ date }) => date >= fromDate && date <= toDate);
	const conversations = rows.slice((page - 1) * limit, page * limit);
	return { conversations, totalConversations: rows.length };
}
const json = (body: unknown): ScriptedResponse => ({ status: 200, body: JSON.stringify(body) });

beforeEach(() => {
	const { failed, ...others } = POLICY.maxRetries;
	jest.replaceProperty(POLICY as { maxRetries: object }, 'maxRetries', {
		...others,
		failed: Math.min(failed, 1),
	});
	jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1);
});

test.each<[string, number, (rows: number) => number]>([
	['413 above 20 rows', 413, (rows) => rows],
	['502 above 20 rows', 502, (rows) => rows],
])(
	'a gateway that answers %s loses no row, with Return All, by date and with Continue',
	async (_what, status) => {
		for (const more of [{}, { options: { sort: 'newestFirst' } }]) {
			for (const continueOnFail of [false, true]) {
				server.respond((request) => {
					const page = pageOf(request);
					return page.conversations.length > 20 ? { status, body: 'too large' } : json(page);
				});
				const { items, error } = await run({ ...ALL, ...more }, { continueOnFail });
				expect(error).toBeUndefined();
				expect(new Set(items.map(({ json: { conversationId } }) => conversationId)).size).toBe(60);
			}
		}
	},
);

test('an unreadable page is requested again: one that is empty, cut off, or whose compression is', async () => {
	const whole = (request: SeenRequest) => Buffer.from(JSON.stringify(pageOf(request)));
	const broken: Array<(body: Buffer) => [Buffer, string?]> = [
		() => [Buffer.from('')],
		(body) => [body.subarray(0, -10)],
		(body) => [gzipSync(body).subarray(0, 200), 'gzip'],
		(body) => [Buffer.from(gzipSync(body)).fill(0, 100, 110), 'gzip'],
	];
	for (const make of broken) {
		server.respond((request, index) => (_, response) => {
			const [body, encoding] = index === 0 ? make(whole(request)) : [whole(request)];
			response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body);
		});
		const { items, error } = await run(ALL);
		expect([error, items.length]).toEqual([undefined, 60]);
	}
});

test('a service that ignores the limit is read only so far, and a hint says so', async () => {
	const many = Array.from({ length: 5000 }, (_, n) => ({ ...ROWS[n % 60], conversationId: `m${n}` }));
	server.respond(() => json({ conversations: many, totalConversations: many.length }));
	const { items, hints } = await run({ ...LISTS.conversations, ...RANGE, limit: 10 });
	expect(items.length).toBeLessThanOrEqual(50);
	expect(JSON.stringify(hints)).toContain('more rows on a page than the node had asked for');
});

test('a row of 5,000 levels is named, and with Continue the others are returned', async () => {
	const deep = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
	server.respond((request) => {
		const page = pageOf(request);
		const body = JSON.stringify(page).replace(
			'"title":"Visit 7"',
			`"title":"Visit 7","customFields":${deep}`,
		);
		return { status: 200, body };
	});
	const words = 'has a row that is nested deeper than 64 levels, the one with conversationId c7';
	expect((await run(ALL)).error?.message).toContain(words);
	const { items } = await run(ALL, { continueOnFail: true });
	const found = items.filter(({ json: { conversationId } }) => conversationId);
	expect(found.length).toBeGreaterThanOrEqual(56);
	expect(JSON.stringify(items)).toContain(words);
});

test('a key that the service echoes in any form of JSON is in no item and in no error', async () => {
	const escaped = (body: object) =>
		JSON.stringify(body).replaceAll('+', '\\u002B').replaceAll('=', '\\u003D');
	const title = `Key ${KEY}, ${encodeURIComponent(KEY).toLowerCase()}, AbC&#43;def&#x2F;0123456789&equals;=`;
	server.respond((request) => {
		const page = pageOf(request, [{ ...ROWS[0], title }]);
		return { status: 200, body: escaped(page) };
	});
	const { items } = await run(ALL);
	expect(items[0].json.title).toMatch(/^Key \*\*\*, .*, \*\*\*$/);
	server.respond([{ status: 401, body: escaped({ message: `Unknown: ${KEY}` }) }]);
	const { error } = await run(ALL);
	expect(error?.description).toContain('"Unknown: ***"');
	expect(JSON.stringify([error, error?.context])).not.toContain('0123456789');
});
