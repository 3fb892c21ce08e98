import { PlaygroundProblem } from '../problem';
import { runCommand, type CommandResult } from '../processes/command';

/**
 * The environment for a npm that works in another folder: what an outer `npm start` set for *its* package is left
 * out, what the user set (registry, proxy, certificates) stays.
 */
export function npmEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	const ofOuterPackage =
		/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|ignore_scripts|workspace|prefix)|INIT_CWD)/i;
	return Object.fromEntries(Object.entries(env).filter(([name]) => !ofOuterPackage.test(name)));
}

/** What npm's output says went wrong → what to tell the reader. The first that matches counts. */
const CAUSES: Array<[RegExp, string]> = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT/,
		'The npm registry cannot be reached. n8n is downloaded once: check the network or proxy and run the command again.',
	],
	[/ENOSPC/, 'The disk is full. Free some room, or set PLAYGROUND_CACHE to a folder on another disk.'],
	[/EACCES|EPERM|EROFS/, 'The folder cannot be written. Set PLAYGROUND_CACHE to one that can.'],
	[/E401|E403/, "The npm registry refused the download. Check npm's log-in and registry settings."],
	[/E404|ETARGET/, 'The npm registry does not serve all of n8n’s packages. Check which registry npm uses.'],
	[
		/node-gyp|gyp ERR|not found: make/,
		'The database driver could not be built. Install Python 3, make and a C++ compiler and run the command again.',
	],
];

/**
 * Runs npm.
 *
 * @param folder - the folder it works in
 * @throws {PlaygroundProblem} that says in a sentence what failed and what to do
 */
export async function npm(folder: string, args: string[], signal?: AbortSignal): Promise<CommandResult> {
	const result = await runCommand('npm', args, { cwd: folder, env: npmEnvironment(), signal });
	if (result.code === 0) return result;
	const output = `${result.stderr}\n${result.stdout}`;
	const cause = CAUSES.find(([pattern]) => pattern.test(output))?.[1];
	const errorLines = output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line));
	const words = errorLines.slice(0, 12).join('\n') || output.trim().slice(-1000);
	throw new PlaygroundProblem(cause ?? `npm ${args[0]} failed (exit code ${result.code}):\n${words}`);
}
