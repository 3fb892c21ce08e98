import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage, packPackage } from './package';
import { startN8n, type RunningN8n, type StartN8nOptions } from './start';
import { timedReport, type Report } from '../problem';

/** The environment variable in which `globalSetup` tells the test files where the packed package is. */
export const TARBALL = 'PLAYGROUND_TEST_TARBALL';

/** Prints progress past jest, which holds the console's lines back and adds a stack trace to each. */
export const progress: Report = timedReport((line) => process.stderr.write(`${line}\n`));

/** A real n8n with this package, for one test file. */
export interface TestN8n extends RunningN8n {
	userFolder: string;
	/** Ends n8n and removes its user folder. */
	stop(): Promise<void>;
}

/** The packed package: the one of this run of jest, or packed anew into a folder where there is none (benchmarks). */
async function tarballFor(folder: string): Promise<string> {
	return process.env[TARBALL] ?? (await packPackage(folder, progress));
}

/**
 * Installs the packed package into a fresh n8n and starts it. Use one for a whole test file:
 * a start takes about ten seconds.
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
		// The log is read when asked for, so it must not be copied here.
		return Object.assign(Object.create(n8n), { userFolder, stop });
	} catch (error) {
		removeFolder();
		throw error;
	}
}
