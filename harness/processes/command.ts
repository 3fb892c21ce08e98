import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { HarnessProblem } from '../problem';
import { Guard, killGroup } from './group';

interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Runs the command as another user. */
	uid?: number;
	gid?: number;
	/** Stops the command and everything that it has started. */
	signal?: AbortSignal;
}

export interface CommandResult {
	/** The exit code; null when a signal ended the command. */
	code: number | null;
	stdout: string;
	stderr: string;
}

/** Runs a command, which does not outlive this process, and returns its output. A non-zero exit code is no exception. */
export async function runCommand(
	command: string,
	args: string[],
	{ signal, ...options }: CommandOptions,
): Promise<CommandResult> {
	signal?.throwIfAborted();
	const guard = new Guard();
	const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
	guard.watch(child.pid);
	const output = { stdout: '', stderr: '' };
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
	const abort = () => killGroup(child.pid, 'SIGTERM');
	signal?.addEventListener('abort', abort, { once: true });
	try {
		const [code] = (await once(child, 'close')) as [number | null];
		signal?.throwIfAborted();
		return { code, ...output };
	} finally {
		signal?.removeEventListener('abort', abort);
		guard.release();
	}
}

/** What an outer `npm start` has set for its own package; the user's registry, proxy and certificates stay. */
const OF_OUTER_PACKAGE =
	/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|ignore_scripts|workspace|prefix)|INIT_CWD)/i;

/** Runs npm in a folder. @throws {HarnessProblem} that quotes the end of the output */
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
