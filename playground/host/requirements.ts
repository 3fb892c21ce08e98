import { mkdirSync, statfsSync } from 'node:fs';

import { PlaygroundProblem } from '../problem';
import { npm } from './npm';

/** n8n and its dependencies take 2.8 GB, and npm's own cache and temporary files about as much again. */
const NEEDED_GIGABYTES = 5;

/**
 * Asks the registry for n8n before the long installation, in which npm would try for minutes.
 *
 * @throws {PlaygroundProblem} when the registry does not answer or does not have it
 */
export async function requireRegistry(
	folder: string,
	n8nVersion: string,
	signal?: AbortSignal,
): Promise<void> {
	// Two more tries: one lost packet must not end it.
	const tries = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
	await npm(folder, ['view', `n8n@${n8nVersion}`, 'version', '--prefer-online', ...tries], { signal });
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
