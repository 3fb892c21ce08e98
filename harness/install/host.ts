import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { npm } from '../processes/command';
import { HarnessProblem, inWords, type Report } from '../problem';
import { BUILD_TOOLS, canInstall, describeMissing, ensureTools, missing } from '../tools';
import { withLock } from './lock';

/**
 * The folder with the files that define which n8n to install: those of `harness/versions/n8n-newest`, or of the folder
 * that `PLAYGROUND_N8N` names: `n8n-oldest`.
 */
const MANIFEST_FOLDER = resolve(__dirname, '..', 'versions', process.env.PLAYGROUND_N8N || 'n8n-newest');
const MANIFEST_FILES = ['package.json', 'package-lock.json', '.npmrc'];

const manifest: { dependencies: { n8n: string } } = JSON.parse(
	readFileSync(join(MANIFEST_FOLDER, 'package.json'), 'utf8'),
);

/** The oldest major version of Node that n8n 2.41 supports. */
const N8N_NEEDS_NODE = 24;

export type Host = Awaited<ReturnType<typeof ensureHost>>;

/** Returns the installed n8n, after installing it if needed. */
export async function ensureHost(report: Report, signal?: AbortSignal) {
	const folder = hostFolder();
	const installIfMissing = async () => {
		if (!existsSync(folder)) await installHost(folder, report, signal);
	};
	const waitingFor = 'Waiting for another run to install n8n';
	if (!existsSync(folder)) await withLock(folder, installIfMissing, { report, waitingFor, signal });
	return {
		version: manifest.dependencies.n8n,
		/** The Node that runs n8n: this process's, or the one installed with n8n if that is too old. */
		node: findNode(folder),
		/** n8n's script, to run with {@link Host.node}. */
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

function findNode(folder: string): string {
	if (Number(process.versions.node.split('.')[0]) >= N8N_NEEDS_NODE) return process.execPath;
	const bundled = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
	if (existsSync(bundled)) return bundled;
	throw new HarnessProblem(
		`n8n ${manifest.dependencies.n8n} needs Node ${N8N_NEEDS_NODE} or newer; this is Node ${process.versions.node}, ` +
			`and this repository brings none for ${process.platform} on ${process.arch}. Install Node ${N8N_NEEDS_NODE} and run the command again.`,
	);
}

/**
 * The folder of the installed n8n, outside the repository so that all clones share it. Its name contains n8n's version
 * and a hash of the manifest, so a changed manifest gets a new folder.
 */
export function hostFolder(env: NodeJS.ProcessEnv = process.env): string {
	// `||` because an empty variable must not mean the current folder.
	const parent =
		env.PLAYGROUND_CACHE ||
		join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-conversation-intelligence');
	const hash = createHash('sha256');
	for (const file of MANIFEST_FILES) hash.update(readFileSync(join(MANIFEST_FOLDER, file)));
	hash.update(`${process.platform}-${process.arch}`);
	return resolve(parent, `host-${manifest.dependencies.n8n}-${hash.digest('hex').slice(0, 12)}`);
}

const REPORT_EVERY_MS = 15_000;

/**
 * Installs n8n into a folder. Works in a temporary folder that is renamed once complete, so an interrupted installation
 * is never mistaken for a complete one. The caller must hold the folder's lock.
 */
export async function installHost(folder: string, report: Report, signal?: AbortSignal): Promise<void> {
	const unfinished = join(dirname(folder), `.unfinished-${basename(folder)}`);
	// Without them, the driver can still be downloaded.
	if (canInstall())
		await ensureTools(BUILD_TOOLS, { report, signal }).catch((error: unknown) => report(inWords(error)));
	report(`Installing n8n ${manifest.dependencies.n8n} into ${folder} (only once; 3 to 8 minutes and 3 GB)`);
	const timer = setInterval(() => report('Still installing n8n'), REPORT_EVERY_MS);
	try {
		rmSync(unfinished, { recursive: true, force: true });
		mkdirSync(unfinished, { recursive: true });
		for (const file of MANIFEST_FILES) copyFileSync(join(MANIFEST_FOLDER, file), join(unfinished, file));
		// `npm ci` would fail when a registry lacks an optional package for another platform.
		await npm(unfinished, ['install'], { signal });
		await makeDriver(unfinished, signal);
	} finally {
		clearInterval(timer);
	}
	renameSync(unfinished, folder);
	report('n8n is installed; the next run skips this step');
}

/** Runs the database driver's install script, the only one that n8n needs: it downloads the driver or compiles it. */
async function makeDriver(unfinished: string, signal?: AbortSignal): Promise<void> {
	const prefixes = [join(dirname(realpathSync(process.execPath)), '..'), '/usr'];
	// A build would otherwise download Node's headers.
	const headers = prefixes.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node.h')));
	const env = headers && !process.env.npm_config_nodedir ? { npm_config_nodedir: headers } : undefined;
	try {
		await npm(unfinished, ['rebuild', 'sqlite3', '--ignore-scripts=false'], { signal, env });
	} catch (error) {
		const tools = missing(BUILD_TOOLS);
		if (tools.length === 0 || signal?.aborted) throw error;
		throw new HarnessProblem(`${inWords(error)}\n${describeMissing(tools)}`);
	}
}
