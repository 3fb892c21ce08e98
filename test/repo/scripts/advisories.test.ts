import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const NONE = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };
const SIGNED = { invalid: [], missing: [] };

interface Reports {
	signatures: object;
	ofPackage: object;
	ofOthers: object;
}

/** Runs the check with an npm that prints these reports. */
function check({ signatures, ofPackage, ofOthers }: Reports) {
	const bin = mkdtempSync(join(tmpdir(), 'npm-'));
	const print = (report: object) => `echo '${JSON.stringify(report)}'`;
	const script = `#!/bin/sh
case "$*" in
  *signatures*) ${print(signatures)} ;;
  *--omit=dev*) ${print(ofPackage)} ;;
  *) ${print(ofOthers)} ;;
esac
exit 1
`;
	writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
	try {
		const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
		return spawnSync(process.execPath, ['scripts/advisories.mjs'], { cwd: ROOT, env, encoding: 'utf8' });
	} finally {
		rmSync(bin, { recursive: true });
	}
}

const found = (severities: object) => ({ metadata: { vulnerabilities: { ...NONE, ...severities } } });

test('passes and says so when the registry has no such endpoint', () => {
	const refused = { message: '405 Method Not Allowed', method: 'POST' };
	const { status, stdout } = check({ signatures: refused, ofPackage: refused, ofOthers: refused });
	expect(status).toBe(0);
	expect(stdout).toContain('Signatures: not checked, because the registry gave no report.');
	expect(stdout).toContain('The package: not checked, because the registry gave no report.');
	expect(stdout).toContain('Locked in harness/versions/n8n-oldest: not checked');
});

test('lists advisories of development tools and of n8n without failing', () => {
	const { status, stdout } = check({
		signatures: SIGNED,
		ofPackage: found({}),
		ofOthers: found({ high: 2, critical: 1, total: 3 }),
	});
	expect(status).toBe(0);
	expect(stdout).toContain('Signatures: all valid\nThe package: no advisory\n');
	expect(stdout).toContain('Locked in harness/versions/n8n-newest: 2 high, 1 critical');
});

test('fails for an advisory of what the published package needs', () => {
	const { status, stdout } = check({
		signatures: SIGNED,
		ofPackage: found({ low: 1, total: 1 }),
		ofOthers: found({}),
	});
	expect(status).toBe(1);
	expect(stdout).toContain('FAILED The package: 1 low');
});

test.each(['invalid', 'missing'])('fails for a package with an %s signature', (kind) => {
	const signatures = { ...SIGNED, [kind]: [{ name: 'left', version: '1.0.0' }] };
	const { status, stdout } = check({ signatures, ofPackage: found({}), ofOthers: found({}) });
	expect(status).toBe(1);
	expect(stdout).toContain('FAILED Signatures: left@1.0.0');
});
