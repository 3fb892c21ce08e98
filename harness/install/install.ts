import {
	copyFileSync,
	existsSync,
	mkdirSync,
	realpathSync,
	renameSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { HarnessProblem, inWords, type Report } from '../problem';
import { npm } from '../processes/npm';
import { canInstall, ensureTools } from '../tools/install';
import { BUILD_TOOLS, describeMissing, missing } from '../tools/systemTools';
import { MANIFEST_FILES, MANIFEST_FOLDER, manifest } from './location';

const REPORT_EVERY_MS = 30_000;
/** n8n and its dependencies take 2.8 GB, npm's cache and temporary files almost as much. */
const NEEDED_GIGABYTES = 5;
/** Marks an unfinished folder whose packages are all unpacked. */
const UNPACKED = '.unpacked';

/**
 * Installs n8n into a folder. Works in a temporary folder that is renamed once complete, so an interrupted
 * installation is never mistaken for a complete one. When only the database driver fails, the unpacked
 * packages stay and the next installation continues from there. The caller must hold the folder's lock.
 *
 * @param folder - must not exist yet
 * @throws {HarnessProblem} that quotes npm, or names what is missing
 */
export async function installHost(folder: string, report: Report, signal?: AbortSignal): Promise<void> {
	const unfinished = join(dirname(folder), `.unfinished-${basename(folder)}`);
	// Without them, the driver can still be downloaded.
	if (canInstall())
		await ensureTools(BUILD_TOOLS, { report, signal }).catch((error: unknown) => report(inWords(error)));
	report(`Installing n8n ${manifest.dependencies.n8n} into ${folder} (only once; 3 to 8 minutes and 3 GB)`);
	const timer = setInterval(() => report('Still installing n8n'), REPORT_EVERY_MS);
	try {
		if (!existsSync(join(unfinished, UNPACKED))) await unpack(unfinished, signal);
		await makeDriver(unfinished, signal);
	} finally {
		clearInterval(timer);
	}
	renameSync(unfinished, folder);
	report('n8n is installed; the next run skips this step');
}

/** Downloads and unpacks all packages. */
async function unpack(unfinished: string, signal?: AbortSignal): Promise<void> {
	rmSync(unfinished, { recursive: true, force: true });
	mkdirSync(unfinished, { recursive: true });
	requireDiskSpace(unfinished);
	for (const file of MANIFEST_FILES) copyFileSync(join(MANIFEST_FOLDER, file), join(unfinished, file));
	// `npm ci` would fail when a registry lacks an optional package for another platform.
	await npm(unfinished, ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { signal });
	writeFileSync(join(unfinished, UNPACKED), '');
}

function requireDiskSpace(folder: string): void {
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / 1e9;
	if (free > NEEDED_GIGABYTES) return;
	throw new HarnessProblem(
		`Installing n8n needs about ${NEEDED_GIGABYTES} GB, but ${folder} has only ${free.toFixed(1)} GB left. ` +
			'Free some space, or set PLAYGROUND_CACHE to a folder on another disk.',
	);
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
