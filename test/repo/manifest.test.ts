import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies, n8n, scripts } from '../../package.json';

const root = join(__dirname, '../..');

/** The sources in a folder whose names have this ending, as the manifest names what they become. */
const built = (folder: string, ending: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith(ending))
		.map((path) => `dist/${folder}/${path.replace(/\.ts$/, '.js')}`)
		.sort();

test('n8n loads each node and each credential of the sources', () => {
	expect([...n8n.nodes].sort()).toEqual(built('nodes', '.node.ts'));
	expect([...n8n.credentials].sort()).toEqual(built('credentials', '.credentials.ts'));
});

test('CONTRIBUTING.md says what each development package and each script is for', () => {
	const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	// npm calls prepack, and `npm test` and `npm start` need no `run`.
	const commands = Object.keys(scripts).map((name) => new RegExp(`npm (run )?${name}\\b`));
	const packages = Object.keys(devDependencies).map((name) => new RegExp(`\`${name}\``));
	const missing = [...commands, ...packages].filter((named) => !named.test(text));
	expect(missing).toEqual([/npm (run )?prepack\b/]);
});
