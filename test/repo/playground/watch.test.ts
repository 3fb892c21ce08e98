import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PACKAGE_FOLDER } from '../../../harness/n8n/package';
import type { Service } from '../../../harness/processes/service';
import { watchAssets } from '../../../playground/watch';

const LIMIT_MS = 60_000;

const ICON = 'credentials/example.svg';
const CODEX = 'nodes/Example/Example.node.json';
const SCHEMA = 'nodes/Example/__schema__/v1.0.0/row/getAll.json';

const folder = mkdtempSync(join(tmpdir(), 'watch-'));
const dist = join(folder, 'dist');
let watcher: Service | undefined;

afterAll(async () => {
	await watcher?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const write = (file: string, text: string) => {
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	writeFileSync(join(folder, file), text);
};

/** Resolves once the copy of a file has this text; rejects when time is up. */
async function copied(file: string, text: string): Promise<void> {
	const copy = join(dist, file);
	for await (const { filename } of watch(dirname(copy), { signal: AbortSignal.timeout(LIMIT_MS - 5000) })) {
		if (filename === basename(copy) && readFileSync(copy, 'utf8') === text) return;
	}
}

test(
	'copies icons, codex files and schemas, and copies each again when it changes',
	async () => {
		const files = [ICON, CODEX, SCHEMA];
		for (const file of files) {
			write(file, 'first');
			mkdirSync(dirname(join(dist, file)), { recursive: true });
		}
		copyFileSync(join(PACKAGE_FOLDER, 'gulpfile.js'), join(folder, 'gulpfile.js'));
		symlinkSync(join(PACKAGE_FOLDER, 'node_modules'), join(folder, 'node_modules'));

		const first = Promise.all(files.map(async (file) => await copied(file, 'first')));
		watcher = await watchAssets(folder, dist, join(folder, 'gulp.log'));
		await first;
		for (const file of files) {
			const second = copied(file, `second ${file}`);
			write(file, `second ${file}`);
			await second;
		}
		const copies = files.map((file) => readFileSync(join(dist, file), 'utf8'));
		expect(copies).toEqual(files.map((file) => `second ${file}`));
	},
	LIMIT_MS,
);
