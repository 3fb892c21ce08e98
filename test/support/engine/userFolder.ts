import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n's folder: binary data of the runs goes there. One for each test file, gone when the file has ended.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'engine-'));
	process.env.N8N_USER_FOLDER = folder;
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
process.env.N8N_ENCRYPTION_KEY ??= 'engine-tests';
