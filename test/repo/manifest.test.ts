import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { n8n } from '../../package.json';

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
