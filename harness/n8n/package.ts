import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withLock } from '../install/lock';
import { HarnessProblem, type Report } from '../problem';
import { npm } from '../processes/command';

/** The node package: this repository. */
export const PACKAGE_FOLDER = resolve(__dirname, '..', '..');

/** Builds and packs the package as for publishing. Concurrent runs take turns, because a build empties `dist/` first. */
export async function packPackage(folder: string, report: Report, signal?: AbortSignal): Promise<string> {
	const waitingFor = 'Waiting for another run to build the package';
	const buildAndPack = async () => {
		report('Building the package');
		const printed = await npm(PACKAGE_FOLDER, ['run', '--silent', 'pack', '--', folder], { signal });
		return printed.trim().split('\n').at(-1)!;
	};
	const lock = join(PACKAGE_FOLDER, 'node_modules', '.build');
	return await withLock(lock, buildAndPack, { report, waitingFor, signal });
}

/**
 * Installs a packed community package into a user folder like n8n does: unpacks it below `.n8n/nodes`, without its
 * development, peer and optional dependencies, and adds it to the list of installed packages.
 */
export function installPackage(userFolder: string, tarball: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const manifestInTarball = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], {
		encoding: 'utf8',
	});
	const manifest = JSON.parse(manifestInTarball);
	for (const list of ['devDependencies', 'peerDependencies', 'optionalDependencies']) delete manifest[list];
	if (Object.keys(manifest.dependencies ?? {}).length > 0) {
		throw new HarnessProblem(
			`${manifest.name} has runtime dependencies; a community package must not have any.`,
		);
	}
	const folder = join(nodesFolder, 'node_modules', manifest.name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));

	const listFile = join(nodesFolder, 'package.json');
	const list = existsSync(listFile)
		? JSON.parse(readFileSync(listFile, 'utf8'))
		: { name: 'installed-nodes', private: true, dependencies: {} };
	list.dependencies[manifest.name] = manifest.version;
	writeFileSync(listFile, JSON.stringify(list, null, 2));
}
