import { runCommand, type CommandResult } from '../processes/command';
import { PlaygroundProblem, silent, type Report } from '../problem';
import { describeMissing, findOnPath, isUbuntu, missing, type SystemTool } from './systemTools';

/** Another apt-get may be at work, e.g. the system's own updates. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=300'];

/** Whether tools may be installed here: as root on a system with apt-get that has a package of them. */
export function canInstall(tools: SystemTool[] = []): boolean {
	const hasPackages = !isUbuntu() || tools.every(({ onUbuntu }) => onUbuntu === undefined);
	return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined && hasPackages;
}

/**
 * Installs those of the tools that are missing, where that may be done.
 *
 * @throws {PlaygroundProblem} that names what is missing and cannot be installed, with the words of apt-get
 */
export async function ensureTools(
	tools: SystemTool[],
	options: { report?: Report; signal?: AbortSignal } = {},
): Promise<void> {
	const { report = silent, signal } = options;
	const wanted = missing(tools);
	if (wanted.length === 0) return;
	if (!canInstall(wanted)) throw new PlaygroundProblem(describeMissing(wanted));
	report(`Installing ${wanted.map(({ name }) => name).join(', ')}`);
	const packages = wanted.map(({ debian }) => debian);
	// Lists that could not be renewed in full may do all the same, so only the installation decides.
	const update = await aptGet(['update', '-qq'], signal);
	const install = await aptGet(['install', '-y', '-qq', '--no-install-recommends', ...packages], signal);
	if (install.code !== 0) {
		const words = `${update.stderr}\n${install.stderr}`.trim().split('\n').slice(-10).join('\n');
		throw new PlaygroundProblem(`${describeMissing(wanted)} apt-get could not install it:\n${words}`);
	}
	const left = missing(tools);
	if (left.length > 0) throw new PlaygroundProblem(describeMissing(left));
}

async function aptGet(args: string[], signal?: AbortSignal): Promise<CommandResult> {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	return await runCommand('apt-get', [...WAIT_FOR_OTHERS, ...args], { cwd: '/', env, signal });
}
