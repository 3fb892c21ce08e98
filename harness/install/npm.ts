import { HarnessProblem, SYSTEM_MESSAGES } from '../problem';
import { runCommand, type CommandResult } from '../processes/command';

/**
 * The environment to run npm in another folder. Removes what an outer `npm start` has set for its own package
 * and keeps the user's settings (registry, proxy, certificates).
 */
export function npmEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	const ofOuterPackage =
		/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|ignore_scripts|workspace|prefix)|INIT_CWD)/i;
	return Object.fromEntries(Object.entries(env).filter(([name]) => !ofOuterPackage.test(name)));
}

/** Patterns in npm's output and the message to show for each. The first match counts. */
export type Causes = Array<[RegExp, string]>;

export const DISK_CAUSES: Causes = [
	[/ENOSPC/, SYSTEM_MESSAGES.ENOSPC],
	[/EACCES|EPERM/, SYSTEM_MESSAGES.EACCES],
	[/EROFS/, SYSTEM_MESSAGES.EROFS],
];

const DOWNLOAD_CAUSES: Causes = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT/,
		'The npm registry cannot be reached. Check the network or proxy and run the command again. n8n is downloaded only once.',
	],
	...DISK_CAUSES,
	[/E401|E403/, "The npm registry refused the download. Check npm's login and registry settings."],
	[/E404|ETARGET/, 'The npm registry lacks one of n8n’s packages. Check which registry npm uses.'],
];

export interface NpmOptions {
	signal?: AbortSignal;
	/** More environment variables. */
	env?: Record<string, string>;
	/** Explains failures; by default, those of a download. */
	causes?: Causes;
}

/**
 * Runs npm.
 *
 * @param folder - the working folder
 * @throws {HarnessProblem} that says what failed and what to do
 */
export async function npm(
	folder: string,
	args: string[],
	{ signal, env, causes = DOWNLOAD_CAUSES }: NpmOptions = {},
): Promise<CommandResult> {
	const result = await runCommand('npm', args, { cwd: folder, env: { ...npmEnvironment(), ...env }, signal });
	if (result.code === 0) return result;
	throw new HarnessProblem(explainFailure(`npm ${args[0]}`, result, causes));
}

/** Explains a failed npm run by its output, or quotes the output. */
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
