import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sets up n8n's engine for all engine tests, with a new folder for binary data (jest's `globalSetup`). */
export default function globalSetup(): void {
	const folder = mkdtempSync(join(tmpdir(), 'engine-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	process.env.N8N_USER_FOLDER = folder;
	process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
	// Of this process: no workflow has it, so that nothing depends on it unnoticed.
	process.env.TZ ??= 'America/St_Johns';
	// Intended log lines of nodes would bury a failure; `N8N_LOG_LEVEL=info` shows them.
	process.env.N8N_LOG_LEVEL ??= 'silent';
}
