import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

interface Manifest {
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
