import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { savePostgresCredential, startExamplePostgres } from '../../harness/examples/postgres';
import { errorOf } from '../../harness/n8n/execution';
import { runCommand } from '../../harness/processes/command';
import type { Postgres } from '../../harness/queue/postgres';
import { ensureTools } from '../../harness/tools/install';
import { POSTGRES } from '../../harness/tools/systemTools';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';

const WEEK_MS = 7 * 86_400_000;

describe('The incremental export to PostgreSQL, in a real n8n and a real PostgreSQL', () => {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-postgres-'));
	let testbed: ExamplesTestbed;
	let postgres: Postgres;
	let programs: string;
	let workflowId: string;

	beforeAll(async () => {
		await ensureTools([POSTGRES], { report: progress });
		programs = dirname(POSTGRES.find()!);
		postgres = (await startExamplePostgres(folder))!;
		testbed = await startExamplesTestbed();
		await savePostgresCredential(testbed.n8n.client, postgres);
		workflowId = await testbed.importExample('export-to-postgresql');
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await testbed?.stop();
		await postgres?.service.stop();
		rmSync(folder, { recursive: true, force: true });
	}, 60_000);

	/** Runs SQL and returns the lines of the result, with `|` between columns. */
	const sql = async (statement: string): Promise<string[]> => {
		const { DB_POSTGRESDB_PORT: port, DB_POSTGRESDB_DATABASE: database } = postgres.n8nEnvironment;
		const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-d', database];
		const result = await runCommand(
			join(programs, 'psql'),
			[...connection, '-v', 'ON_ERROR_STOP=1', '-Atc', statement],
			{ cwd: '/' },
		);
		if (result.code !== 0) throw new Error(result.stderr);
		return result.stdout.split('\n').filter(Boolean);
	};
	const runExample = async () => await testbed.n8n.client.run(workflowId, { trigger: 'Every Hour' });
	const position = async () => {
		const rows = await testbed.n8n.client.tableRows<{ processedUntil: string }>('Export positions');
		expect(rows).toHaveLength(1);
		return rows[0].processedUntil;
	};
	const idsInTable = async () => await sql('SELECT conversation_id FROM conversations ORDER BY 1');

	/** IDs of the conversations that the service processed in the last seven days. */
	const idsOfLastWeek = async () => {
		const ids: string[] = [];
		for (let page = 1; ; page++) {
			const { conversations } = await testbed.ask<{ conversations: Array<{ conversationId: string }> }>(
				'/export/conversations',
				{
					fromDate: new Date(Date.now() - WEEK_MS).toISOString(),
					toDate: new Date().toISOString(),
					dateType: 'processedDate',
					page,
				},
			);
			if (conversations.length === 0) return ids.sort();
			ids.push(...conversations.map(({ conversationId }) => conversationId));
		}
	};

	test('the first run saves the last seven days with typed values', async () => {
		const before = new Date().toISOString();
		expect(errorOf(await runExample())).toBeUndefined();
		const ids = await idsOfLastWeek();
		expect(ids.length).toBeGreaterThan(50);
		expect(await idsInTable()).toEqual(ids);
		const [typed] = await sql(
			"SELECT count(*) FROM conversations WHERE processed_at > recorded_at AND duration_seconds > 0 AND jsonb_typeof(details->'checklists') = 'array'",
		);
		expect(typed).toBe(String(ids.length));
		expect((await position()) >= before).toBe(true);
	}, 120_000);

	test('the next run saves new conversations, updates changed ones, and reads only the last hour again', async () => {
		const [first] = await idsInTable();
		await sql(`UPDATE conversations SET title = 'kept' WHERE conversation_id = '${first}'`);
		const [added] = testbed.sandbox.control.insertConversations({
			fields: { title: "O'Hara’s roof", outcome: null },
		});
		const start = await position();
		expect(errorOf(await runExample())).toBeUndefined();
		expect(await idsInTable()).toContain(added);
		expect(
			await sql(`SELECT title, outcome IS NULL FROM conversations WHERE conversation_id = '${added}'`),
		).toEqual(["O'Hara’s roof|t"]);
		// Reading it again would have overwritten the title.
		expect(await sql(`SELECT title FROM conversations WHERE conversation_id = '${first}'`)).toEqual(['kept']);
		expect((await position()) > start).toBe(true);

		await sql(`UPDATE conversations SET title = 'old' WHERE conversation_id = '${added}'`);
		const count = (await idsInTable()).length;
		expect(errorOf(await runExample())).toBeUndefined();
		expect(await sql(`SELECT title FROM conversations WHERE conversation_id = '${added}'`)).toEqual([
			"O'Hara’s roof",
		]);
		expect(await idsInTable()).toHaveLength(count);
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

	test('the position advances even when nothing is new', async () => {
		testbed.sandbox.control.removeConversations(...(await recent()));
		const start = await position();
		expect(errorOf(await runExample())).toBeUndefined();
		expect((await position()) > start).toBe(true);
	}, 120_000);

	/** IDs of the conversations that the tests inserted. */
	const recent = async () =>
		await sql("SELECT conversation_id FROM conversations WHERE processed_at > now() - interval '1 hour'");
});
