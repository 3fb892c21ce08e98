import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { inWords, type Report } from '../problem';
import { canInstall, ensureTools } from '../tools/install';
import { BUILD_TOOLS, missing, type SystemTool } from '../tools/systemTools';
import { DISK_CAUSES, npm, type Causes } from './npm';

/** Where the install script looks for a prebuilt driver before it compiles one. */
const PREBUILT = 'https://github.com/TryGhost/node-sqlite3/releases';
const REQUEST_LIMIT_MS = 5000;

/**
 * Explains a failed build by its output, compiler errors first: the output always mentions that the prebuilt
 * driver could not be downloaded, which alone is harmless.
 */
export const DRIVER_CAUSES: Causes = [
	[
		/gyp ERR! find Python|Could not find any Python|not found: make|(g\+\+|c\+\+|clang\+\+|cc|gcc): (command )?not found|No Xcode or CLT/i,
		'n8n’s database driver could not be compiled: Python 3, make or a C++ compiler is missing. Install them (on Debian or Ubuntu: sudo apt-get install python3 make g++) and run the command again to continue.',
	],
	[
		/gyp ERR! stack .*(nodejs\.org|-headers)|gyp ERR! .*(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ECONNRESET)/,
		'n8n’s database driver could not be compiled: Node’s headers are not installed and cannot be downloaded from nodejs.org. Install them (on Debian or Ubuntu: sudo apt-get install libnode-dev), or check the network or proxy, and run the command again to continue.',
	],
	...DISK_CAUSES,
];

/**
 * Checks before the long download that the database driver can be compiled or downloaded.
 *
 * @throws {HarnessProblem} that names the missing tools if they cannot be installed
 */
export async function requireDriver(report: Report, signal?: AbortSignal): Promise<void> {
	if (missing(BUILD_TOOLS).length === 0 || (await isPrebuilt(signal))) return;
	await ensureTools(BUILD_TOOLS, { report, signal }).catch((error: unknown) => {
		signal?.throwIfAborted();
		if (!hasProxy()) throw error;
		report(inWords(error));
	});
}

/** The build tools to install by hand; none if they are not needed or can be installed automatically. */
export async function missingForDriver(): Promise<SystemTool[]> {
	const tools = missing(BUILD_TOOLS);
	return tools.length === 0 || canInstall() || hasProxy() || (await isPrebuilt()) ? [] : tools;
}

async function isPrebuilt(signal?: AbortSignal): Promise<boolean> {
	const limit = AbortSignal.timeout(REQUEST_LIMIT_MS);
	const request = { method: 'HEAD', signal: signal ? AbortSignal.any([signal, limit]) : limit };
	const isReachable = await fetch(PREBUILT, request).then(
		({ ok }) => ok,
		() => false,
	);
	signal?.throwIfAborted();
	return isReachable;
}

/** npm may use a proxy that this process does not use, so only trying shows what npm can download. */
function hasProxy(): boolean {
	return Object.keys(process.env).some((name) => /^(npm_config_)?https?[_-]proxy$/i.test(name));
}

/**
 * Runs the database driver's install script, the only one that n8n needs.
 *
 * @param folder - contains `node_modules`
 * @throws {HarnessProblem} when the driver can be neither downloaded nor compiled
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
 * Finds installed Node headers, which a build would otherwise download.
 *
 * @param prefixes - the folders to search
 * @returns the folder that contains `include/node/node.h`, if any
 */
export function nodeHeaders(
	prefixes: string[] = [join(dirname(realpathSync(process.execPath)), '..'), '/usr'],
): string | undefined {
	return prefixes.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node.h')));
}
