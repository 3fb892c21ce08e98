import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../support/engine/fixtures';
import { documentedRow } from '../../support/engine/documentedRow';
import { byProcessing, list, LISTS, onlyUsers } from './listing';

const START = Date.parse('2026-03-01T00:00:00Z');
const MINUTE_MS = 60_000;

/** The arrays of a response: the operation that reads each, its total, and the field that identifies its rows. */
const ARRAYS = [
	['conversations', 'totalConversations', 'conversationId', LISTS.conversations],
	['awaitingUpload', 'totalAwaitingUpload', 'recordingId', LISTS.missing],
	['errored', 'totalErrored', 'recordingId', LISTS.missing],
] as const;
const TABLES = {
	conversations: 'ConversationsExport',
	awaitingUpload: 'RecordingsExport',
	errored: 'ErroredRecordingsExport',
};
type ArrayName = keyof typeof TABLES;
/** Both arrays of recordings, empty. */
const NO_RECORDINGS = { awaitingUpload: [], totalAwaitingUpload: 0, errored: [], totalErrored: 0 };

const at = (time: number) => new Date(time).toISOString();
/** Rows of March, a minute apart, that ended and were processed immediately. */
const rowsOf = (array: ArrayName, count: number, more: (index: number) => IDataObject = () => ({})) =>
	Array.from({ length: count }, (_, index) => {
		const date = at(START + index * MINUTE_MS);
		const processed = array === 'awaitingUpload' ? {} : { processedDate: date };
		return documentedRow(TABLES[array], { date, duration: 30, ...processed, ...more(index) });
	});

