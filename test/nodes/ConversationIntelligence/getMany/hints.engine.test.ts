import type { NodeRun } from '../../../support/engine';
import { DATE_STYLES } from '../../../support/dateStyles';
import { sandboxExport, scriptedExport } from '../exportNode';
import { pageOf } from '../listing';

describe('Conversation Intelligence: hints', () => {
	const { sandbox, run: list } = sandboxExport({ conversations: 70 });

	const hintsOf = async (parameters: object, timezone?: string) => {
		const run = await list(parameters, { timezone });
		expect(run.error).toBeUndefined();
		expect(run.hints.map(({ location }) => location)).toEqual(run.hints.map(() => 'outputPane'));
		return run.hints.map(({ message, type }) => (type === 'warning' ? message : `${type}: ${message}`));
	};

	test('an empty list names the range in the workflow’s time zone and the users in the filter', async () => {
		const range = { fromDate: '1999-03-01T00:00:00Z', toDate: '1999-03-02T00:00:00Z' };
		expect(await hintsOf({ ...range, filters: { outcome: 'Sold' } }, 'Europe/Berlin')).toEqual([
			'No conversations from 1999-03-01 01:00 to 1999-03-02 01:00 (Europe/Berlin).',
		]);
		expect(await hintsOf({ ...range, selectBy: 'processedDate', rowsFor: 'viewers' }, 'UTC')).toEqual([
			'No conversations processed from 1999-03-01 00:00 to 1999-03-02 00:00 (UTC).',
		]);
		expect(await hintsOf({ ...range, filters: { users: ['a@x.example', 'b@x.example'] } }, 'UTC')).toEqual([
			`No conversations from 1999-03-01 00:00 to 1999-03-02 00:00 (UTC) for a@x.example, b@x.example. Check their spelling: letter case counts.`,
		]);
	});

	test('a file or list that Limit cuts says how many rows exist, and how to get them', async () => {
		const hintOf = async (sort: string) => await hintsOf({ returnAll: false, limit: 50, options: { sort } });
		const rest = 'of 70 conversations: turn on Return All to get the rest.';
		expect(await hintsOf({ returnAll: false, limit: 50, outputAs: 'file' })).toEqual([
			`The newest 50 ${rest}`,
		]);
		expect(await hintOf('newestFirst')).toEqual([`info: The newest 50 ${rest}`]);
		expect(await hintOf('oldestFirst')).toEqual([`info: The oldest 50 ${rest}`]);
		expect(await hintsOf({ returnAll: false, limit: 1 })).toEqual([`info: The newest 1 ${rest}`]);
		expect(await hintsOf({ returnAll: false, limit: 70 })).toEqual([]);
		expect(await hintsOf({ outputAs: 'file' })).toEqual([]);
	});

	test('requested users of whom no row came, and teams in which nobody is, are named', async () => {
		const [rep] = sandbox.control.users();
		const users = [rep.email, rep.email.toUpperCase()];
		const wrong = JSON.stringify(users[1]);
		expect(await hintsOf({ filters: { users } })).toEqual([
			`info: No conversations for ${wrong}. Check their spelling: letter case counts.`,
		]);
		expect(await hintsOf({ resource: 'user', filters: { users } })).toEqual([
			'info: Figures from 2020-01-01 00:00 to 2030-01-01 00:00 (UTC).',
			`info: No users for ${wrong}. Check their spelling: letter case counts.`,
		]);
		// The rest of a list may have them.
		expect(await hintsOf({ returnAll: false, limit: 1, filters: { users } })).toEqual([
			expect.stringMatching(/^info: The newest 1 of/),
		]);

		const { items } = await list({ resource: 'user' });
		const [team] = items.flatMap(({ json }) => json.teams as Array<{ name: string }>);
		const [unknown] = await hintsOf({ filters: { teams: [team.name, 'Wset, 2'] } });
		expect(unknown).toBe('No user that the API key may see is in the teams "Wset, 2".');
	});
});

