/**
 * `npm run pack -- [folder]` builds the package, packs it into the folder (`release` by default) and refuses a tarball
 * without a file that package.json registers. `npm pack` alone would not build: see .npmrc.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? 'release');
const npm = (...args) =>
	execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

npm('run', 'build');
mkdirSync(folder, { recursive: true });
const [{ filename, files }] = Object.values(JSON.parse(npm('pack', '--json', '--pack-destination', folder)));
const packed = new Set(files.map(({ path }) => path));
const { n8n } = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = [...n8n.nodes, ...n8n.credentials].filter((path) => !packed.has(path));
if (missing.length > 0) {
	console.error(`The tarball lacks ${missing.join(', ')}.`);
	process.exitCode = 1;
} else {
	console.log(join(folder, filename));
}
