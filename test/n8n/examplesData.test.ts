import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DateTime } from 'luxon';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { SIGNING_SECRET } from '../../harness/credentials';
import { savePostgresCredential } from '../../harness/examples/credentials';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { runCommand } from '../../harness/processes/command';
import { startPostgres, type Postgres } from '../../harness/queue/postgres';
import { appointment, sendAppointment, matchConversation } from '../../harness/sendAppointment';
import { ensureTools, POSTGRES } from '../../harness/tools';
import { useDoublesTestbed } from '../support/doublesTestbed';
import { MAPPED_AUTOMATICALLY } from '../support/columns';
import { behind, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { workflowNode } from '../../harness/n8n/workflowFile';
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

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

interface Row {
	conversationId: string;
	date: string;
}

const idOf = ({ json }: INodeExecutionData) => json.conversationId;

type Saved = Row & { outcome: string };

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
		const headers = { authorization: testbed.sandbox.keys.organization };
		const response = await fetch(`${testbed.sandbox.exportUrl}/export/conversations/${id}`, { headers });
		const { transcriptUrl } = JSON.parse(await response.text());
		return Buffer.from(await (await fetch(transcriptUrl)).arrayBuffer());
	};

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
		expect(errorOf(await client.run(workflowId, { trigger: 'Set Up' }))).toBeUndefined();
		/** The conversations that the poll trigger has delivered, with those that it delivered more than once. */
		const polled = async () => {
			const items = await triggeredItems(client, workflowId, 'Conversation Intelligence Poll Trigger');
			return items.map(({ dedupeKey }) => dedupeKey).sort();
		};

		const missed = sandbox.control.insertConversations({ count: 3 });
		await client.publish(workflowId);
		expect(await client.waitForAll(workflowId, 4)).toEqual({ success: 4 });
		expect(await polled()).toEqual([...missed].sort());

		const url = `${n8n.url}/webhook/${await client.webhookPath(workflowId)}`;
		sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const announced = sandbox.control.insertConversations({ count: 4 });
		await sandbox.webhooks.emit({ conversationIds: announced });
		expect(await client.waitForAll(workflowId, 8)).toEqual({ success: 8 });
		await sandbox.webhooks.emit({ conversationIds: announced.slice(0, 2) });
		expect(await client.waitForAll(workflowId, 10)).toEqual({ success: 10 });

		// The poll after another publication delivers what the webhook brought, and nothing a second time.
		await client.unpublish(workflowId);
		await client.publish(workflowId);
		expect(await client.waitForAll(workflowId, 14)).toEqual({ success: 14 });
		const all = [...announced, ...missed].sort();
		expect(await polled()).toEqual(all);

		const worked = await triggeredItems(client, workflowId, 'Your Work (replace me)');
		expect(worked.map(({ conversationId }) => conversationId).sort()).toEqual(all);
		const rows = await client.tableRows<{ dedupeKey: string; link: string }>('Processed conversations');
		expect(rows.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(all);
		expect(rows.every(({ link }) => link.startsWith('http'))).toBe(true);
	}, 180_000);

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
			readTable: async () => await testbed.n8n.client.tableRows<Saved>('Conversations'),
		},
		{
			slug: 'conversations-to-google-sheets',
			readTable: async () => {
				const [names, ...rows] = testbed.doubles.sheet as string[][];
				return rows.map(
					(row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Saved,
				);
			},
		},
	])('the table of $slug', ({ slug, readTable }) => {
		test('has one row per conversation after any number of runs, with its latest values', async () => {
			const conversationId = insertOne({ title: '=1+1', outcome: 'Follow Up' });
			const first = await testbed.run(slug, 'Every Hour');
			expect(errorOf(first)).toBeUndefined();
			const expected = itemsOf(first, 'Last 7 Days').map(idOf);
			expect(expected.length).toBeGreaterThan(50);
			const before = await readTable();
			expect(before.map((row) => row.conversationId).sort()).toEqual(expected.sort());
			const [{ json }] = itemsOf(first, 'Last 7 Days').filter((item) => idOf(item) === conversationId);
			const saved = before.find((row) => row.conversationId === conversationId);
			expect(saved).toMatchObject({ ...json, date: expect.stringContaining(String(json.date).slice(0, 10)) });

			await sellLater(conversationId);
			const added = insertOne({ title: 'Later' });
			expect(errorOf(await testbed.run(slug, 'Every Hour'))).toBeUndefined();
			const after = await readTable();
			expect(after.map((row) => row.conversationId).sort()).toEqual([...expected, added].sort());
			expect(after.find((row) => row.conversationId === conversationId)?.outcome).toBe('Sold');
		}, 180_000);
	});

	test('a backfill stores the transcript of each conversation since its date, and of new ones', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const startDate = new Date().toISOString();
		const ids = sandbox.control.insertConversations({ count: 5 });
		const workflowId = await testbed.importExample('backfill-a-year', {
			'Since a Year Ago': { parameters: { startDate } },
		});
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 5)).toEqual({ success: 5 });
		await n8n.client.unpublish(workflowId);
		const day = new Date().toISOString().slice(0, 10);
		expect([...doubles.files.keys()].sort()).toEqual(ids.map((id) => `transcripts/${day}/${id}.json`).sort());
		for (const id of ids) {
			expect(doubles.files.get(`transcripts/${day}/${id}.json`)).toEqual(await transcriptOf(id));
		}
	}, 120_000);

	test('every conversation processed yesterday is in one compressed file in the storage, even after a second run', async () => {
		const { day, rows } = await yesterday();
		expect(rows.length).toBeGreaterThan(10);
		for (const attempt of [1, 2]) {
			const execution = await testbed.run('daily-export-to-s3', 'Every Night');
			expect([attempt, errorOf(execution)]).toEqual([attempt, undefined]);
		}
		expect([...testbed.doubles.files.keys()]).toEqual([
			`conversations/${day.toFormat('yyyy/MM/yyyy-MM-dd')}.ndjson.gz`,
		]);
		const [file] = testbed.doubles.files.values();
		const lines = gunzipSync(file).toString('utf8').trimEnd().split('\n');
		expect(lines.map((line) => (JSON.parse(line) as Row).conversationId)).toEqual(
			rows.map(({ conversationId }) => conversationId),
		);
	}, 120_000);

	test('archives audio and transcript of every conversation of yesterday, without a key for the media host', async () => {
		const { rows } = await yesterday();
		const execution = await testbed.run('archive-recordings', 'Every Night');
		expect(errorOf(execution)).toBeUndefined();
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
	}, 120_000);

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
		const runExample = async (trigger = 'Every Hour') =>
			await testbed.n8n.client.run(workflowId, { trigger });
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
			const [fromDate, toDate] = [92, 1].map((days) =>
				new Date(Date.now() - days * 1440 * MINUTE_MS).toISOString(),
			);
			const range = { dateRange: 'custom', fromDate, toDate };
			for (const [table, key, list] of FLAT_TABLES) {
				const insert = {
					...workflowNode('Postgres', 'n8n-nodes-base.postgres', 2.6, {
						operation: 'upsert',
						schema: { __rl: true, mode: 'name', value: 'flat' },
						table: { __rl: true, mode: 'name', value: table },
						columns: { ...MAPPED_AUTOMATICALLY, matchingColumns: key },
						options: {},
					}),
					credentials: { postgres: { id: '', name: '' } },
				};
				const file = nodeWorkflow('conversationIntelligence', { ...range, returnAll: true, ...list });
				const { n8n } = testbed;
				const { client } = n8n;
				const execution = await client.run(await client.importWorkflow(behind(file, [insert])));
				expect([table, errorOf(execution)]).toEqual([table, undefined]);
				const rows = itemsOf(execution, NODE).length;
				expect(rows).toBeGreaterThan(1);
				const all = async () => await sql(`SELECT to_jsonb(t) FROM flat."${table}" t ORDER BY t`);
				const stored = await all();
				expect([table, stored.length]).toEqual([table, rows]);

				// The same rows from a file.
				const { parameters } = file.nodes[1];
				Object.assign(parameters, { outputAs: 'file', fileFormat: 'ndjson', output: 'simplified' });
				const [{ binary }] = itemsOf(await client.run(await client.importWorkflow(file)));
				const path = join(folder, `${table}.ndjson`);
				const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(binary!.data.id!)}&action=download`;
				writeFileSync(path, await (await fetch(url, { headers: { cookie: n8n.cookie } })).text());
				const load = fromFile
					.replace('conversations.ndjson', path)
					.replaceAll('"conversations"', `"${table}"`);
				writeFileSync(`${path}.sql`, `SET search_path TO flat; TRUNCATE "${table}";\n${load}`);
				await sql(`${path}.sql`, '-f');
				expect(await all()).toEqual(stored);
			}
		}, 120_000);

		test('the first run saves the last seven days with typed values', async () => {
			const before = new Date().toISOString();
			const rows = await processed(new Date(Date.now() - WEEK_MS).toISOString(), before);
			expect(errorOf(await runExample())).toBeUndefined();
			expect(rows.length).toBeGreaterThan(50);
			expect(await idsInTable()).toEqual(rows.map(({ conversationId }) => conversationId).sort());
			const isTyped =
				"processed_at > recorded_at AND duration_seconds > 0 AND jsonb_typeof(details->'checklists') = 'array'";
			// Those that other tests inserted were processed as they were recorded.
			const older = "recorded_at < now() - interval '1 day'";
			expect(await sql(`SELECT bool_and(${isTyped}) FROM conversations WHERE ${older}`)).toEqual(['t']);
			expect((await position()) >= before).toBe(true);
		}, 120_000);

		test('the next run saves new conversations, updates changed ones, and reads only the last hour again', async () => {
			const [first] = await sql('SELECT conversation_id FROM conversations ORDER BY recorded_at LIMIT 1');
			await sql(`UPDATE conversations SET title = 'kept' WHERE conversation_id = '${first}'`);
			const added = insertOne({ title: "O'Hara’s roof", outcome: null });
			const start = await position();
			expect(errorOf(await runExample())).toBeUndefined();
			expect(await idsInTable()).toContain(added);
			expect(await saved('title, outcome IS NULL', added)).toEqual(["O'Hara’s roof|t"]);
			// Reading it again would have overwritten the title.
			expect(await saved('title', first)).toEqual(['kept']);
			expect((await position()) > start).toBe(true);

			await sql(`UPDATE conversations SET title = 'old' WHERE conversation_id = '${added}'`);
			const count = (await idsInTable()).length;
			expect(errorOf(await runExample())).toBeUndefined();
			expect(await saved('title', added)).toEqual(["O'Hara’s roof"]);
			expect(await idsInTable()).toHaveLength(count);
		}, 120_000);

		test('a night saves what changed since, and marks what is gone until it is back', async () => {
			const [changed, gone, back] = await sql(
				"SELECT conversation_id FROM conversations WHERE processed_at < now() - interval '1 day' LIMIT 3",
			);
			await sellLater(changed);
			testbed.sandbox.control.removeConversations(gone);
			const older = `'older', now() - interval '40 days', now() - interval '40 days', 'r'`;
			await sql(
				`INSERT INTO conversations (conversation_id, recorded_at, processed_at, rep) VALUES (${older})`,
			);
			await sql(`UPDATE conversations SET gone_since = now() WHERE conversation_id = '${back}'`);

			expect(errorOf(await runExample('Every Night'))).toBeUndefined();
			expect(await sql('SELECT conversation_id FROM conversations WHERE gone_since IS NOT NULL')).toEqual([
				gone,
			]);
			expect(await saved('outcome', changed)).toEqual(['Sold']);
			expect(Number(await sql(`SELECT count(*) FROM conversations`))).toBeGreaterThan(400);
		}, 120_000);

		test('a run that cannot save its rows keeps the position, so that the next one saves them', async () => {
			const [refused, ...others] = testbed.sandbox.control.insertConversations({ count: 3 });
			await sql(`ALTER TABLE conversations ADD CONSTRAINT refused CHECK (conversation_id <> '${refused}')`);
			const start = await position();
			expect(errorOf(await runExample())?.message).toMatch(/refused/);
			expect(await position()).toBe(start);
			expect(await idsInTable()).not.toContain(others[0]);

			await sql('ALTER TABLE conversations DROP CONSTRAINT refused');
			expect(errorOf(await runExample())).toBeUndefined();
			expect(await idsInTable()).toEqual(expect.arrayContaining([refused, ...others]));
		}, 120_000);
	});
});
