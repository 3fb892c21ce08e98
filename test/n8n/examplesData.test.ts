import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SIGNING_SECRET } from '../../harness/credentials';
import { savePostgresCredential } from '../../harness/examples/credentials';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { workflowNode } from '../../harness/n8n/workflowFile';
import { runCommand } from '../../harness/processes/command';
import { startPostgres, type Postgres } from '../../harness/queue/databases';
import { appointment, sendAppointment, matchConversation } from '../../harness/sendAppointment';
import { ensureTools, POSTGRES } from '../../harness/tools';
import { endingNow, useDoublesTestbed } from '../support/doublesTestbed';
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

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** The IDs of rows or items, sorted. */
const idsOf = (rows: Array<{ conversationId?: unknown }>) =>
	rows.map((row) => String(row.conversationId)).sort();

jest.setTimeout(180_000);

/** The files as they are: `harness/examples/redirect.mjs` brings requests of n8n's own nodes to local doubles. */
describe('Examples that store, in a real n8n', () => {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-postgres-'));
	const testbed = useDoublesTestbed({ ...endingNow(90), conversations: 0, webhookRetryDelaysMs: [] });
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
		const { control } = testbed.sandbox;
		control.removeConversations(...control.conversationIds(0, control.extent().conversations));
	});

	const insert = (given: Parameters<typeof testbed.sandbox.control.insertConversations>[0]) =>
		testbed.sandbox.control.insertConversations(given);
	const insertOne = (fields: IDataObject) => insert({ fields })[0];
	const succeeded = async (workflowId: string, count: number) =>
		expect(await testbed.n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });

	test('one workflow with webhook and poll processes each conversation once, however often either delivers it', async () => {
		const { n8n, sandbox } = testbed;
		const { client } = n8n;
		const workflowId = await testbed.importExample('process-once', {
			// Off, so that only the data table recognizes repeats.
			'Conversation Intelligence Trigger': { parameters: { options: { acceptDuplicates: true } } },
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
		const rows = await client.tableRows<IDataObject>('Processed conversations');
		const listed = all.map(async (id) => await testbed.ask<IDataObject>(`/export/conversations/${id}`));
		const known = (await Promise.all(listed)).map(({ conversationId, user, processedDate, serviceUrl }) => ({
			...{ dedupeKey: conversationId, rep: (user as IDataObject).email, processedDate, link: serviceUrl },
		}));
		expect(rows).toHaveLength(all.length);
		expect(rows).toEqual(expect.arrayContaining(known.map((row) => expect.objectContaining(row))));
	});

	describe.each([
		{
			slug: 'conversations-to-data-table',
			readTable: async () => await testbed.n8n.client.tableRows<IDataObject>('Conversations'),
		},
		{
			slug: 'conversations-to-google-sheets',
			readTable: async () => {
				const [names, ...rows] = testbed.doubles.sheet as string[][];
				const cells = (row: string[]) => names.map((name, at) => [name, row[at]]);
				return rows.map((row) => Object.fromEntries(cells(row)));
			},
		},
	])('the table of $slug', ({ slug, readTable }) => {
		test('has one row per conversation after any number of runs, with its latest values', async () => {
			const ids = insert({ count: 60, date: daysAgo(2) });
			const conversationId = insertOne({ title: '=1+1', outcome: 'Follow Up' });
			const exported = itemsOf(await testbed.run(slug, 'Every Hour'), 'Get Last 7 Days').map(
				({ json }) => json,
			);
			const one = (rows: IDataObject[]) => rows.find((row) => row.conversationId === conversationId)!;
			const before = await readTable();
			expect(idsOf(before)).toEqual([...ids, conversationId].sort());
			const date = expect.stringContaining(String(one(exported).date).slice(0, 10));
			expect(one(before)).toMatchObject({ ...one(exported), date });

			await sellLater(conversationId);
			const added = insertOne({ title: 'Later' });
			await testbed.run(slug, 'Every Hour');
			const after = await readTable();
			expect(idsOf(after)).toEqual([...ids, conversationId, added].sort());
			expect(one(after).outcome).toBe('Sold');
		});
	});

	/** Matches a conversation with an appointment that has an outcome, which the export then returns. */
	const sellLater = async (conversation_id: string) => {
		const { sandbox } = testbed;
		const sold = appointment(sandbox, 0, { event_id: randomUUID(), result: 'Sold' });
		await sendAppointment(sandbox, sold);
		await matchConversation(sandbox, sold.event_id, conversation_id);
	};

	/** Runs SQL and returns the lines of the result, with `|` between columns. */
	const sql = async (statement: string, flag = '-c'): Promise<string[]> => {
		const { DB_POSTGRESDB_PORT: port, DB_POSTGRESDB_DATABASE: database } = postgres.n8nEnvironment;
		const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-d', database];
		const options = [...connection, '-v', 'ON_ERROR_STOP=1', '-At', flag, statement];
		const psql = join(dirname(POSTGRES.find()!), 'psql');
		const { code, stdout, stderr } = await runCommand(psql, options, { cwd: '/' });
		if (code !== 0) throw new Error(stderr);
		return stdout.split('\n').filter(Boolean);
	};

	test('every kind of rows maps automatically into its documented table, and COPY reads it from NDJSON', async () => {
		const page = readFileSync(join(__dirname, '../../docs/reference/tables.md'), 'utf8');
		const [tables, fromFile] = [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, code]) => code);
		await sql(`CREATE SCHEMA flat; SET search_path TO flat; ${tables}`);
		for (let days = 2; days < 90; days += 4) insert({ count: 3, date: daysAgo(days) });
		const range = { dateRange: 'custom', fromDate: daysAgo(92), toDate: daysAgo(1) };
		const { client } = testbed.n8n;
		for (const [table, key, list] of FLAT_TABLES) {
			const named = (value: string) => ({ __rl: true, mode: 'name', value });
			const columns = { ...MAPPED_AUTOMATICALLY, matchingColumns: key };
			const target = { schema: named('flat'), table: named(table), columns, options: {} };
			const upsert = { operation: 'upsert', ...target };
			const node = workflowNode('Postgres', 'n8n-nodes-base.postgres', 2.6, upsert, 'postgres');
			const file = nodeWorkflow('conversationIntelligence', { ...range, returnAll: true, ...list });
			const execution = await client.run(behind(file, [node]));
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
			const load = fromFile.replace('conversations.ndjson', path).replaceAll('"conversations"', `"${table}"`);
			writeFileSync(`${path}.sql`, `SET search_path TO flat; TRUNCATE "${table}";\n${load}`);
			await sql(`${path}.sql`, '-f');
			expect(await all()).toEqual(stored);
		}
	});

	describe('the incremental export to a real PostgreSQL', () => {
		let workflowId: string;
		beforeAll(async () => (workflowId = await testbed.importExample('export-to-postgresql')));
		const run = async (trigger = 'Every Hour') => await testbed.run(workflowId, trigger);
		const position = async () => {
			const rows = await testbed.n8n.client.tableRows<{ processedUntil: string }>('Export positions');
			expect(rows).toHaveLength(1);
			return rows[0].processedUntil;
		};
		const ids = async () => await sql('SELECT conversation_id FROM conversations ORDER BY recorded_at');
		const saved = async (columns: string, id: string) =>
			(await sql(`SELECT ${columns} FROM conversations WHERE conversation_id = '${id}'`))[0];
		const change = async (values: string, id: string) =>
			await sql(`UPDATE conversations SET ${values} WHERE conversation_id = '${id}'`);

		test('saves a week, then hourly what is new or read again, and nightly what changed or went in a month', async () => {
			const before = new Date().toISOString();
			const days = [8, 6, 5, 4, 3];
			const [old, kept, gone, changed, back] = days.map((age) => insert({ date: daysAgo(age) })[0]);
			const row = await testbed.ask<IDataObject>(`/export/conversations/${kept}`);
			await run();
			expect(await ids()).toEqual([kept, gone, changed, back]);
			const { recorded_at, processed_at, ...others } = JSON.parse(
				await saved('to_jsonb(conversations)', kept),
			);
			const times = [recorded_at, processed_at].map((time) => new Date(time).toISOString());
			expect(times).toEqual([row.date, row.processedDate]);
			expect(others).toEqual({
				...{ conversation_id: kept, rep: (row.user as IDataObject).email, title: row.title },
				...{ duration_seconds: row.duration, outcome: row.outcome, total_sold: row.totalSold },
				...{ rep_talk_ratio: row.repTalkRatio, summary: row.jobSummary, link: row.serviceUrl },
				details: { checklists: row.checklists, trackers: row.aiTrackers, customFields: row.customFields },
				gone_since: null,
			});
			const start = await position();
			expect(start >= before).toBe(true);

			// Reading it again would overwrite the title.
			await change("title = 'kept'", kept);
			const added = insertOne({ title: "O'Hara’s roof", outcome: null });
			await run();
			expect(await saved('title, outcome IS NULL', added)).toBe("O'Hara’s roof|t");
			await change("title = 'old'", added);
			await run();
			expect(await saved('title', added)).toBe("O'Hara’s roof");
			expect(await saved('title', kept)).toBe('kept');
			expect((await position()) > start).toBe(true);

			await sellLater(changed);
			testbed.sandbox.control.removeConversations(gone);
			const columns = 'conversation_id, recorded_at, processed_at, rep';
			const long = "now() - interval '40 days'";
			await sql(`INSERT INTO conversations (${columns}) VALUES ('older', ${long}, ${long}, 'r')`);
			await change('gone_since = now()', back);
			await run('Every Night');
			expect(await ids()).toEqual(['older', old, kept, gone, changed, back, added]);
			expect(await sql('SELECT conversation_id FROM conversations WHERE gone_since IS NOT NULL')).toEqual([
				gone,
			]);
			expect(await saved('outcome', changed)).toBe('Sold');
		});

		test('a run that cannot save its rows keeps the position, so that the next one saves them', async () => {
			const [refused, ...others] = insert({ count: 3 });
			await sql(`ALTER TABLE conversations ADD CONSTRAINT refused CHECK (conversation_id <> '${refused}')`);
			const start = await position();
			const failed = await testbed.n8n.client.run(workflowId, { trigger: 'Every Hour' });
			expect(errorOf(failed)?.message).toMatch(/refused/);
			expect(await position()).toBe(start);
			expect(await ids()).not.toContain(others[0]);

			await sql('ALTER TABLE conversations DROP CONSTRAINT refused');
			await run();
			expect(await ids()).toEqual(expect.arrayContaining([refused, ...others]));
		});
	});
});
