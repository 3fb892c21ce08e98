import { spawnSync } from 'node:child_process';
import { runCommand } from './processes/command';
import { HarnessProblem, type Report } from './problem';

/** A program that npm does not install. */
interface SystemTool {
	name: string;
	/** What needs the program, e.g. `the browser test`. */
	neededFor: string;
	debian: string;
	/** What to install manually where Ubuntu has no such package: its Chromium is a snap. */
	onUbuntu?: string;
	find(): string | undefined;
}

/** The first line that a shell prints, if any. */
const shell = (script: string, ...args: string[]): string | undefined =>
	spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' }).stdout.match(/.+/)?.[0];

/** The path of the first of these programs that is installed. */
const which = (...programs: string[]) => shell('for one; do command -v "$one" && exit; done', ...programs);

const tool = (name: string, neededFor: string, debian: string, ...programs: string[]): SystemTool => ({
	...{ name, neededFor, debian, find: () => which(...programs) },
});

export const CHROMIUM: SystemTool = {
	...tool('Chromium', 'the browser test', 'chromium'),
	onUbuntu: 'Google Chrome, or any Chromium with its path in CHROMIUM_PATH',
	find: () => which(process.env.CHROMIUM_PATH || 'chromium', 'chromium', 'chromium-browser', 'google-chrome'),
};

export const REDIS = tool('Redis', 'queue mode', 'redis-server', 'redis-server');

/** Finds `initdb`; `postgres` and `createdb` are in the same folder. Debian's folders are not on the path. */
export const POSTGRES: SystemTool = {
	...tool('PostgreSQL', 'queue mode', 'postgresql'),
	find: () => shell('ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -rV') ?? which('initdb'),
};

const DRIVER = 'compiling n8n’s database driver';
/** Tools to compile n8n's database driver when no prebuilt one can be downloaded. */
export const BUILD_TOOLS = [
	tool('Python 3', DRIVER, 'python3', 'python3'),
	tool('make', DRIVER, 'make', 'make'),
	tool('a C++ compiler', DRIVER, 'g++', 'g++', 'c++', 'clang++'),
];

const isUbuntu = () => shell('grep -x ID=ubuntu /etc/os-release 2>/dev/null') !== undefined;

export function missing(tools: SystemTool[]): SystemTool[] {
	return tools.filter((tool) => tool.find() === undefined);
}

export function describeMissing(tools: SystemTool[]): string {
	const needs = tools.map(({ name, neededFor: purpose }) => `${name} (for ${purpose})`).join(', ');
	const byHand = isUbuntu() ? tools.filter(({ onUbuntu }) => onUbuntu !== undefined) : [];
	const packages = tools.filter((tool) => !byHand.includes(tool)).map(({ debian }) => debian);
	const hints = [
		...(packages.length > 0 ? [`on Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}`] : []),
		...byHand.map(({ name, onUbuntu }) => `for ${name} here: ${onUbuntu}`),
	];
	return `Missing: ${needs}. Install it (${hints.join('; ')}) and run the command again.`;
}

/** Whether tools can be installed: as root, with apt-get, if it has packages for them. */
export function canInstall(tools: SystemTool[] = []): boolean {
	const hasPackages = !tools.some(({ onUbuntu }) => onUbuntu !== undefined) || !isUbuntu();
	return process.getuid?.() === 0 && which('apt-get') !== undefined && hasPackages;
}

/** Installs missing tools, if possible. @throws {HarnessProblem} that names the missing tools and quotes apt-get */
export async function ensureTools(
	tools: SystemTool[],
	{ report, signal }: { report?: Report; signal?: AbortSignal } = {},
): Promise<void> {
	const wanted = missing(tools);
	if (wanted.length === 0) return;
	if (!canInstall(wanted)) throw new HarnessProblem(describeMissing(wanted));
	report?.(`Installing ${wanted.map(({ name }) => name).join(', ')}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	// Waits for another apt-get, such as automatic updates.
	const aptGet = async (...args: string[]) =>
		await runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { cwd: '/', env, signal });
	// A failed update can still leave usable lists, so only the installation decides.
	const update = await aptGet('update', '-qq');
	const packages = wanted.map(({ debian }) => debian);
	const { stderr } = await aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
	const left = missing(wanted);
	if (left.length === 0) return;
	const output = `${update.stderr}\n${stderr}`.trim().split('\n').slice(-10).join('\n');
	throw new HarnessProblem(`${describeMissing(left)} apt-get said:\n${output}`);
}
