import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage, packPackage } from './package';
import { startN8n, type RunningN8n, type StartN8nOptions } from './start';
import { freePort } from '../ports';
import { timedReport, type Report } from '../problem';

/** The environment variable through which `globalSetup` passes the path of the packed package to tests. */
export const TARBALL = 'PLAYGROUND_TEST_TARBALL';

/** Bypasses jest's console, which delays lines and adds a stack trace to each. */
export const progress: Report = timedReport((line) => process.stderr.write(`${line}\n`));

export interface TestN8n extends RunningN8n {
	userFolder: string;
	/** Starts n8n again, on the same data and port, after {@link kill}. */
	restart(): Promise<void>;
	/** Stops n8n and removes its user folder. */
	stop(): Promise<void>;
}

/** The package packed by this jest run, or else (in benchmarks) packed into the folder. */
export async function tarballFor(folder: string): Promise<string> {
	return process.env[TARBALL] ?? (await packPackage(folder, progress));
}

/**
 * Installs the packed package into a fresh n8n and starts it. Share it within a test file, because starting
 * takes about ten seconds.
 */
export async function startTestN8n(options: Omit<StartN8nOptions, 'userFolder' | 'report'> = {}) {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-test-'));
	const removeFolder = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		installPackage(userFolder, await tarballFor(userFolder));
		const port = await freePort();
		const start = async () => await startN8n({ report: progress, port, ...options, userFolder });
		let running = await start();
		// Inherits from the running n8n, because a spread would read its `log` now.
		const n8n: TestN8n = Object.assign(Object.create(running), {
			userFolder,
			restart: async () => void Object.setPrototypeOf(n8n, (running = await start())),
			stop: async () => {
				try {
					await running.stop();
				} finally {
					removeFolder();
				}
			},
		});
		return n8n;
	} catch (error) {
		removeFolder();
		throw error;
	}
}
