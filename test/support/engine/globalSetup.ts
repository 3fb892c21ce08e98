import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sets up n8n's engine for all engine tests, with a folder of its own for binary data (jest's `globalSetup`). */
export default function globalSetup(): void {
	process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'engine-'));
	process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
	// What nodes log on purpose must not bury a failure; `N8N_LOG_LEVEL=info` shows it.
	process.env.N8N_LOG_LEVEL ??= 'silent';
}
