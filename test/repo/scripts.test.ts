import { execFileSync, spawnSync } from 'node:child_process';
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedShare, isOutOfDate } from '../../bench/page';
import { resources } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { appointment } from '../../nodes/ConversationIntelligenceAppointments/appointmentOperations';
import { devDependencies, n8n, scripts } from '../../package.json';
import { figureOf, withFigures } from '../../scripts/figures';
import { outputSchemas } from '../../scripts/outputSchemas';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The sources in a folder whose names have this ending, as the manifest names what they become. */
const built = (folder: string, ending: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith(ending))
		.map((path) => `dist/${folder}/${path.replace(/\.ts$/, '.js')}`)
		.sort();

test('n8n loads each node and each credential of the sources', () => {
	expect([...n8n.nodes].sort()).toEqual(built('nodes', '.node.ts'));
	expect([...n8n.credentials].sort()).toEqual(built('credentials', '.credentials.ts'));
});

test('every operation has an output schema', () => {
	const operations = [...resources, appointment].flatMap(({ option, operations: all }) =>
		all.map((operation) => `${option.value}/${operation.option.value}.json`),
	);
	const paths = [...outputSchemas().keys()].map((path) => path.split('/').slice(-2).join('/'));
	expect(paths.sort()).toEqual(operations.sort());
});

test('CONTRIBUTING.md and its reference say what each development package and each script is for', () => {
	// npm calls prepack, and `npm test` and `npm start` need no `run`.
	const commands = Object.keys(scripts).map((name) => new RegExp(`npm (run )?${name}\\b`));
	const packages = Object.keys(devDependencies).map((name) => new RegExp(`\`${name}\``));
	const pages = read('CONTRIBUTING.md') + read('docs/reference/development.md');
	const missing = [...commands, ...packages].filter((named) => !named.test(pages));
	expect(missing).toEqual([/npm (run )?prepack\b/]);
});

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

test('no page says that the package is not on npm once identity.json says that it is published', () => {
	const identity = JSON.parse(read('identity.json')) as object;
	const pagesIf = (published: boolean) =>
		jest.isolateModules(() => {
			jest.doMock('../../identity.json', () => ({ ...identity, published }));
			const { identified } =
				jest.requireActual<typeof import('../../scripts/identity')>('../../scripts/identity');
			texts = [...identified().values()].filter((text) => /not on npm|is published yet/.test(text));
		});
	let texts: string[] = [];
	pagesIf(false);
	expect(texts).toHaveLength(3);
	pagesIf(true);
	expect(texts).toEqual([]);
});

test("n8n's own build compiles every registered node and credential", () => {
	const copy = mkdtempSync(join(tmpdir(), 'n8n-node-build-'));
	try {
		for (const path of ['package.json', 'tsconfig.json', 'nodes', 'credentials'])
			cpSync(join(ROOT, path), join(copy, path), { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		const { status, stdout } = spawnSync('npx', ['n8n-node', 'build'], { cwd: copy, encoding: 'utf8' });
		expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Build successful') });
		expect([...n8n.nodes, ...n8n.credentials].filter((path) => !existsSync(join(copy, path)))).toEqual([]);
		expect(readdirSync(join(copy, 'dist')).sort()).toEqual(['credentials', 'nodes']);
	} finally {
		rmSync(copy, { recursive: true });
	}
}, 120_000);

test('a section of the benchmarks is out of date when the measured code has changed since', () => {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
	const [now, empty] = [git('rev-parse', 'HEAD'), git('hash-object', '-t', 'tree', '/dev/null')];
	const shareSince = (commit: string) =>
		changedShare(`Measured on 2026-01-01 at commit ${commit}.`, ['nodes']);
	expect([now, empty, 'deadbeef'].map(shareSince)).toEqual([0, 1, 1]);
	expect([isOutOfDate(0.1), isOutOfDate(0.11)]).toEqual([false, true]);
});

test('a page gets the figures of the benchmarks, with its own decimals, and none that no benchmark has', () => {
	const key = 'export/200-ms/http-request-node';
	const page = read('docs/reference/benchmarks.md');
	const seconds = Number(/^\| 200 ms \| [\d.]+ s \| ([\d.]+) s/m.exec(page)![1]);
	expect(figureOf(key)).toBe(seconds);
	const decimals = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
	expect(withFigures(`1.5<!--{${key}}--> s, 9<!--1000*{${key}}--> ms`)).toBe(
		`${seconds.toLocaleString('en', decimals)}<!--{${key}}--> s, ${(seconds * 1000).toLocaleString('en')}<!--1000*{${key}}--> ms`,
	);
	for (const unknown of ['export/3-ms/this-node', 'export/200-ms/nobody'])
		expect(() => figureOf(unknown)).toThrow(unknown);
});
