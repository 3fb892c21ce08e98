import { runCommand, type CommandResult } from '../processes/command';
import { HarnessProblem, silent, type Report } from '../problem';
import { describeMissing, findOnPath, isUbuntu, missing, type SystemTool } from './systemTools';

/** Waits for another apt-get, such as automatic updates. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=300'];

/** Whether tools can be installed: as root, with apt-get, if it has packages for them. */
export function canInstall(tools: SystemTool[] = []): boolean {
	const hasPackages = !isUbuntu() || tools.every(({ onUbuntu }) => onUbuntu === undefined);
	return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined && hasPackages;
}

/**
 * Installs missing tools, if possible.
 *
 * @throws {HarnessProblem} that names the missing tools and quotes apt-get
 */
export async function ensureTools(
	tools: SystemTool[],
	options: { report?: Report; signal?: AbortSignal } = {},
): Promise<void> {
	const { report = silent, signal } = options;
	const wanted = missing(tools);
	if (wanted.length === 0) return;
	if (!canInstall(wanted)) throw new HarnessProblem(describeMissing(wanted));
	report(`Installing ${wanted.map(({ name }) => name).join(', ')}`);
	const packages = wanted.map(({ debian }) => debian);
	// A failed update can still leave usable lists, so only the installation decides.
	const update = await aptGet(['update', '-qq'], signal);
	const install = await aptGet(['install', '-y', '-qq', '--no-install-recommends', ...packages], signal);
	if (install.code !== 0) {
		const output = `${update.stderr}\n${install.stderr}`.trim().split('\n').slice(-10).join('\n');
		throw new HarnessProblem(`${describeMissing(wanted)} apt-get failed:\n${output}`);
	}
	const left = missing(tools);
	if (left.length > 0) throw new HarnessProblem(describeMissing(left));
}

async function aptGet(args: string[], signal?: AbortSignal): Promise<CommandResult> {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	return await runCommand('apt-get', [...WAIT_FOR_OTHERS, ...args], { cwd: '/', env, signal });
}
