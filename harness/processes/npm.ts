import { HarnessProblem } from '../problem';
import { runCommand } from './command';

/** What an outer `npm start` has set for its own package; the user's registry, proxy and certificates stay. */
const OF_OUTER_PACKAGE =
	/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|ignore_scripts|workspace|prefix)|INIT_CWD)/i;

/**
 * Runs npm in a folder.
 *
 * @param options.env - more environment variables
 * @returns what npm printed
 * @throws {HarnessProblem} that quotes the end of the output
 */
export async function npm(
	folder: string,
	args: string[],
	options: { signal?: AbortSignal; env?: Record<string, string> } = {},
): Promise<string> {
	const inherited = Object.entries(process.env).filter(([name]) => !OF_OUTER_PACKAGE.test(name));
	const env = { ...Object.fromEntries(inherited), ...options.env };
	const result = await runCommand('npm', args, { cwd: folder, env, signal: options.signal });
	if (result.code === 0) return result.stdout;
	const output = `${result.stdout}\n${result.stderr}`.trim().split('\n').slice(-30).join('\n');
	throw new HarnessProblem(`npm ${args.join(' ')} failed:\n${output}`);
}