describe('What reading a list relies on', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);

	const run = async (operation: INodeParameters) =>
		await engine.runNode('conversationIntelligence', operation);

	/** Responds as documented, including both bounds. Calls `before` ahead of every request except the first. */
	const serve = (array: ArrayName, rows: IDataObject[], before: () => void = () => {}) =>
		server.respond(({ body }, index) => {
			if (index > 0) before();
			const { fromDate, toDate, page, limit } = body as Record<'fromDate' | 'toDate', string> &
				Record<'page' | 'limit', number>;
			const found = rows.filter(({ date }) => String(date) >= fromDate && String(date) <= toDate);
			const total = `total${array[0].toUpperCase()}${array.slice(1)}`;
			const response = {
				...NO_RECORDINGS,
				[array]: found.slice((page - 1) * limit, page * limit),
				[total]: found.length,
			};
			return { status: 200, body: JSON.stringify(response) };
		});

	// D1-RESP-03..08, D1-EXP-00
	test.each(ARRAYS)(
		'%s: a response without the array or without %s fails the list, never shortens it',
		async (array, total, _id, operation) => {
			const page = { ...NO_RECORDINGS, [array]: rowsOf(array, 1), [total]: 1 };
			for (const missing of [array, total]) {
				server.respond([{ status: 200, body: JSON.stringify({ ...page, [missing]: undefined }) }]);
				const { error, items } = await run(operation);
				expect(error?.message).toContain(`has no field "${missing}"`);
				expect(items).toEqual([]);
			}
			server.respond([{ status: 200, body: JSON.stringify(page) }]);
			expect((await run(operation)).items).toHaveLength(1);
		},
	);

	// D1-RESP-03..05, D1-EXP-02..03
	test.each(ARRAYS)(
		'%s: its own total decides how many pages are read, whatever the other arrays contain (%s)',
		async (array, total, _id, operation) => {
			const rows = rowsOf(array, 75);
			const others = { ...NO_RECORDINGS, totalPages: 20, totalConversations: 990 };
			if (array === 'conversations') Object.assign(others, { totalAwaitingUpload: 990, totalErrored: 990 });
			server.respond(({ body }) => {
				const page = Number(body?.page);
				const response = { ...others, [array]: rows.slice((page - 1) * 50, page * 50), [total]: 75 };
				return { status: 200, body: JSON.stringify(response) };
			});
			const { items, error } = await run(operation);
			const pages = server.seen.map(({ body }) => Number(body?.page));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(75);
			expect(Math.max(...pages)).toBe(2);
		},
	);

	// D1-RESP-04, D1-RESP-07, D1-EXP-04
	test('conversations by processed date do not need the array of recordings awaiting upload', async () => {
		const rows = rowsOf('conversations', 3);
		const page = { conversations: rows, totalConversations: 3, errored: [], totalErrored: 0, totalPages: 1 };
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		const { items, error, hints } = await run({ ...LISTS.conversations, ...byProcessing });
		expect({ error, length: items.length, hints }).toEqual({ error: undefined, length: 3, hints: [] });
	});

	// D1-RECORDING-02, D1-EXP-01, D1-EXP-02, D1-RESP-06..08
	test('three arrays in one response are three kinds of rows, each checked by its own fields', async () => {
		const rows = ARRAYS.map(([array]) => rowsOf(array, 2));
		const page = ARRAYS.map(([array, total], index) => ({ [array]: rows[index], [total]: 2 }));
		server.respond([{ status: 200, body: JSON.stringify(Object.assign({}, ...page)) }]);
		const options = { alsoInclude: ['awaitingUpload', 'errored'] };
		const { items, hints } = await run({ ...LISTS.conversations, options });
		const expected = ['conversation', 'awaitingUpload', 'errored'].flatMap((kind, index) =>
			rows[index].map((row) => expect.objectContaining({ ...row, kind })),
		);
		expect(items.map(({ json }) => json)).toEqual(expected);
		expect(hints).toEqual([]);
	});

	// D1-CONV-01, D1-CONV-03, D1-REC-01..02, D1-ERRORED-01..02
	test.each(ARRAYS)(
		'%s: a list that shifts between two pages is read again by date, and each row is returned once',
		async (array, _total, id, operation) => {
			const rows = rowsOf(array, 160);
			// The first row disappears once, so the next page begins one row too late.
			let hasShifted = false;
			serve(array, rows, () => {
				if (!hasShifted) rows.shift();
				hasShifted = true;
			});
			const { items, error } = await run(operation);

			expect(error).toBeUndefined();
			const ids = items.map(({ json }) => json[id]);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids).toEqual(expect.arrayContaining(rows.map((row) => row[id])));
			expect(server.seen.length).toBeGreaterThan(4);
		},
	);

	// D1-CONV-04, D1-REC-04, D1-ERRORED-12, D1-CONVENTION-04
	test.each([
		['errored', 'was processed just now', () => ({ processedDate: at(Date.now()) })],
		['conversations', 'was processed just now', () => ({ processedDate: at(Date.now()) })],
		['errored', 'has no processed date', () => ({ processedDate: null })],
		['awaitingUpload', 'is there, because it can come online at any time', () => ({})],
	] as const)(
		'%s: pages are read again by date when one of their later rows %s',
		async (array, _when, fresh) => {
			const operation = ARRAYS.find(([name]) => name === array)![3];
			serve(array, rowsOf(array, 60));
			await run(operation);
			expect(server.seen).toHaveLength(array === 'awaitingUpload' ? 4 : 2);

			serve(
				array,
				rowsOf(array, 60, (index) => (index === 59 ? fresh() : {})),
			);
			const { items } = await run(operation);
			expect(server.seen.length).toBeGreaterThan(2);
			expect(items).toHaveLength(60);
		},
	);

	// D1-CONV-08, D1-RUSER-03, D1-REC-06, D1-ERRORED-06, D1-USER-03, D1-EXP-05, D1-USERBODY-04, D1-DOES-06, D1-EXPBODY-06
	test.each([
		...ARRAYS.map(([array, total, , operation]) => [array, total, operation] as const),
		['users', 'totalUsers', LISTS.users] as const,
	])(
		'%s: rows of users outside the filter are dropped by exact email, and a hint names the users',
		async (array, total, operation) => {
			const emails = ['ana@example.com', 'Ana@example.com', 'ben@example.com', 'ana@example.com'];
			const rows = emails.map((email) =>
				array === 'users'
					? documentedRow('UsersExport', { email })
					: rowsOf(array, 1, () => ({ user: { id: 'u', name: null, email } }))[0],
			);
			const page = { ...NO_RECORDINGS, [array]: rows, [total]: rows.length };
			server.respond([{ status: 200, body: JSON.stringify(page) }]);
			const { items, hints } = await run({ ...operation, ...onlyUsers(['ana@example.com']) });
			expect(server.seen.map(({ body }) => body?.users)).toEqual([['ana@example.com']]);
			expect(items.map(({ json }) => json)).toEqual(
				[rows[0], rows[3]].map((row) => expect.objectContaining(row)),
			);
			const said = hints.map(({ message }) => message).join();
			expect(said).toContain('2 rows');
			for (const email of emails.slice(1, 3)) expect(said).toContain(email);
		},
	);

	// D1-TEAMS-01, D1-USERS-01
	test.each([
		['team', 'teams'],
		['user', 'users'],
	])('%s: an empty list of %s returns no rows', async (resource, field) => {
		server.respond([{ status: 200, body: JSON.stringify({ [field]: [] }) }]);
		const { error, items } = await run(list(resource, 'getAll'));
		expect({ error, items }).toEqual({ error: undefined, items: [] });
	});
});
