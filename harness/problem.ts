import { isNativeError } from 'node:util/types';

/** An error that the user can fix. Its message says how; the console shows it without a stack trace. */
export class HarnessProblem extends Error {
	override name = 'HarnessProblem';
}

const NO_PERMISSION =
	'You are not allowed to change a folder or file. Change its permissions, or set PLAYGROUND_CACHE to a writable folder.';

const SYSTEM_MESSAGES: Record<string, string> = {
	ENOSPC: 'The disk is full. Free some space, or set PLAYGROUND_CACHE to a folder on another disk.',
	EACCES: NO_PERMISSION,
	EPERM: NO_PERMISSION,
	EROFS: 'The disk is read-only. Set PLAYGROUND_CACHE to a writable folder.',
	ENOTDIR: 'A file is in the place of a folder. Remove it, or set PLAYGROUND_CACHE to another folder.',
	EMFILE: 'Too many files are open. Raise the limit (ulimit -n 4096) and run the command again.',
};

/**
 * Describes an error for the console: in a sentence if it is a {@link HarnessProblem} or an error of the
 * operating system that we can explain, with its stack otherwise.
 */
export function inWords(error: unknown): string {
	if (error instanceof HarnessProblem) return error.message;
	// `instanceof` fails in jest, where the system's errors come from another realm.
	if (!isNativeError(error)) return String(error);
	const { code, syscall, path } = error as NodeJS.ErrnoException;
	if (code === 'ENOENT' && path && syscall?.startsWith('spawn')) {
		const advice = path === 'npm' ? 'It comes with Node: install Node with npm' : 'Install it';
		return `The program "${path}" was not found. ${advice} and run the command again.`;
	}
	const explanation = code && SYSTEM_MESSAGES[code];
	return explanation ? `${explanation}\n(${error.message})` : (error.stack ?? error.message);
}

/** Shows a line of progress to the user. */
export type Report = (line: string) => void;

/** Creates a {@link Report} that prefixes each line with the seconds since its creation. */
export function timedReport(print: (line: string) => void = console.log): Report {
	const startedAt = Date.now();
	return (line) => print(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`);
}

/** After so long without a line, nobody knows whether something still runs. */
const REPEAT_MS = 15_000;

/** Repeats the last line while a step takes long, until it is stopped. */
export function repeating(report: Report): { report: Report; stop: () => void } {
	let last = '';
	const timer = setInterval(() => report(`Still: ${last}`), REPEAT_MS).unref();
	const first = (line: string) => {
		last = line;
		timer.refresh();
		report(line);
	};
	return { report: first, stop: () => clearInterval(timer) };
}
