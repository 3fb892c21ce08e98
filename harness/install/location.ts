import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder with the files that define which n8n to install: those of `harness/versions/n8n-newest`, or of the folder
 * that `PLAYGROUND_N8N` names: `n8n-oldest`.
 */
export const MANIFEST_FOLDER = resolve(
	__dirname,
	'..',
	'versions',
	process.env.PLAYGROUND_N8N || 'n8n-newest',
);
export const MANIFEST_FILES = ['package.json', 'package-lock.json', '.npmrc'];

export const manifest: { dependencies: { n8n: string } } = JSON.parse(
	readFileSync(join(MANIFEST_FOLDER, 'package.json'), 'utf8'),
);

/**
 * The folder of the installed n8n, outside the repository so that all clones share it. Its name contains
 * n8n's version and a hash of the manifest, so a changed manifest gets a new folder.
 *
 * @param env - `PLAYGROUND_CACHE` sets the parent folder; the default is below `XDG_CACHE_HOME` or `~/.cache`
 */
export function hostFolder(env: NodeJS.ProcessEnv = process.env): string {
	// `||` because an empty variable must not mean the current folder.
	const parent =
		env.PLAYGROUND_CACHE ||
		join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-conversation-intelligence');
	const hash = createHash('sha256');
	for (const file of MANIFEST_FILES) hash.update(readFileSync(join(MANIFEST_FOLDER, file)));
	hash.update(`${process.platform}-${process.arch}`);
	return resolve(parent, `host-${manifest.dependencies.n8n}-${hash.digest('hex').slice(0, 12)}`);
}
