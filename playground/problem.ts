/**
 * A reason for giving up that the reader can act on. Its message is one or two plain sentences: the console shows
 * them without a stack trace.
 */
export class PlaygroundProblem extends Error {
	override name = 'PlaygroundProblem';
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
