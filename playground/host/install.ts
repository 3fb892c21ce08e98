import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Report } from '../problem';
import { MANIFEST_FILES, MANIFEST_FOLDER, manifest } from './location';
import { runs } from './lock';
import { npm } from './npm';
import { requireDiskSpace, requireNpm, requireRegistry } from './requirements';

const REPORT_EVERY_MS = 15_000;

/**
 * Installs n8n into a folder. The work is done in a folder beside it that gets its name only when all is complete,
 * so an interrupted installation is never taken for a whole one.
 *
 * @param folder - where n8n is to be; must not exist
 * @throws {PlaygroundProblem} when the network, npm, the disk or a compiler is missing
 */
export async function installHost(folder: string, report: Report, signal?: AbortSignal): Promise<void> {
	const parent = dirname(folder);
	requireDiskSpace(parent);
	await requireNpm(parent);
	await requireRegistry(parent, manifest.dependencies.n8n);
	removeLeftovers(parent);
	const unfinished = join(parent, `.unfinished-${basename(folder)}-${process.pid}`);
	mkdirSync(unfinished);
	try {
		for (const file of MANIFEST_FILES) copyFileSync(join(MANIFEST_FOLDER, file), join(unfinished, file));
		report(
			`Installing n8n ${manifest.dependencies.n8n} into ${parent} – once, about 3 to 8 minutes and 3 GB`,
		);
		await reportWhile(
			// Not `npm ci`: it refuses the lock file when a registry lacks an optional package of another platform.
			npm(unfinished, ['install', '--ignore-scripts', '--no-audit', '--no-fund'], signal),
			() => `Downloading and unpacking: ${countPackages(unfinished)} of ${countLocked()} packages`,
			report,
		);
		// Of all the install scripts only this one is needed: the database driver's own binary.
		await reportWhile(
			npm(unfinished, ['rebuild', 'sqlite3', '--ignore-scripts=false'], signal),
			() => 'Preparing the database driver (seconds; up to 2 minutes where it must be compiled)',
			report,
		);
		if (!existsSync(folder)) renameSync(unfinished, folder);
		report('n8n is installed; the next run starts at once');
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
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

/** Removes what an earlier installation left behind when it was killed. */
function removeLeftovers(parent: string): void {
	for (const name of readdirSync(parent)) {
		const pid = /^\.unfinished-.*-(\d+)$/.exec(name)?.[1];
		if (pid && !runs(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
	}
}

/** How many packages of the first level are unpacked: npm makes all folders first and fills them one by one. */
function countPackages(folder: string): number {
	const modules = join(folder, 'node_modules');
	if (!existsSync(modules)) return 0;
	const names = readdirSync(modules).flatMap((name) =>
		name.startsWith('@') ? readdirSync(join(modules, name)).map((rest) => `${name}/${rest}`) : [name],
	);
	return names.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

function countLocked(): number {
	const lock: { packages: Record<string, { os?: string[] }> } = JSON.parse(
		readFileSync(join(MANIFEST_FOLDER, 'package-lock.json'), 'utf8'),
	);
	return Object.keys(lock.packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)).length;
}
