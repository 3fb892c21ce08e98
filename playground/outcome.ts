import type { N8nClient } from '../harness/n8n/client';
import { inWords } from '../harness/problem';

/** One line of the summary table. */
export interface Outcome {
	workflow: string;
	/** Number of requests that reached the sandbox. */
	requests: number;
	/** What the example did, e.g. `1 mail`. */
	did: string;
	seconds: number;
	/** `ok`, or why the example was skipped or failed. */
	result: string;
}

/**
 * The reason why an example failed, for the summary table.
 *
 * @throws the error itself when the whole run is interrupted, e.g. by Ctrl-C
 */
export function failureOf(error: unknown, { session }: N8nClient): string {
	session.signal?.throwIfAborted();
	return inWords(error);
}

/** Formats the outcomes as a table for the console. */
export function summaryTable(outcomes: Outcome[]): string {
	const lines = [
		['Workflow', 'Did', 'Requests', 'Seconds', 'Result'],
		...outcomes.map((one) => [
			one.workflow,
			one.did,
			String(one.requests),
			one.seconds.toFixed(1),
			one.result,
		]),
	];
	const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	const isNumber = (column: number) => column === 2 || column === 3;
	const draw = (line: string[]) =>
		line
			.map((text, column) => (isNumber(column) ? text.padStart(widths[column]) : text.padEnd(widths[column])))
			.join('  ')
			.trimEnd();
	return [
		draw(lines[0]),
		widths.map((width) => '-'.repeat(width)).join('  '),
		...lines.slice(1).map(draw),
	].join('\n');
}
