import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that npm does not install. */
export interface SystemTool {
	name: string;
	/** What needs the program, e.g. `the browser test`. */
	neededFor: string;
	/** The program's Debian package. */
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
		[
			process.env.CHROMIUM_PATH,
			...['chromium', 'chromium-browser', 'google-chrome'].map((name) => findOnPath(name)),
		].find((file) => file && isExecutable(file)),
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
		find: () => ['g++', 'c++', 'clang++'].map((name) => findOnPath(name)).find(Boolean),
	},
].map((tool) => ({ ...tool, neededFor: 'compiling n8n’s database driver' }));

/** The tools that are not installed. */
export function missing(tools: SystemTool[]): SystemTool[] {
	return tools.filter((tool) => tool.find() === undefined);
}

/**
 * Says which tools are missing and what to do.
 *
 * @param tools - at least one
 */
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
export function isUbuntu(): boolean {
	const file = '/etc/os-release';
	return existsSync(file) && /^ID=ubuntu$/m.test(readFileSync(file, 'utf8'));
}

/** Finds a program in the folders of `PATH`. */
export function findOnPath(program: string, path = process.env.PATH ?? ''): string | undefined {
	return path
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