describe('Conversation Intelligence: hints about unusual responses', () => {
	const { server, run: list } = scriptedExport();

	const run = async (page: object, parameters: object = {}) => {
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		return await list(parameters);
	};
	const messagesOf = ({ hints }: NodeRun) => hints.map(({ message }) => message);

	test('a service that counts more rows than it lists, even when they are read again, is named', async () => {
		const read = await run({ conversations: [{ conversationId: 'c1', duration: 1 }], totalConversations: 2 });
		expect(messagesOf(read)).toContain('The service counts 1 rows more than it lists.');
		expect(server.seen).toHaveLength(3);
	});

	test.each([
		['recording', 'getMissing', 'missing recordings', 'missing-recordings'],
		['team', 'getAll', 'teams', 'teams'],
		['user', 'getAll', 'users', 'users'],
	])(
		'an empty list of %s %s says which rows there are none of, and names its file after them',
		async (resource, operation, rows, fileName) => {
			const none = { awaitingUpload: [], errored: [], teams: [], users: [] };
			const page = { ...none, totalAwaitingUpload: 0, totalErrored: 0 };
			const range = { fromDate: '1999-03-01', toDate: '1999-03-02', outputAs: 'file' };
			const file = await run(page, { ...range, resource, operation });

			expect(messagesOf(file)).toEqual([`No ${rows} from 1999-03-01 00:00 to 1999-03-02 23:59 (UTC).`]);
			expect(file.items[0].json.fileName).toBe(`${fileName}_1999-03-01_1999-03-02.ndjson`);
		},
	);

	test('rows without an ID in a list that changes come once, whatever their links', async () => {
		server.respond((_request, index) => {
			const rows = Array.from({ length: 50 }, (_, n) => ({
				date: new Date(n).toISOString(),
				audioUrl: `https://media.example.com/a?response=${index}`,
				transcriptUrl: `https://media.example.com/t?response=${index}`,
			}));
			const page = { conversations: rows.slice(index), totalConversations: 51 - index };
			return { status: 200, body: JSON.stringify(page) };
		});
		const { items } = await list();
		expect(server.seen.length).toBeGreaterThan(2);
		expect(new Set(items.map(({ json }) => json.date)).size).toBe(50);
		expect(items).toHaveLength(50);
	});

	test('a row that is not an object becomes an item and a hint', async () => {
		const read = await run({ conversations: [null, 'text', null], totalConversations: 3 });

		expect(read.error).toBeUndefined();
		expect(read.items.map(({ json }) => json)).toEqual([{ value: null }, { value: 'text' }, { value: null }]);
		expect(messagesOf(read)).toEqual([
			'Unexpected data: The row is not an object (3 times). Rows are returned unchanged.',
		]);
	});

	/** Sends the pages of the rows that there are at the nth request. */
	const serve = (rowsOf: (index: number) => Array<{ date: string }>) =>
		server.respond(({ body }, index) => ({ status: 200, body: pageOf(rowsOf(index), body) }));

	test('equal rows without an ID are all returned, also from different pages', async () => {
		const rows = Array.from({ length: 60 }, (_, n) => ({ date: new Date((n % 59) * 1000).toISOString() }));
		serve(() => rows);
		const range = { dateRange: 'custom', fromDate: '1970-01-01T00:00:00Z', toDate: '1970-01-02T00:00:00Z' };
		const { items } = await list(range);
		expect(items.map(({ json }) => json.date).sort()).toEqual(rows.map(({ date }) => date).sort());
	});

	/** Sends 230 conversations, one an hour, whose dates are written like this. */
	const serveDates = (write: (at: number) => string) => {
		const start = Date.UTC(2026, 0, 1);
		server.respond(({ body }) => {
			const [from, to] = [body?.fromDate, body?.toDate].map((date) => Date.parse(String(date)));
			const all = Array.from({ length: 230 }, (_, n) => start + n * 3_600_000);
			const inside = all.filter((at) => at >= from && at <= to);
			const skipped = (Number(body?.page) - 1) * Number(body?.limit);
			const shown = inside.slice(skipped, skipped + Number(body?.limit));
			const conversations = shown.map((at) => ({
				conversationId: String((at - start) / 3_600_000),
				date: write(at),
			}));
			return { status: 200, body: JSON.stringify({ conversations, totalConversations: inside.length }) };
		});
	};

	test.each(Object.entries(DATE_STYLES))(
		'the newest 10 of 230 are the newest when dates are %s',
		async (_style, write) => {
			serveDates(write);
			const read = await list({ returnAll: false, limit: 10 });
			const newest = Array.from({ length: 10 }, (_, n) => String(229 - n));
			expect(read.items.map(({ json }) => json.conversationId)).toEqual(newest);
			expect(messagesOf(read)).toContain(
				'The newest 10 of 230 conversations: turn on Return All to get the rest.',
			);
		},
	);

	test('10 of 230 whose dates cannot be read are not called the newest, and the field is named', async () => {
		serveDates((at) => new Date(at).toUTCString().slice(5, 16));
		const read = await list({ returnAll: false, limit: 10 });
		const messages = messagesOf(read).join('\n');
		expect(messages).toContain('The first 10 of 230 conversations');
		expect(messages).toContain('Some rows have no date that can be read, so their order is not known.');
		expect(messages).toMatch(/date is not a date in ISO 8601 \(\d+ times\)/);
		expect(messages).not.toContain('newest');
	});

	describe('more than 50 conversations of one millisecond', () => {
		const DATE = '2026-01-01T00:00:00.000Z';
		const rows = Array.from({ length: 61 }, (_, n) => ({ conversationId: `c${n}`, date: DATE }));

		test('are returned with a hint that says only how they were read, once they do not change', async () => {
			serve((index) => rows.slice(index === 1 ? 0 : 1));
			const read = await list({ fromDate: DATE, toDate: DATE.replace('000Z', '001Z') });
			expect(read.items).toHaveLength(60);
			expect(messagesOf(read)).toContain(
				'More than 50 rows could not be separated by date, so they were read in pages.',
			);
		});

		test('that change with every response make a file that is not complete, and says why', async () => {
			serve((index) => rows.slice(index % 2));
			const { items } = await list({ outputAs: 'file' });
			const reason = /^More than 50 rows could not be separated by date, .* They changed meanwhile, so some/;
			expect(items[0].json).toMatchObject({ complete: false, reason: expect.stringMatching(reason) });
		});
	});
});
