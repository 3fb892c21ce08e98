import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost } from '../../harness/install/host';
import { packPackage } from '../../harness/n8n/package';
import { inWords } from '../../harness/problem';
import { progress, TARBALL } from './n8n';

/** Installs n8n and packs the package once for all test files (jest's `globalSetup`). */
export default async function globalSetup(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-tarball-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	try {
		await ensureHost(progress);
		// A release tests the file that it publishes.
		process.env[TARBALL] ||= await packPackage(folder, progress);
	} catch (error) {
		throw new Error(inWords(error), { cause: error });
	}
}
