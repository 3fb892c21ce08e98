import { PlaygroundProblem, SYSTEM_WORDS } from '../problem';
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
export type Causes = Array<[RegExp, string]>;

export const DISK_CAUSES: Causes = [
	[/ENOSPC/, SYSTEM_WORDS.ENOSPC],
	[/EACCES|EPERM/, SYSTEM_WORDS.EACCES],
	[/EROFS/, SYSTEM_WORDS.EROFS],
];

const DOWNLOAD_CAUSES: Causes = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT/,
		'The npm registry cannot be reached. n8n is downloaded once: check the network or proxy and run the command again.',
	],
	...DISK_CAUSES,
	[/E401|E403/, "The npm registry refused the download. Check npm's log-in and registry settings."],
	[/E404|ETARGET/, 'The npm registry does not serve all of n8n’s packages. Check which registry npm uses.'],
];

export interface NpmOptions {
	signal?: AbortSignal;
	/** More environment variables. */
	env?: Record<string, string>;
	/** What its failures mean; those of a download by default. */
	causes?: Causes;
}

/**
 * Runs npm.
 *
 * @param folder - the folder it works in
 * @throws {PlaygroundProblem} that says in a sentence what failed and what to do
 */
export async function npm(
	folder: string,
	args: string[],
	{ signal, env, causes = DOWNLOAD_CAUSES }: NpmOptions = {},
): Promise<CommandResult> {
	const result = await runCommand('npm', args, { cwd: folder, env: { ...npmEnvironment(), ...env }, signal });
	if (result.code === 0) return result;
	throw new PlaygroundProblem(explainFailure(`npm ${args[0]}`, result, causes));
}

/** Says what a failed run of npm means: the cause that its output shows, else its own words. */
export function explainFailure(
	command: string,
	{ code, stdout, stderr }: CommandResult,
	causes: Causes = DOWNLOAD_CAUSES,
): string {
	const output = `${stderr}\n${stdout}`;
	const errorLines = output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line));
	const words = errorLines.slice(0, 12).join('\n') || output.trim().slice(-1000);
	const cause = causes.find(([pattern]) => pattern.test(output))?.[1];
	return cause ?? `${command} failed (exit code ${code}):\n${words}`;
}
