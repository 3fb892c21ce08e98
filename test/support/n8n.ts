import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage, packPackage } from '../../playground/n8n/package';
import { startN8n, type RunningN8n, type StartN8nOptions } from '../../playground/n8n/start';
import { timedReport, type Report } from '../../playground/problem';

/** How long `beforeAll` may take: n8n may have to be installed first, and its database driver compiled. */
export const N8N_START_LIMIT_MS = 20 * 60_000;

/** Prints progress past jest, which holds the console's lines back and adds a stack trace to each. */
export const progress: Report = timedReport((line) => process.stderr.write(`${line}\n`));

/** A real n8n with this package, for one test file. */
export interface TestN8n extends RunningN8n {
	userFolder: string;
	/** Ends n8n and removes its user folder. */
	stop(): Promise<void>;
}

/**
 * Packs this package, installs the tarball into a fresh n8n and starts it. Use one for a whole test file:
 * a start takes about ten seconds.
 */
export async function startTestN8n(options: Omit<StartN8nOptions, 'userFolder'> = {}): Promise<TestN8n> {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-test-'));
	const removeFolder = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		installPackage(userFolder, await packPackage(userFolder, progress));
		const n8n = await startN8n({ report: progress, ...options, userFolder });
		const stop = async () => {
			await n8n.stop();
			removeFolder();
		};
		// The log is read when asked for, so it must not be copied here.
		return Object.assign(Object.create(n8n), { userFolder, stop });
	} catch (error) {
		removeFolder();
		throw error;
	}
}
