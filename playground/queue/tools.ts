import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { PlaygroundProblem, type Report } from '../problem';
import { runCommand } from '../processes/command';

/** The programs that n8n's queue mode needs beside n8n. */
export interface QueueTools {
	redisServer: string;
	/** The folder with `initdb`, `postgres` and `createdb`. */
	postgresFolder: string;
}

/** Debian keeps PostgreSQL's server programs off the path, one folder per version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * Finds Redis and PostgreSQL, and installs them where that may be done: as root on a system with apt-get.
 *
 * @throws {PlaygroundProblem} that names what is missing
 */
export async function ensureQueueTools(report: Report): Promise<QueueTools> {
	if (missing().length > 0) await install(missing(), report);
	if (missing().length > 0) {
		throw new PlaygroundProblem(
			`Queue mode needs ${missing().join(' and ')}. Install them (on Debian: apt-get install ${missing().join(' ')}) and run the command again.`,
		);
	}
	return { redisServer: findOnPath('redis-server')!, postgresFolder: findPostgres()! };
}

/** The Debian packages that are not there. */
function missing(): string[] {
	return [...(findOnPath('redis-server') ? [] : ['redis-server']), ...(findPostgres() ? [] : ['postgresql'])];
}

async function install(packages: string[], report: Report): Promise<void> {
	if (process.getuid?.() !== 0 || !findOnPath('apt-get')) return;
	report(`Installing ${packages.join(' and ')}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await runCommand('apt-get', ['update', '-qq'], { cwd: '/', env });
	await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
		cwd: '/',
		env,
	});
}

function findPostgres(): string | undefined {
	const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
	const folders = versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
	const onPath = findOnPath('initdb');
	return [...folders, ...(onPath ? [join(onPath, '..')] : [])].find((folder) =>
		existsSync(join(folder, 'initdb')),
	);
}

function findOnPath(program: string): string | undefined {
	try {
		return execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
	} catch {
		return undefined;
	}
}
