/** `tsx scripts/assets.ts`: the step of `npm run build` that copies what `tsc` does not. */
import { cpSync, existsSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const FOLDERS = ['nodes', 'credentials'];

/** Icons, codex files (categories, aliases, links), and the output schemas that n8n reads next to a node. */
const isAsset = (path: string) =>
	/\.(svg|png|node\.json)$/.test(path) || /[\\/]__schema__[\\/].*\.json$/.test(path);

/** Copies all icons, codex files and schemas. @param target - the `dist` folder */
export function copyAssets(target: string): void {
	for (const folder of FOLDERS) {
		const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
		for (const path of paths.filter(isAsset)) cpSync(join(ROOT, folder, path), join(target, folder, path));
	}
}

/** Copies each asset that changes until the watchers are closed. @param target - the `dist` folder */
export function watchAssets(target: string): FSWatcher[] {
	return FOLDERS.map((folder) =>
		watch(join(ROOT, folder), { recursive: true }, (_event, path) => {
			if (!path || !isAsset(path)) return;
			const source = join(ROOT, folder, path);
			if (existsSync(source)) cpSync(source, join(target, folder, path));
		}),
	);
}

if (require.main === module) copyAssets(join(ROOT, 'dist'));
