import type { INodeParameters } from 'n8n-workflow';
import { scriptedExport } from './exportNode';
import { documentedRow } from '../../support/engine/documentedRow';
import { byProcessing, LISTS as ALL_LISTS, onlyUsers } from './listing';

const KEY = 'key-of-the-organization';
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const RANGE = { dateRange: 'custom', fromDate: '2026-03-29T01:00:00', toDate: '2026-03-29T04:00:00' };
/** The night in which Berlin's clocks go from 2 to 3. */
const SENT_RANGE = { fromDate: '2026-03-29T00:00:00.000Z', toDate: '2026-03-29T02:00:00.000Z' };
const inRange = ([array, parameters]: [string, INodeParameters]) => [array, { ...parameters, ...RANGE }];
const LISTS = Object.fromEntries(Object.entries(ALL_LISTS).map(inRange)) as typeof ALL_LISTS;

describe('Requests of the export', () => {
	const { server, run: list } = scriptedExport(` ${KEY}\n`);
	beforeEach(() => server.respond(({ method, body }) => response(method, body ?? {})));

	/** 120 rows of each kind, or one conversation. */
	const response = (method: string, { page = 1, limit = 50 }: Record<string, unknown>) => {
		const rows = (table: string) => Array.from({ length: 120 }, () => documentedRow(table));
		const date = '2026-03-29T00:30:00.000Z';
		const [from, to] = [Number(page) - 1, Number(page)].map((pages) => pages * Number(limit));
		const dated = (table: string) =>
			rows(table)
				.slice(from, to)
				.map((row) => ({ ...row, date, processedDate: date, duration: 60 }));
		const body =
			method === 'GET'
				? documentedRow('ConversationsExport', { conversationId: ID, new: true })
				: {
						...{ currentPage: page, totalPages: 3 },
						...{ conversations: dated('ConversationsExport'), totalConversations: 120 },
						...{ awaitingUpload: dated('RecordingsExport'), totalAwaitingUpload: 120 },
						...{ errored: dated('ErroredRecordingsExport'), totalErrored: 120 },
						...{ teams: rows('TeamsExport'), users: rows('UsersExport') },
					};
		return { status: 200, body: JSON.stringify(body) };
	};
	const run = async (operation: INodeParameters) => await list(operation, { timezone: 'Europe/Berlin' });

	// D1-HTTP-01..02, D1-CONVENTION-01, D1-AUTH-01
	test.each(Object.entries(LISTS))(
		'the list of %s is requested in JSON with the raw key',
		async (_name, operation) => {
			expect((await run(operation)).error).toBeUndefined();
			expect(server.seen.length).toBeGreaterThan(0);
			for (const { method, headers, body } of server.seen) {
				expect([method, headers.authorization, headers['content-type']]).toEqual([
					'POST',
					KEY,
					'application/json',
				]);
				// The server has parsed it.
				expect(body).toMatchObject(SENT_RANGE);
			}
		},
	);

	// D1-HTTP-01..02, D1-GET-01..02, D1-DOES-02
	test('one conversation is requested by its ID alone, without body, content type or range', async () => {
		const fields = { output: 'selectedFields', fields: ['title', 'new', 'misspelt'] };
		const { items, hints } = await run({ operation: 'get', conversationId: ID.toUpperCase(), ...fields });
		expect(Object.keys(items[0].json)).toEqual(['conversationId', 'title', 'new', 'misspelt']);
		expect(hints[0].message).toBe('No row has the field "misspelt": check its spelling.');
		const [{ method, url, headers, body }] = server.seen;
		expect({ method, url, body }).toEqual({
			method: 'GET',
			url: `/export/conversations/${ID.toUpperCase()}`,
			body: undefined,
		});
		expect(headers.authorization).toBe(KEY);
		expect(headers['content-type']).toBeUndefined();
		expect(server.seen).toHaveLength(1);
	});

	// D1-EXPBODY-04..05, D1-LIM-01..02
	test('pages count from 1 and hold 50 rows', async () => {
		await run(LISTS.conversations);
		expect(server.seen.map(({ body }) => [body?.page, body?.limit]).sort()).toEqual([
			[1, 50],
			[2, 50],
			[3, 50],
		]);
	});

	// D1-EXPBODY-03
	test('a list sends its date type only when it is not the default', async () => {
		const dateTypes = async (parameters: INodeParameters) => {
			server.respond(({ method, body }) => response(method, body ?? {}));
			await run({ ...LISTS.conversations, returnAll: false, limit: 1, ...parameters });
			return new Set(server.seen.map(({ body }) => body?.dateType));
		};
		expect([new Set([undefined]), new Set(['timeOfRecording'])]).toContainEqual(await dateTypes({}));
		expect(await dateTypes(byProcessing)).toEqual(new Set(['processedDate']));
	});

	// D1-TEAMBODY-01..04, D1-USERBODY-01..03, D1-USERBODY-05, D1-LIM-08, D1-TEAMS-01, D1-USERS-01
	test('teams and users take one request with the range in UTC, and no page', async () => {
		const users = ['Ana@Example.com', 'ana@example.com'];
		await run(LISTS.teams);
		await run({ ...LISTS.teams, filters: { includeSubteams: true } });
		await run(LISTS.users);
		await run({ ...LISTS.users, ...onlyUsers([]) });
		await run({ ...LISTS.users, ...onlyUsers(users) });
		expect(server.seen.map(({ url, body }) => [url, body])).toEqual([
			['/export/teams', { ...SENT_RANGE, includeSubteams: false }],
			['/export/teams', { ...SENT_RANGE, includeSubteams: true }],
			['/export/users', SENT_RANGE],
			['/export/users', SENT_RANGE],
			['/export/users', { ...SENT_RANGE, users }],
		]);
	});
});
