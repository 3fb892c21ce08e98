import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerPassword } from '../../../../harness/n8n/session';

test('each n8n has a password of its own, which is kept for the next start and read by its user alone', () => {
	const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'password-')));
	const [first, second] = folders.map(ownerPassword);
	expect(first).not.toBe(second);
	expect(ownerPassword(folders[0])).toBe(first);
	expect(statSync(join(folders[0], 'owner-password')).mode & 0o777).toBe(0o600);
	for (const password of [first, second]) expect(password).toMatch(/^(?=.*[0-9])(?=.*[A-Z])[\w-]{20,}$/);
	for (const folder of folders) rmSync(folder, { recursive: true });
});
