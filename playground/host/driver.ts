import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { inWords, type Report } from '../problem';
import { canInstall, ensureTools } from '../tools/install';
import { BUILD_TOOLS, missing, type SystemTool } from '../tools/systemTools';
import { DISK_CAUSES, npm, type Causes } from './npm';

/** Where the ready-made driver lies; its install script tries this first, and compiles when it is not there. */
const READY_MADE = 'https://github.com/TryGhost/node-sqlite3/releases';
const LOOK_LIMIT_MS = 5000;

/**
 * What a failed build says, the compiler first: its output always ends with "gyp ERR!", and always holds that the
 * ready-made driver could not be reached, which is no reason by itself.
 */
export const DRIVER_CAUSES: Causes = [
	[
		/gyp ERR! find Python|Could not find any Python|not found: make|(g\+\+|c\+\+|clang\+\+|cc|gcc): (command )?not found|No Xcode or CLT/i,
		'n8n’s database driver could not be compiled: Python 3, make or a C++ compiler is missing. Install them (on Debian or Ubuntu: sudo apt-get install python3 make g++) and run the command again; it goes on from here.',
	],
	[
		/gyp ERR! stack .*(nodejs\.org|-headers)|gyp ERR! .*(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ECONNRESET)/,
		'n8n’s database driver could not be compiled: Node’s headers are not on this machine and cannot be downloaded from nodejs.org. Install them (on Debian or Ubuntu: sudo apt-get install libnode-dev), or check the network or proxy, and run the command again; it goes on from here.',
	],
	...DISK_CAUSES,
];

/**
 * Sees to it, before the long download, that the database driver can be had: compiled, or else ready-made.
 *
 * @throws {PlaygroundProblem} that names the tools that are missing, when they cannot be installed here either
 */
export async function requireDriver(report: Report, signal?: AbortSignal): Promise<void> {
	if (missing(BUILD_TOOLS).length === 0 || (await isReadyMade(signal))) return;
	await ensureTools(BUILD_TOOLS, { report, signal }).catch((error: unknown) => {
		signal?.throwIfAborted();
		if (!hasProxy()) throw error;
		report(inWords(error));
	});
}

/** The tools without which there can be no driver here: none where they can be installed or one lies ready-made. */
export async function missingForDriver(): Promise<SystemTool[]> {
	const tools = missing(BUILD_TOOLS);
	return tools.length === 0 || canInstall() || hasProxy() || (await isReadyMade()) ? [] : tools;
}

async function isReadyMade(signal?: AbortSignal): Promise<boolean> {
	const limit = AbortSignal.timeout(LOOK_LIMIT_MS);
	const look = { method: 'HEAD', signal: signal ? AbortSignal.any([signal, limit]) : limit };
	const isReached = await fetch(READY_MADE, look).then(
		({ ok }) => ok,
		() => false,
	);
	signal?.throwIfAborted();
	return isReached;
}

/** npm's way out may be a proxy that is not this process's: what lies behind it is seen only by trying. */
function hasProxy(): boolean {
	return Object.keys(process.env).some((name) => /^(npm_config_)?https?[_-]proxy$/i.test(name));
}

/**
 * Makes the database driver of an unpacked n8n. Of all the install scripts only this one is needed.
 *
 * @param folder - holds `node_modules`
 * @throws {PlaygroundProblem} when it can be neither downloaded nor compiled
 */
export async function makeDriver(folder: string, signal?: AbortSignal): Promise<void> {
	const headers = nodeHeaders();
	await npm(folder, ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		signal,
		env: headers && !process.env.npm_config_nodedir ? { npm_config_nodedir: headers } : {},
		causes: DRIVER_CAUSES,
	});
}

/**
 * Finds Node's headers, which a build would otherwise download.
 *
 * @param prefixes - the folders to look below
 * @returns the folder that has `include/node/node.h`; undefined when none does
 */
export function nodeHeaders(
	prefixes: string[] = [join(dirname(realpathSync(process.execPath)), '..'), '/usr'],
): string | undefined {
	return prefixes.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node.h')));
}
