import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import source from '../../package.json';
import { TARBALL } from '../support/n8n';

const ROOT = join(__dirname, '..', '..');

/** The unpacked tarball, which every other test installs. */
const folder = mkdtempSync(join(tmpdir(), 'scan-'));
const own = join(folder, 'package');
execFileSync('tar', ['-xzf', process.env[TARBALL]!, '-C', folder]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as typeof source &
	Partial<Record<'dependencies' | 'overrides', object>>;
const files = readdirSync(own, { recursive: true, withFileTypes: true })
	.filter((file) => file.isFile())
	.map((file) => relative(own, join(file.parentPath, file.name)));
const textOf = (path: string) => readFileSync(join(own, path), 'utf8');

describe('The packed tarball', () => {
	test('contains only dist and documents', () => {
		const others = files.filter((path) => !path.startsWith('dist/'));
		expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
	});

	test('contains every registered node and credential with its icons and codex', () => {
		const registered = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
		const codex = manifest.n8n.nodes.map((path) => path.replace(/\.js$/, '.json'));
		expect(files).toEqual(expect.arrayContaining([...registered, ...codex]));
		for (const path of registered) {
			const icons = [...textOf(path).matchAll(/file:([\w.]+\.svg)/g)];
			expect(icons).toHaveLength(2);
			expect(files).toEqual(expect.arrayContaining(icons.map(([, icon]) => join(path, '..', icon))));
		}
	});

	test('has no run-time dependency, one peer, no overrides and no install script', () => {
		expect(manifest.dependencies ?? {}).toEqual({});
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.overrides).toBeUndefined();
		const scripts = Object.keys(manifest.scripts);
		expect(scripts.filter((name) => /^(prepare|(pre|post)?install)$/.test(name))).toEqual([]);
	});
});

/** What rules for malware look for in a text, whatever it means there. */
const PHRASES = [
	/\bdownload_?(file|payload|and_?exec\w*)\s*\(/i,
	/\b(curl|wget)\b[^\n]{0,200}\|\s*(ba)?sh\b|powershell|cmd\.exe|\/bin\/(ba)?sh|chmod \+x/i,
	/[A-Za-z0-9+/]{200}|(\\x[0-9a-f]{2}|\\u[0-9a-f]{4}){12}|(\d{1,3},\s?){40}/i,
	/(\beval|\bFunction|\batob|fromCharCode)\s*\(/,
	/child_process|\b(spawn|execSync|execFile|fork)\s*\(|process\.(env|binding)/,
	/\/etc\/passwd|\.ssh\/|webhook\.site|pastebin|ngrok|\bhttps?:\/\/\d+\.\d+\.\d+\.\d+/,
];

describe("n8n's scan of community packages", () => {
	const scan = () => {
		const tarball = join(folder, 'scanned.tgz');
		execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
		// Under "test", which jest sets, n8n's rules expect the file names of their own tests.
		const env = { ...process.env, NODE_ENV: undefined };
		return spawnSync(process.execPath, ['scripts/gate.mjs', tarball], { cwd: ROOT, encoding: 'utf8', env });
	};

	test('and rules that judge by text find no phrase of malware in any packed file', () => {
		const texts = files.map(textOf);
		expect(texts.length).toBeGreaterThan(50);
		expect(texts.filter((text) => PHRASES.some((phrase) => phrase.test(text)))).toEqual([]);
	});

	test('passes the packed tarball, and fails it for one line that breaks a rule', () => {
		expect(scan()).toMatchObject({ status: 0, stdout: expect.stringContaining("tarball passes n8n's scan") });

		appendFileSync(join(own, manifest.n8n.nodes[0]), '\nconsole.log(1);\n');
		const { status, stdout } = scan();
		expect(status).toBe(1);
		expect(stdout).toContain("source passes n8n's scan");
		expect(stdout).toMatch(/tarball fails n8n's scan[^]*no-console/);
	}, 60_000);
});
