import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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
	/** The program's path, if it is installed. */
	find(): string | undefined;
}

export const CHROMIUM: SystemTool = {
	name: 'Chromium',
	neededFor: 'the browser test',
	debian: 'chromium',
	onUbuntu: 'Google Chrome, or any Chromium with its path in CHROMIUM_PATH',
	find: () =>
		[process.env.CHROMIUM_PATH, ...['chromium', 'chromium-browser', 'google-chrome'].map(findOnPath)].find(
			(file) => file && isExecutable(file),
		),
};

export const REDIS: SystemTool = {
	name: 'Redis',
	neededFor: 'queue mode',
	debian: 'redis-server',
	find: () => findOnPath('redis-server'),
};

/** Finds `initdb`; `postgres` and `createdb` are in the same folder. */
export const POSTGRES: SystemTool = {
	name: 'PostgreSQL',
	neededFor: 'queue mode',
	debian: 'postgresql',
	find: () => findDebianPostgres() ?? findOnPath('initdb'),
};

/** Tools to compile n8n's database driver when no prebuilt one can be downloaded. */
export const BUILD_TOOLS: SystemTool[] = [
	{ name: 'Python 3', debian: 'python3', find: () => findOnPath('python3') },
	{ name: 'make', debian: 'make', find: () => findOnPath('make') },
	{
		name: 'a C++ compiler',
		debian: 'g++',
		find: () => ['g++', 'c++', 'clang++'].map(findOnPath).find(Boolean),
	},
].map((tool) => ({ ...tool, neededFor: 'compiling n8n’s database driver' }));

/** The tools that are not installed. */
export function missing(tools: SystemTool[]): SystemTool[] {
	return tools.filter((tool) => tool.find() === undefined);
}

export function describeMissing(tools: SystemTool[]): string {
	const needs = tools.map(({ name, neededFor }) => `${name} (for ${neededFor})`).join(', ');
	const byHand = isUbuntu() ? tools.filter(({ onUbuntu }) => onUbuntu !== undefined) : [];
	const packages = tools.filter((tool) => !byHand.includes(tool)).map(({ debian }) => debian);
	const hints = [
		...(packages.length > 0 ? [`on Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}`] : []),
		...byHand.map(({ name, onUbuntu }) => `for ${name} here: ${onUbuntu}`),
	];
	return `Missing: ${needs}. Install it (${hints.join('; ')}) and run the command again.`;
}

/** Whether the system is Ubuntu, whose packages differ from Debian's. */
function isUbuntu(): boolean {
	const file = '/etc/os-release';
	return existsSync(file) && /^ID=ubuntu$/m.test(readFileSync(file, 'utf8'));
}

function findOnPath(program: string): string | undefined {
	return (process.env.PATH ?? '')
		.split(delimiter)
		.filter(Boolean)
		.map((folder) => join(folder, program))
		.find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Finds the newest PostgreSQL in Debian's folders, which are not on the path. */
function findDebianPostgres(): string | undefined {
	const all = '/usr/lib/postgresql';
	return (existsSync(all) ? readdirSync(all) : [])
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(all, version, 'bin', 'initdb'))
		.find(isExecutable);
}

/** Whether tools can be installed: as root, with apt-get, if it has packages for them. */
export function canInstall(tools: SystemTool[] = []): boolean {
	const hasPackages = !isUbuntu() || tools.every(({ onUbuntu }) => onUbuntu === undefined);
	return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined && hasPackages;
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
	const packages = wanted.map(({ debian }) => debian);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	// Waits for another apt-get, such as automatic updates.
	const aptGet = async (...args: string[]) =>
		await runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { cwd: '/', env, signal });
	// A failed update can still leave usable lists, so only the installation decides.
	const update = await aptGet('update', '-qq');
	const install = await aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
	if (install.code !== 0) {
		const output = `${update.stderr}\n${install.stderr}`.trim().split('\n').slice(-10).join('\n');
		throw new HarnessProblem(`${describeMissing(wanted)} apt-get failed:\n${output}`);
	}
	const left = missing(tools);
	if (left.length > 0) throw new HarnessProblem(describeMissing(left));
}
