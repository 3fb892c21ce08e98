import { isNativeError } from 'node:util/types';

/**
 * A reason for giving up that the reader can act on. Its message is one or two plain sentences: the console shows
 * them without a stack trace.
 */
export class PlaygroundProblem extends Error {
	override name = 'PlaygroundProblem';
}

/** What a refusal of the operating system means for the reader, by its code. */
export const SYSTEM_WORDS: Record<string, string> = {
	ENOSPC: 'The disk is full. Free some room, or set PLAYGROUND_CACHE to a folder on another disk.',
	EDQUOT: 'Your disk quota is used up. Free some room, or set PLAYGROUND_CACHE to a folder on another disk.',
	EACCES:
		'A folder or file may not be changed by this user. Change its rights, or set PLAYGROUND_CACHE to a folder that can be written.',
	EPERM:
		'A folder or file may not be changed by this user. Change its rights, or set PLAYGROUND_CACHE to a folder that can be written.',
	EROFS: 'The disk is read-only. Set PLAYGROUND_CACHE to a folder that can be written.',
	ENOTDIR: 'A file stands where a folder is needed. Remove it, or set PLAYGROUND_CACHE to another folder.',
	EMFILE: 'Too many files are open. Raise the limit (ulimit -n 4096) and run the command again.',
};

/**
 * Puts an error into words for the console: a problem's own, a sentence for what the operating system refuses (a
 * full disk, missing rights, a missing program), and the whole stack for anything unforeseen.
 */
export function inWords(error: unknown): string {
	if (error instanceof PlaygroundProblem) return error.message;
	// Not `instanceof`: inside jest the system's errors are of another world.
	if (!isNativeError(error)) return String(error);
	const { code, syscall, path } = error as NodeJS.ErrnoException;
	if (code === 'ENOENT' && path && syscall?.startsWith('spawn')) return missingProgram(path);
	const words = code && SYSTEM_WORDS[code];
	return words ? `${words}\n(${error.message})` : (error.stack ?? error.message);
}

function missingProgram(program: string): string {
	const source = program === 'npm' ? 'It comes with Node: install Node with its npm' : 'Install it';
	return `The program "${program}" was not found. ${source} and run the command again.`;
}

/** Tells the reader in one line how far the work is. */
export type Report = (line: string) => void;

/** A {@link Report} that says nothing. */
export const silent: Report = () => {};

/**
 * A {@link Report} that prints each line with the seconds since it was made.
 *
 * @param print - where the line goes; the console's standard output by default
 */
export function timedReport(print: (line: string) => void = console.log): Report {
	const startedAt = Date.now();
	return (line) => print(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`);
}
