import { join } from 'node:path';
import { SIGNING_SECRET } from '../harness/credentials';
import { savePostgresCredential } from '../harness/examples/credentials';
import { takeLock } from '../harness/install/lock';
import { PACKAGE_FOLDER } from '../harness/n8n/package';
import { OWNER } from '../harness/n8n/session';
import type { RunningN8n } from '../harness/n8n/start';
import { inWords, HarnessProblem, repeating, timedReport, type Report } from '../harness/problem';
import { startPostgres } from '../harness/queue/databases';
import { POSTGRES } from '../harness/tools';
import { exampleWorkflows, importMissing } from '../harness/workflows';
import type { Sandbox } from '../sandbox';
import { runExamples } from './once';
import { printRejections } from './rejections';
import { readOptions, USAGE, type StartOptions } from './options';
import { INTERRUPTED, Shutdown } from './shutdown';
import { startStage, temporaryFolder } from './stage';

/** Runs the examples in a fresh n8n and prints what they did. Returns whether all passed. */
async function runOnce(options: StartOptions, shutdown: Shutdown, print: Report): Promise<boolean> {
	const { report } = repeating(print);
	const stage = await startStage(options, temporaryFolder(shutdown), shutdown, report);
	const hasPostgres = POSTGRES.find() !== undefined;
	if (hasPostgres) {
		const postgres = await startPostgres(temporaryFolder(shutdown), shutdown.signal);
		shutdown.add(() => postgres.service.stop());
		await savePostgresCredential(stage.n8n.client, postgres);
	}
	const outcomes = await runExamples(stage, hasPostgres, report);
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
	const steps = repeating(report);
	const { sandbox, n8n } = await startStage(options, userFolder, shutdown, steps.report);
	await importMissing(n8n.client, exampleWorkflows());
	steps.stop();
	console.log(welcome(n8n, sandbox));
	shutdown.add(printRejections(n8n.service.logFile, report));
	const end = await Promise.race([shutdown.requested(), n8n.service.ended]);
	if (typeof end === 'string' && !shutdown.signal.aborted) {
		throw new HarnessProblem(`n8n ended unexpectedly (${end}). See its log: ${n8n.service.logFile}`);
	}
	report('Stopping');
	return true;
}

/** The text that `npm start` prints once everything is running. */
function welcome({ url, password }: RunningN8n, sandbox: Sandbox): string {
	return `
  Workflows       ${url}/home/workflows
  Log in          ${OWNER.email}   ${password}
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
