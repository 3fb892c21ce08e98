import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that npm does not bring. */
export interface SystemTool {
	name: string;
	/** What it is needed for, e.g. `the browser test`. */
	neededFor: string;
	/** The Debian package that has it. */
	debian: string;
	/** What to install by hand where Debian's package has no like: on Ubuntu, Chromium is a snap. */
	onUbuntu?: string;
	/** Where it is; undefined when it is not there. */
	find(): string | undefined;
}

export const CHROMIUM: SystemTool = {
	name: 'Chromium',
	neededFor: 'the browser test',
	debian: 'chromium',
	onUbuntu: 'Google Chrome, or any Chromium that CHROMIUM_PATH names',
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

/** Found as its `initdb`; `postgres` and `createdb` stand beside it. */
export const POSTGRES: SystemTool = {
	name: 'PostgreSQL',
	neededFor: 'queue mode',
	debian: 'postgresql',
	find: () => findDebianPostgres() ?? findOnPath('initdb'),
};

/** What n8n's database driver is compiled with where no ready-made one can be downloaded. */
export const BUILD_TOOLS: SystemTool[] = [
	{ name: 'Python 3', debian: 'python3', find: () => findOnPath('python3') },
	{ name: 'make', debian: 'make', find: () => findOnPath('make') },
	{
		name: 'a C++ compiler',
		debian: 'g++',
		find: () => ['g++', 'c++', 'clang++'].map((name) => findOnPath(name)).find(Boolean),
	},
].map((tool) => ({ ...tool, neededFor: 'compiling n8n’s database driver' }));

/** Those of the tools that are not there. */
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
	return `Missing: ${needs}. Install what is missing (${hints.join('; ')}) and run the command again.`;
}

/** Whether this is an Ubuntu, whose packages differ from Debian's. */
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

/** Debian keeps PostgreSQL's server programs off the path, one folder per version; the newest counts. */
function findDebianPostgres(): string | undefined {
	const all = '/usr/lib/postgresql';
	return (existsSync(all) ? readdirSync(all) : [])
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(all, version, 'bin', 'initdb'))
		.find(isExecutable);
}
