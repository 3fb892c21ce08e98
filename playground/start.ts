import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../sandbox';
import { saveSandboxCredentials, SIGNING_SECRET } from '../harness/credentials';
import { startDoubles } from '../harness/examples/doubles';
import { AVA, SALESFORCE_EVENT_ID, writeSampleVisits } from '../harness/examples/visits';
import { saveDoubleCredentials, savePostgresCredential } from '../harness/examples/credentials';
import { takeLock } from '../harness/install/lock';
import { installPackage, PACKAGE_FOLDER, packPackage } from '../harness/n8n/package';
import { startN8n } from '../harness/n8n/start';
import { OWNER } from '../harness/n8n/session';
import { requireFreePort } from '../harness/ports';
import { inWords, HarnessProblem, timedReport, type Report } from '../harness/problem';
import { startPostgres } from '../harness/queue/postgres';
import { POSTGRES } from '../harness/tools';
import { runExamples } from './once';
import { readOptions, USAGE, type StartOptions } from './options';
import { INTERRUPTED, Shutdown } from './shutdown';
import { RELOAD, watchNodes } from './watch';
import { exampleWorkflows, importMissing } from '../harness/workflows';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;

/**
 * Starts the sandbox, doubles of outside services and an n8n with this package, its owner and credentials.
 *
 * @param options - ports and sizes
 * @param userFolder - where n8n keeps its data
 * @param shutdown - receives the steps that stop everything
 */
async function startAll(options: StartOptions, userFolder: string, shutdown: Shutdown, report: Report) {
	await requireFreePort(options.port, 'n8n', '--port');
	await requireFreePort(options.sandboxPort, 'the local service', '--sandbox-port');
	const sandbox = await startSandbox({
		port: options.sandboxPort,
		conversations: options.conversations,
		signingSecret: SIGNING_SECRET,
		// So that presets such as "Yesterday" return rows and triggers in the editor receive conversations.
		from: new Date(Date.now() - YEAR_MS).toISOString(),
		to: 'now',
		...(!options.once && { newConversationSeconds: 60 }),
	});
	shutdown.add(() => sandbox.close());
	keepMatchable(sandbox, shutdown);
	const doubles = await startDoubles(sandbox.mails);
	shutdown.add(() => doubles.close());
	writeSampleVisits(doubles);
	sandbox.control.insertConversations({
		userEmail: AVA,
		date: new Date(Date.now() - DAY_MS).toISOString(),
		fields: { crmEventID: SALESFORCE_EVENT_ID },
	});
	installPackage(userFolder, await packPackage(userFolder, report, shutdown.signal));
	const env = { ...doubles.n8nEnvironment, ...(options.watch && RELOAD) };
	const n8n = await startN8n({ userFolder, port: options.port, env, report, signal: shutdown.signal });
	shutdown.add(() => n8n.stop());
	if (options.watch) {
		shutdown.add(await watchNodes(userFolder));
	}
	await saveSandboxCredentials(n8n.client, sandbox);
	await saveDoubleCredentials(n8n.client, doubles);
	return { sandbox, doubles, n8n };
}

/**
 * Records a conversation without an appointment, now and every quarter of an hour, near the sample appointment of
 * "Keep appointments in step", which starts ten minutes before its execution.
 */
function keepMatchable({ control }: Sandbox, shutdown: Shutdown): void {
	const record = () =>
		control.insertConversations({
			userEmail: 'ben.hansen@example.com',
			date: new Date(Date.now() - 10 * MINUTE_MS).toISOString(),
			fields: { crmEventID: null },
		});
	record();
	const timer = setInterval(record, 15 * MINUTE_MS);
	shutdown.add(async () => clearInterval(timer));
}

function temporaryFolder(shutdown: Shutdown): string {
	const folder = mkdtempSync(join(tmpdir(), 'conversation-intelligence-'));
	shutdown.add(async () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Runs the examples in a fresh n8n and prints what they did. Returns whether all passed. */
async function runOnce(options: StartOptions, shutdown: Shutdown, report: Report): Promise<boolean> {
	const { sandbox, doubles, n8n } = await startAll(options, temporaryFolder(shutdown), shutdown, report);
	const hasPostgres = POSTGRES.find() !== undefined;
	if (hasPostgres) {
		const postgres = await startPostgres(temporaryFolder(shutdown), shutdown.signal);
		shutdown.add(() => postgres.service.stop());
		await savePostgresCredential(n8n.client, postgres);
	}
	const outcomes = await runExamples({ client: n8n.client, sandbox, doubles }, hasPostgres, report);
	console.table(outcomes);
	console.log(
		'Language model, calendars, CRMs, dialer, Slack, Google Sheets, mail and storage were local doubles.',
	);
	return outcomes.every(({ result }) => result === 'ok' || result.startsWith('skipped'));
}

/** Runs n8n for the editor until Ctrl-C. Its data is kept for the next start. */
async function runEditor(options: StartOptions, shutdown: Shutdown, report: Report): Promise<boolean> {
	const userFolder = join(PACKAGE_FOLDER, '.playground');
	// Only one n8n at a time can use the folder's database.
	const release = takeLock(join(userFolder, 'running'));
	if (!release) {
		throw new HarnessProblem(
			'npm start is already running in this folder. Use its editor, or stop it with Ctrl-C.',
		);
	}
	shutdown.add(async () => release());
	const { sandbox, n8n } = await startAll(options, userFolder, shutdown, report);
	await importMissing(n8n.client, exampleWorkflows());
	console.log(welcome(n8n.url, sandbox));
	const end = await Promise.race([shutdown.requested(), n8n.service.ended]);
	if (typeof end === 'string' && !shutdown.signal.aborted) {
		throw new HarnessProblem(`n8n ended unexpectedly (${end}). See its log: ${n8n.service.logFile}`);
	}
	report('Stopping');
	return true;
}

/** The text that `npm start` prints once everything is running. */
function welcome(editorUrl: string, sandbox: Sandbox): string {
	return `
  Workflows       ${editorUrl}/home/workflows
  Log in          ${OWNER.email}   ${OWNER.password}
  Local service   ${sandbox.url}   (a new conversation every minute)
  Base URLs       ${sandbox.exportUrl}   ${sandbox.crmUrl}
  API key         ${sandbox.keys.organization}
  Signing secret of webhook subscriptions   ${SIGNING_SECRET}

First rows: Create workflow > Add first step > search "conversation" > Conversation Intelligence > Actions >
Get many conversations > Execute step. docs/getting-started.md continues with a webhook and a poll.
A whole job: open the workflow "Yesterday’s lost deals by mail", click "Execute workflow" and look at the mail on the
local service's page. Language model, calendars, CRMs, Slack, Google Sheets, mail and storage are local
doubles with credentials. PostgreSQL and the nodes named "(replace me)" need your own.
Your workflows are kept in .playground/ for the next start. Delete that folder to start over.
Ctrl-C stops everything.
`;
}

async function main(shutdown: Shutdown): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	const isOk = await (options.once ? runOnce : runEditor)(options, shutdown, timedReport());
	return isOk ? 0 : 1;
}

const shutdown = new Shutdown();
void main(shutdown)
	.catch((error: unknown) => {
		if (shutdown.signal.aborted) return INTERRUPTED;
		console.error(`\n${inWords(error)}`);
		return 1;
	})
	.then(async (exitCode) => {
		await shutdown.run();
		process.exit(exitCode);
	});
