import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { HarnessProblem } from '../problem';
import { Group } from './group';

interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	uid?: number;
	gid?: number;
	/** Stops the command and everything that it has started. */
	signal?: AbortSignal;
}

/** Runs a command, which does not outlive this process. Its exit code is null if a signal ended it; no code is an exception. */
export async function runCommand(
	command: string,
	args: string[],
	{ signal, ...options }: CommandOptions,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
	signal?.throwIfAborted();
	const group = new Group(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	const abort = () => group.kill('SIGTERM');
	signal?.addEventListener('abort', abort, { once: true });
	try {
		const { child } = group;
		await once(child, 'spawn');
		const outputs = [text(child.stdout!), text(child.stderr!)];
		const [code] = (await once(child, 'close')) as [number | null];
		const [stdout, stderr] = await Promise.all(outputs);
		signal?.throwIfAborted();
		return { code, stdout, stderr };
	} finally {
		signal?.removeEventListener('abort', abort);
		group.release();
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
