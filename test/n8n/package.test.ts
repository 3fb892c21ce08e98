import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

interface Manifest {
	name: string;
	version: string;
	dependencies?: object;
	peerDependencies: object;
	overrides?: object;
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

describe('The packed tarball', () => {
	let files: string[];

	beforeAll(() => {
		const json = execFileSync('npm', ['pack', '--dry-run', '--json'], {
			cwd: ROOT,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [packed] = Object.values(JSON.parse(json.toString()) as Array<{ files: Array<{ path: string }> }>);
		files = packed.files.map(({ path }) => path);
	});

	test('contains only dist and documents', () => {
		const others = files.filter((path) => !path.startsWith('dist/'));
		expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
	});

	test('contains every registered node and credential with its icons and codex', () => {
		const registered = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
		const codex = manifest.n8n.nodes.map((path) => path.replace(/\.js$/, '.json'));
		expect(files).toEqual(expect.arrayContaining([...registered, ...codex]));
		for (const path of registered) {
			const source = readFileSync(join(ROOT, path), 'utf8');
			const icons = [...source.matchAll(/file:([\w.]+\.svg)/g)].map(([, icon]) => join(path, '..', icon));
			expect(icons).toHaveLength(2);
			expect(files).toEqual(expect.arrayContaining(icons));
		}
	});

	test('has no run-time dependency, one peer, no overrides and no install script', () => {
		expect(manifest.dependencies ?? {}).toEqual({});
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.overrides).toBeUndefined();
		expect(
			Object.keys(manifest.scripts).filter((name) => /^(prepare|(pre|post)?install)$/.test(name)),
		).toEqual([]);
	});
});

describe("n8n's scan of community packages", () => {
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'scan-'));
		execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
		execFileSync('tar', ['-xzf', join(folder, `${manifest.name}-${manifest.version}.tgz`), '-C', folder]);
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** Scans the tarball of a folder that holds `package/`. */
	const scan = () => {
		const tarball = join(folder, 'scanned.tgz');
		execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
		// Under "test", which jest sets, n8n's rules expect the file names of their own tests.
		const env = { ...process.env, NODE_ENV: undefined };
		return spawnSync(process.execPath, ['scripts/gate.mjs', tarball], { cwd: ROOT, encoding: 'utf8', env });
	};

	test('passes the packed tarball, and fails it for one line that breaks a rule', () => {
		expect(scan()).toMatchObject({ status: 0, stdout: expect.stringContaining("tarball passes n8n's scan") });

		appendFileSync(join(folder, 'package', manifest.n8n.nodes[0]), '\nconsole.log(1);\n');
		const { status, stdout } = scan();
		expect(status).toBe(1);
		expect(stdout).toContain("source passes n8n's scan");
		expect(stdout).toMatch(/tarball fails n8n's scan[^]*no-console/);
	}, 60_000);
});
