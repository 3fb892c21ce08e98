import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

test('npm pack refuses in a fresh clone, because nothing is built', () => {
	const clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
	try {
		for (const file of ['package.json', '.npmrc']) copyFileSync(join(ROOT, file), join(clone, file));
		const { status, stderr } = spawnSync('npm', ['pack'], { cwd: clone, encoding: 'utf8' });
		expect(status).not.toBe(0);
		expect(stderr).toContain(`${clone}/release/`);
		expect(existsSync(join(clone, 'release'))).toBe(false);
	} finally {
		rmSync(clone, { recursive: true });
	}
}, 30_000);
