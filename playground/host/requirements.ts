import { mkdirSync, statfsSync } from 'node:fs';

import { PlaygroundProblem } from '../problem';
import { npm } from './npm';
import { runCommand } from '../processes/command';

/** What the scripts of this repository need. */
const OLDEST_NODE = [20, 15];
/** n8n and its dependencies take 2.8 GB, and npm's own cache and temporary files about as much again. */
const NEEDED_GIGABYTES = 5;

/**
 * Checks the Node that runs the scripts.
 *
 * @throws {PlaygroundProblem} when it is older than 20.15
 */
export function requireNode(version: string = process.versions.node): void {
	const [major, minor] = version.split('.').map(Number);
	if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
		throw new PlaygroundProblem(
			`Node ${version} is too old: ${OLDEST_NODE.join('.')} or newer is needed. Install it and run the command again.`,
		);
	}
}

/**
 * Checks the operating system: process groups are needed to leave nothing running.
 *
 * @throws {PlaygroundProblem} on Windows
 */
export function requirePlatform(platform: NodeJS.Platform = process.platform): void {
	if (platform === 'win32') {
		throw new PlaygroundProblem('On Windows, run this inside the Windows Subsystem for Linux.');
	}
}

/** @throws {PlaygroundProblem} when `npm` is not on the path */
export async function requireNpm(folder: string): Promise<void> {
	const found = await runCommand('npm', ['--version'], { cwd: folder }).catch(() => undefined);
	if (found?.code !== 0) {
		throw new PlaygroundProblem('npm was not found. It comes with Node: install Node 20.15 or newer.');
	}
}

/**
 * Asks the registry for n8n before the long installation, in which npm would try again for minutes.
 *
 * @throws {PlaygroundProblem} when the registry does not answer or does not have it
 */
export async function requireRegistry(folder: string, n8nVersion: string): Promise<void> {
	await npm(folder, ['view', `n8n@${n8nVersion}`, 'version', '--prefer-online', '--fetch-retries=0']);
}

/** @throws {PlaygroundProblem} when the disk that holds the folder has too little room to install n8n */
export function requireDiskSpace(folder: string): void {
	mkdirSync(folder, { recursive: true });
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / 1e9;
	if (free < NEEDED_GIGABYTES) {
		throw new PlaygroundProblem(
			`Installing n8n needs about ${NEEDED_GIGABYTES} GB, and ${folder} has ${free.toFixed(1)} GB left. ` +
				'Free some room, or set PLAYGROUND_CACHE to a folder on another disk.',
		);
	}
}
