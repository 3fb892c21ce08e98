import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveSandboxCredentials, SIGNING_SECRET } from '../harness/credentials';
import { saveDoubleCredentials } from '../harness/examples/credentials';
import { startDoubles } from '../harness/examples/doubles';
import { AVA, SALESFORCE_EVENT_ID, writeSampleVisits } from '../harness/examples/visits';
import { installPackage, packPackage, PACKAGE_FOLDER } from '../harness/n8n/package';
import { startN8n } from '../harness/n8n/start';
import { requireFreePort } from '../harness/ports';
import type { Report } from '../harness/problem';
import { Service } from '../harness/processes/service';
import { startSandbox, type Sandbox } from '../sandbox';
import type { StartOptions } from './options';
import type { Shutdown } from './shutdown';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;

/** Starts the sandbox, doubles of outside services and an n8n with this package, its owner and credentials. */
export async function startStage(
	options: StartOptions,
	userFolder: string,
	shutdown: Shutdown,
	report: Report,
) {
	await requireFreePort(options.port, 'n8n', '--port');
	await requireFreePort(options.sandboxPort, 'the local service', '--sandbox-port');
	const sandbox = await startSandbox({
		port: options.sandboxPort,
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
	// Lets n8n reload a changed node.
	const env = { ...doubles.n8nEnvironment, ...(options.watch && { N8N_DEV_RELOAD: 'true' }) };
	const n8n = await startN8n({ userFolder, port: options.port, env, report, signal: shutdown.signal });
	shutdown.add(() => n8n.stop());
	if (options.watch) shutdown.add(await watchNodes(userFolder));
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

/**
 * Compiles or copies every change of a node, icon, codex file or schema directly into the package that n8n has installed.
 */
async function watchNodes(userFolder: string): Promise<() => Promise<void>> {
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-conversation-intelligence/dist');
	const start = (name: string, ...args: string[]) =>
		Service.start({
			name,
			command: process.execPath,
			args: [`node_modules/.bin/${name}`, ...args],
			cwd: PACKAGE_FOLDER,
			env: { ...process.env, DIST: installed },
			logFile: join(userFolder, `${name}.log`),
		});
	const compile = ['--watch', '--preserveWatchOutput', '--outDir', installed];
	const services = [await start('tsc', ...compile), await start('gulp', 'watch')];
	return async () => void (await Promise.all(services.map(async (service) => await service.stop())));
}

/** A folder that is removed at the end. */
export function temporaryFolder(shutdown: Shutdown): string {
	const folder = mkdtempSync(join(tmpdir(), 'conversation-intelligence-'));
	shutdown.add(async () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
