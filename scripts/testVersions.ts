/**
 * `npm run test:versions [-- n8n-oldest]` runs the nodes' unit and engine tests with other versions of the packages that n8n
 * provides. Each folder of `test/versions` is one set, installed into the cache when its lock file has changed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = 'test/versions';
const LOCK = 'package-lock.json';

function install(version: string): void {
	const folder = join('node_modules/.cache/versions', version);
	const installed = join(folder, 'node_modules', '.installed-lock.json');
	const lock = readFileSync(join(VERSIONS, version, LOCK), 'utf8');
	if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(join(VERSIONS, version), folder, { recursive: true });
	execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' });
	cpSync(join(folder, LOCK), installed);
}

const given = process.argv.slice(2);
try {
	for (const version of given.length > 0 ? given : readdirSync(VERSIONS)) {
		install(version);
		console.log(`\nWith ${version}:`);
		// Only tests of the nodes, because the local service and the tools use the repository's packages.
		const env = { ...process.env, TEST_VERSIONS: version };
		execFileSync('npx', ['jest', '--selectProjects', 'nodes'], { env, stdio: 'inherit' });
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
