import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Report } from '../problem';
import { makeDriver, requireDriver } from './driver';
import { MANIFEST_FILES, MANIFEST_FOLDER, manifest } from './location';
import { takeLock } from './lock';
import { npm } from './npm';
import { countLocked, countUnpacked } from './progress';
import { requireDiskSpace, requireRegistry } from './requirements';

const REPORT_EVERY_MS = 15_000;
const UNFINISHED = '.unfinished-';
/** Marks an unfinished folder whose packages are all unpacked. */
const UNPACKED = '.unpacked';

/**
 * Installs n8n into a folder. Works in a temporary folder that is renamed once complete, so an interrupted
 * installation is never mistaken for a complete one. When only the database driver fails, the unpacked
 * packages stay and the next installation continues from there. The caller must hold the folder's lock.
 *
 * @param folder - must not exist yet
 * @throws {HarnessProblem} when the network, disk space or a compiler is missing
 */
export async function installHost(folder: string, report: Report, signal?: AbortSignal): Promise<void> {
	const parent = dirname(folder);
	const unfinished = join(parent, UNFINISHED + basename(folder));
	await requireDriver(report, signal);
	if (!existsSync(join(unfinished, UNPACKED))) {
		requireDiskSpace(parent);
		await requireRegistry(parent, manifest.dependencies.n8n, signal);
		removeLeftovers(parent, folder);
		report(
			`Installing n8n ${manifest.dependencies.n8n} into ${parent} (only once; takes 3 to 8 minutes and 3 GB)`,
		);
		await unpack(unfinished, report, signal);
	}
	await reportWhile(
		makeDriver(unfinished, signal),
		() => 'Preparing the database driver (up to 2 minutes if it must be compiled)',
		report,
	);
	renameSync(unfinished, folder);
	report('n8n is installed; the next run skips this step');
}

/** Downloads and unpacks all packages; removes the folder if that fails. */
async function unpack(unfinished: string, report: Report, signal?: AbortSignal): Promise<void> {
	rmSync(unfinished, { recursive: true, force: true });
	mkdirSync(unfinished);
	try {
		for (const file of MANIFEST_FILES) copyFileSync(join(MANIFEST_FOLDER, file), join(unfinished, file));
		await reportWhile(
			// `npm ci` would fail when a registry lacks an optional package for another platform.
			npm(unfinished, ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { signal }),
			() => `Downloading and unpacking: ${countUnpacked(unfinished)} of ${countLocked()} packages`,
			report,
		);
		writeFileSync(join(unfinished, UNPACKED), '');
	} catch (error) {
		rmSync(unfinished, { recursive: true, force: true });
		throw error;
	}
}

async function reportWhile(work: Promise<unknown>, describe: () => string, report: Report): Promise<void> {
	report(describe());
	const timer = setInterval(() => report(describe()), REPORT_EVERY_MS);
	try {
		await work;
	} finally {
		clearInterval(timer);
	}
}

/** Removes interrupted installations of other versions; running ones hold their lock. */
function removeLeftovers(parent: string, own: string): void {
	for (const name of readdirSync(parent).filter((each) => each.startsWith(UNFINISHED))) {
		const folder = join(parent, name.slice(UNFINISHED.length));
		if (folder === own) continue;
		const release = takeLock(folder);
		if (!release) continue;
		rmSync(join(parent, name), { recursive: true, force: true });
		release();
	}
}
