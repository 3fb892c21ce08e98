import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { SIGNING_SECRET } from '../../harness/credentials';
import { savePostgresCredential } from '../../harness/examples/credentials';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { workflowNode } from '../../harness/n8n/workflowFile';
import { runCommand } from '../../harness/processes/command';
import { startPostgres, type Postgres } from '../../harness/queue/postgres';
import { appointment, sendAppointment, matchConversation } from '../../harness/sendAppointment';
import { ensureTools, POSTGRES } from '../../harness/tools';
import { useDoublesTestbed } from '../support/doublesTestbed';
import { MAPPED_AUTOMATICALLY } from '../support/columns';
import { behind, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { onlyAtStart, triggeredItems } from '../support/triggerWorkflows';

const conversations = { resource: 'conversation', operation: 'getAll' };
/** The tables of docs/reference/tables.md, their primary keys, and the lists that fill them. */
const FLAT_TABLES: Array<[table: string, key: string[], list: INodeParameters]> = [
	['conversations', ['conversationId'], conversations],
	...['checklists', 'trackers', 'viewers', 'surveyAnswers'].map(
		(rowsFor): [string, string[], INodeParameters] => [rowsFor, ['rowKey'], { ...conversations, rowsFor }],
	),
	['missingRecordings', ['recordingId'], { resource: 'recording', operation: 'getMissing' }],
	['teams', ['teamId', 'fromDate', 'toDate'], { resource: 'team', operation: 'getAll', splitBy: 'month' }],
	['users', ['userId', 'fromDate', 'toDate'], { resource: 'user', operation: 'getAll', splitBy: 'month' }],
];

const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

interface Row {
	conversationId: string;
	date: string;
	outcome?: string;
}

/** The IDs of rows or items, sorted. */
const idsOf = (rows: Array<{ conversationId?: unknown }>) =>
	rows.map((row) => String(row.conversationId)).sort();

jest.setTimeout(180_000);

/** The files as they are: `harness/examples/redirect.mjs` brings requests of n8n's own nodes to local doubles. */
describe('Examples that store, in a real n8n', () => {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-postgres-'));
	const testbed = useDoublesTestbed();
	let postgres: Postgres;

	beforeAll(async () => {
		await ensureTools([POSTGRES], { report: progress });
		postgres = await startPostgres(folder);
		await savePostgresCredential(testbed.n8n.client, postgres);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await postgres?.service.stop();
		rmSync(folder, { recursive: true, force: true });
	}, 60_000);
	beforeEach(() => {
		testbed.doubles.reset();
		testbed.sandbox.requests.reset();
	});

	const insertOne = (fields: Record<string, unknown>) =>
		testbed.sandbox.control.insertConversations({ fields })[0];
	/** The transcript of a conversation, as the media host has it. */
	const transcriptOf = async (id: string) => {
		const { transcriptUrl } = await testbed.ask<{ transcriptUrl: string }>(`/export/conversations/${id}`);
		return Buffer.from(await (await fetch(transcriptUrl)).arrayBuffer());
	};
	const succeeded = async (workflowId: string, count: number) =>
		expect(await testbed.n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });

	test('one workflow with webhook and poll processes each conversation once, however often either delivers it', async () => {
		const { n8n, sandbox } = testbed;
		const { client } = n8n;
		const workflowId = await testbed.importExample('process-once', {
			// Off, so that only the data table recognizes repeats.
			'Conversation Intelligence Trigger': { parameters: { options: { ignoreRepeats: false } } },
			'Conversation Intelligence Poll Trigger': {
				parameters: { startFrom: 'date', startDate: new Date().toISOString(), ...onlyAtStart() },
			},
		});
		await testbed.run(workflowId, 'Set Up');
		/** The conversations that a node has returned, with those that it returned more than once. */
		const returned = async (node: string) => idsOf(await triggeredItems(client, workflowId, node));
		const polled = async () => await returned('Conversation Intelligence Poll Trigger');

		const missed = sandbox.control.insertConversations({ count: 3 });
		await client.publish(workflowId);
		await succeeded(workflowId, 4);
		expect(await polled()).toEqual([...missed].sort());

		const url = `${n8n.url}/webhook/${await client.webhookPath(workflowId)}`;
		sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const announced = sandbox.control.insertConversations({ count: 4 });
		await sandbox.webhooks.emit({ conversationIds: announced });
		await succeeded(workflowId, 8);
		await sandbox.webhooks.emit({ conversationIds: announced.slice(0, 2) });
		await succeeded(workflowId, 10);

		// The poll after another publication delivers what the webhook brought, and nothing a second time.
		await client.unpublish(workflowId);
		await client.publish(workflowId);
		await succeeded(workflowId, 14);
		const all = [...announced, ...missed].sort();
		expect([await polled(), await returned('Your Work (replace me)')]).toEqual([all, all]);
		const rows = await client.tableRows<{ dedupeKey: string; link: string }>('Processed conversations');
		expect(rows.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(all);
		expect(rows.every(({ link }) => link.startsWith('http'))).toBe(true);
	});

	/** What the service processed in a range, in its order. */
	const processed = async (fromDate: string, toDate: string) => {
		const rows: Row[] = [];
		for (let page = 1; ; page++) {
			const { conversations } = await testbed.ask<{ conversations: Row[] }>('/export/conversations', {
				...{ fromDate, toDate, page },
				dateType: 'processedDate',
			});
			if (conversations.length === 0) return rows;
			rows.push(...conversations);
		}
	};

	/** Yesterday in the workflow's time zone, and the conversations that the service processed then. */
	const yesterday = async () => {
		const day = DateTime.now().setZone(ZONE).minus({ days: 1 });
		const [from, to] = [day.startOf('day'), day.endOf('day')].map((time) => time.toUTC().toISO()!);
		return { day, rows: await processed(from, to) };
	};

	describe.each([
		{
			slug: 'conversations-to-data-table',
			readTable: async () => await testbed.n8n.client.tableRows<Row>('Conversations'),
		},
		{
			slug: 'conversations-to-google-sheets',
			readTable: async () => {
				const [names, ...rows] = testbed.doubles.sheet as string[][];
				const cells = (row: string[]) => names.map((name, at) => [name, row[at]]);
				return rows.map((row) => Object.fromEntries(cells(row)) as Row);
			},
		},
	])('the table of $slug', ({ slug, readTable }) => {
		test('has one row per conversation after any number of runs, with its latest values', async () => {
			const conversationId = insertOne({ title: '=1+1', outcome: 'Follow Up' });
			const exported = itemsOf(await testbed.run(slug, 'Every Hour'), 'Last 7 Days').map(({ json }) => json);
			expect(exported.length).toBeGreaterThan(50);
			const one = <Each extends { conversationId?: unknown }>(rows: Each[]) =>
				rows.find((row) => row.conversationId === conversationId)!;
			const before = await readTable();
			expect(idsOf(before)).toEqual(idsOf(exported));
			const date = expect.stringContaining(String(one(exported).date).slice(0, 10));
			expect(one(before)).toMatchObject({ ...one(exported), date });

			await sellLater(conversationId);
			const added = insertOne({ title: 'Later' });
			await testbed.run(slug, 'Every Hour');
			const after = await readTable();
			expect(idsOf(after)).toEqual([...idsOf(exported), added].sort());
			expect(one(after).outcome).toBe('Sold');
		});
	});

	test('a backfill stores the transcript of each conversation since its date, and of new ones', async () => {
		const startDate = new Date().toISOString();
		const ids = testbed.sandbox.control.insertConversations({ count: 5 });
		const workflowId = await testbed.publish('backfill-a-year', {
			'Since a Year Ago': { parameters: { startDate } },
		});
		await succeeded(workflowId, 5);
		const { files } = testbed.doubles;
		const name = (id: string) => `transcripts/${new Date().toISOString().slice(0, 10)}/${id}.json`;
		expect([...files.keys()].sort()).toEqual(ids.map(name).sort());
		for (const id of ids) expect(files.get(name(id))).toEqual(await transcriptOf(id));
	});

	test('every conversation processed yesterday is in one compressed file in the storage, even after a second run', async () => {
		const { day, rows } = await yesterday();
		expect(rows.length).toBeGreaterThan(10);
		for (let time = 0; time < 2; time++) await testbed.run('daily-export-to-s3', 'Every Night');
		const path = `conversations/${day.toFormat('yyyy/MM/yyyy-MM-dd')}.ndjson.gz`;
		const { files } = testbed.doubles;
		expect([...files.keys()]).toEqual([path]);
		const lines = gunzipSync(files.get(path)!).toString().trimEnd().split('\n');
		const inOrder = rows.map(({ conversationId }) => conversationId);
		expect(lines.map((line) => (JSON.parse(line) as Row).conversationId)).toEqual(inOrder);
	});

	test('archives audio and transcript of every conversation of yesterday, without a key for the media host', async () => {
		const { rows } = await yesterday();
		const execution = await testbed.run('archive-recordings', 'Every Night');
		const { files } = testbed.doubles;
		const name = ({ conversationId, date }: Row) => `recordings/${date.slice(0, 10)}/${conversationId}`;
		const expected = rows.flatMap((row) => [`${name(row)}.json`, `${name(row)}.wav`]);
		expect([...files.keys()].sort()).toEqual(expected.sort());

		const media = testbed.sandbox.requests.list().filter(({ host }) => host === 'media');
		expect(media).toHaveLength(2 * rows.length);
		expect(media.some(({ headersSeen }) => headersSeen.authorization || headersSeen.xApiKey)).toBe(false);
		for (const row of rows) {
			expect(String(files.get(`${name(row)}.wav`))).toMatch(/^RIFF/);
			expect(files.get(`${name(row)}.json`)).toEqual(await transcriptOf(row.conversationId));
		}
		expect(itemsOf(execution, 'Ten at a Time')).toHaveLength(rows.length);
	});

	/** Matches a conversation with an appointment that has an outcome, which the export then returns. */
	const sellLater = async (conversation_id: string) => {
		const { sandbox } = testbed;
		const sold = appointment(sandbox, 0, { event_id: randomUUID(), result: 'Sold' });
		await sendAppointment(sandbox, sold);
		await matchConversation(sandbox, sold.event_id, conversation_id);
	};

	describe('the incremental export to a real PostgreSQL', () => {
		let workflowId: string;

		beforeAll(async () => (workflowId = await testbed.importExample('export-to-postgresql')));

		/** Runs SQL and returns the lines of the result, with `|` between columns. */
		const sql = async (statement: string, flag = '-c'): Promise<string[]> => {
			const { DB_POSTGRESDB_PORT: port, DB_POSTGRESDB_DATABASE: database } = postgres.n8nEnvironment;
			const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-d', database];
			const result = await runCommand(
				join(dirname(POSTGRES.find()!), 'psql'),
				[...connection, '-v', 'ON_ERROR_STOP=1', '-At', flag, statement],
				{ cwd: '/' },
			);
			if (result.code !== 0) throw new Error(result.stderr);
			return result.stdout.split('\n').filter(Boolean);
		};
		const runExample = async (trigger = 'Every Hour') => await testbed.run(workflowId, trigger);
		const position = async () => {
			const rows = await testbed.n8n.client.tableRows<{ processedUntil: string }>('Export positions');
			expect(rows).toHaveLength(1);
			return rows[0].processedUntil;
		};
		const idsInTable = async () => await sql('SELECT conversation_id FROM conversations ORDER BY 1');

		const saved = async (columns: string, id: string) =>
			await sql(`SELECT ${columns} FROM conversations WHERE conversation_id = '${id}'`);

		test('every kind of rows maps automatically into its documented table, and COPY reads it from NDJSON', async () => {
			const page = readFileSync(join(__dirname, '../../docs/reference/tables.md'), 'utf8');
			const [tables, fromFile] = [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, code]) => code);
			await sql(`CREATE SCHEMA flat; SET search_path TO flat; ${tables}`);
			const range = { dateRange: 'custom', fromDate: daysAgo(92), toDate: daysAgo(1) };
			const { client } = testbed.n8n;
			for (const [table, key, list] of FLAT_TABLES) {
				const named = (value: string) => ({ __rl: true, mode: 'name', value });
				const columns = { ...MAPPED_AUTOMATICALLY, matchingColumns: key };
				const upsert = {
					operation: 'upsert',
					schema: named('flat'),
					table: named(table),
					columns,
					options: {},
				};
				const insert = workflowNode('Postgres', 'n8n-nodes-base.postgres', 2.6, upsert, 'postgres');
				const file = nodeWorkflow('conversationIntelligence', { ...range, returnAll: true, ...list });
				const execution = await client.run(behind(file, [insert]));
				expect([table, errorOf(execution)]).toEqual([table, undefined]);
				const rows = itemsOf(execution, NODE).length;
				expect(rows).toBeGreaterThan(1);
				const all = async () => await sql(`SELECT to_jsonb(t) FROM flat."${table}" t ORDER BY t`);
				const stored = await all();
				expect([table, stored.length]).toEqual([table, rows]);

				// The same rows from a file.
				const asFile = { outputAs: 'file', fileFormat: 'ndjson', output: 'simplified' };
				Object.assign(file.nodes[1].parameters, asFile);
				const [{ binary }] = itemsOf(await client.run(file));
				const path = join(folder, `${table}.ndjson`);
				writeFileSync(path, await client.fileOf(binary!.data));
				const load = fromFile
					.replace('conversations.ndjson', path)
					.replaceAll('"conversations"', `"${table}"`);
				writeFileSync(`${path}.sql`, `SET search_path TO flat; TRUNCATE "${table}";\n${load}`);
				await sql(`${path}.sql`, '-f');
				expect(await all()).toEqual(stored);
			}
		});

		test('the first run saves the last seven days with typed values', async () => {
			const before = new Date().toISOString();
			const rows = await processed(daysAgo(7), before);
			await runExample();
			expect(rows.length).toBeGreaterThan(50);
			expect(await idsInTable()).toEqual(idsOf(rows));
			const isTyped =
				"processed_at > recorded_at AND duration_seconds > 0 AND jsonb_typeof(details->'checklists') = 'array'";
			// Those that other tests inserted were processed as they were recorded.
			const older = "recorded_at < now() - interval '1 day'";
			expect(await sql(`SELECT bool_and(${isTyped}) FROM conversations WHERE ${older}`)).toEqual(['t']);
			expect((await position()) >= before).toBe(true);
		});

		test('the next run saves new conversations, updates changed ones, and reads only the last hour again', async () => {
			const [first] = await sql('SELECT conversation_id FROM conversations ORDER BY recorded_at LIMIT 1');
			await sql(`UPDATE conversations SET title = 'kept' WHERE conversation_id = '${first}'`);
			const added = insertOne({ title: "O'Hara’s roof", outcome: null });
			const start = await position();
			await runExample();
			expect(await idsInTable()).toContain(added);
			expect(await saved('title, outcome IS NULL', added)).toEqual(["O'Hara’s roof|t"]);
			// Reading it again would have overwritten the title.
			expect(await saved('title', first)).toEqual(['kept']);
			expect((await position()) > start).toBe(true);

			await sql(`UPDATE conversations SET title = 'old' WHERE conversation_id = '${added}'`);
			const count = (await idsInTable()).length;
			await runExample();
			expect(await saved('title', added)).toEqual(["O'Hara’s roof"]);
			expect(await idsInTable()).toHaveLength(count);
		});

		test('a night saves what changed since, and marks what is gone until it is back', async () => {
			const [changed, gone, back] = await sql(
				"SELECT conversation_id FROM conversations WHERE processed_at < now() - interval '1 day' LIMIT 3",
			);
			await sellLater(changed);
			testbed.sandbox.control.removeConversations(gone);
			const older = `INSERT INTO conversations (conversation_id, recorded_at, processed_at, rep) VALUES`;
			await sql(`${older} ('older', now() - interval '40 days', now() - interval '40 days', 'r')`);
			await sql(`UPDATE conversations SET gone_since = now() WHERE conversation_id = '${back}'`);

			await runExample('Every Night');
			const marked = await sql('SELECT conversation_id FROM conversations WHERE gone_since IS NOT NULL');
			expect(marked).toEqual([gone]);
			expect(await saved('outcome', changed)).toEqual(['Sold']);
			expect(Number(await sql(`SELECT count(*) FROM conversations`))).toBeGreaterThan(400);
		});

		test('a run that cannot save its rows keeps the position, so that the next one saves them', async () => {
			const [refused, ...others] = testbed.sandbox.control.insertConversations({ count: 3 });
			await sql(`ALTER TABLE conversations ADD CONSTRAINT refused CHECK (conversation_id <> '${refused}')`);
			const start = await position();
			const failed = await testbed.n8n.client.run(workflowId, { trigger: 'Every Hour' });
			expect(errorOf(failed)?.message).toMatch(/refused/);
			expect(await position()).toBe(start);
			expect(await idsInTable()).not.toContain(others[0]);

			await sql('ALTER TABLE conversations DROP CONSTRAINT refused');
			await runExample();
			expect(await idsInTable()).toEqual(expect.arrayContaining([refused, ...others]));
		});
	});
});
