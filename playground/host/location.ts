import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder that says which n8n to install: `package.json`, lock file and `.npmrc`. */
export const MANIFEST_FOLDER = resolve(__dirname, '..');
export const MANIFEST_FILES = ['package.json', 'package-lock.json', '.npmrc'];

/** The host's own manifest, `playground/package.json`. */
export const manifest: { dependencies: { n8n: string } } = JSON.parse(
	readFileSync(join(MANIFEST_FOLDER, 'package.json'), 'utf8'),
);

/**
 * The folder that an installed n8n is kept in, outside the clone, so that each clone and each run can use it.
 * Its name holds n8n's version and a hash of the manifest: a change there makes a new folder.
 *
 * @param env - `PLAYGROUND_CACHE` names another parent folder; else `XDG_CACHE_HOME` or `~/.cache` is used
 */
export function hostFolder(env: NodeJS.ProcessEnv = process.env): string {
	// An empty variable is as good as none: it must not mean the current folder.
	const parent =
		env.PLAYGROUND_CACHE ||
		join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-conversation-intelligence');
	const hash = createHash('sha256');
	for (const file of MANIFEST_FILES) hash.update(readFileSync(join(MANIFEST_FOLDER, file)));
	hash.update(`${process.platform}-${process.arch}`);
	return resolve(parent, `host-${manifest.dependencies.n8n}-${hash.digest('hex').slice(0, 12)}`);
}
