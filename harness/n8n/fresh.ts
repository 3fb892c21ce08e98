import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage, packPackage } from './package';
import { startN8n, type RunningN8n, type StartN8nOptions } from './start';
import { timedReport, type Report } from '../problem';

/** The environment variable through which `globalSetup` passes the path of the packed package to tests. */
export const TARBALL = 'PLAYGROUND_TEST_TARBALL';

/** Bypasses jest's console, which delays lines and adds a stack trace to each. */
export const progress: Report = timedReport((line) => process.stderr.write(`${line}\n`));

/** A real n8n with this package. */
export interface TestN8n extends RunningN8n {
	userFolder: string;
	/** Stops n8n and removes its user folder. */
	stop(): Promise<void>;
}

/** The package packed by this jest run, or else (in benchmarks) packed into the folder. */
async function tarballFor(folder: string): Promise<string> {
	return process.env[TARBALL] ?? (await packPackage(folder, progress));
}

/**
 * Installs the packed package into a fresh n8n and starts it. Share it within a test file, because starting
 * takes about ten seconds.
 */
export async function startTestN8n(options: Omit<StartN8nOptions, 'userFolder'> = {}): Promise<TestN8n> {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-test-'));
	const removeFolder = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		installPackage(userFolder, await tarballFor(userFolder));
		const n8n = await startN8n({ report: progress, ...options, userFolder });
		const stop = async () => {
			try {
				await n8n.stop();
			} finally {
				removeFolder();
			}
		};
		// Keeps the `log` getter, which a spread would read now.
		return Object.assign(Object.create(n8n), { userFolder, stop });
	} catch (error) {
		removeFolder();
		throw error;
	}
}
