import { mkdirSync, statfsSync } from 'node:fs';

import { HarnessProblem } from '../problem';
import { npm } from './npm';

/** n8n and its dependencies take 2.8 GB, npm's cache and temporary files almost as much. */
const NEEDED_GIGABYTES = 5;

/**
 * Checks that the registry has n8n, because an installation would retry for minutes.
 *
 * @throws {HarnessProblem} when the registry does not respond or does not have n8n
 */
export async function requireRegistry(
	folder: string,
	n8nVersion: string,
	signal?: AbortSignal,
): Promise<void> {
	// A single lost packet must not fail the check.
	const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
	await npm(folder, ['view', `n8n@${n8nVersion}`, 'version', '--prefer-online', ...retries], { signal });
}

/** @throws {HarnessProblem} when the folder's disk has too little space to install n8n */
export function requireDiskSpace(folder: string): void {
	mkdirSync(folder, { recursive: true });
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / 1e9;
	if (free < NEEDED_GIGABYTES) {
		throw new HarnessProblem(
			`Installing n8n needs about ${NEEDED_GIGABYTES} GB, but ${folder} has only ${free.toFixed(1)} GB left. ` +
				'Free some space, or set PLAYGROUND_CACHE to a folder on another disk.',
		);
	}
}
