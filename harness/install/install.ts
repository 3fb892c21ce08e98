import { copyFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { HarnessProblem, inWords, type Report } from '../problem';
import { npm } from '../processes/npm';
import { canInstall, ensureTools } from '../tools/install';
import { BUILD_TOOLS, describeMissing, missing } from '../tools/systemTools';
import { MANIFEST_FILES, MANIFEST_FOLDER, manifest } from './location';

const REPORT_EVERY_MS = 30_000;

/**
 * Installs n8n into a folder. Works in a temporary folder that is renamed once complete, so an interrupted
 * installation is never mistaken for a complete one. The caller must hold the folder's lock.
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
