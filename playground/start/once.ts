import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../n8n/client';
import { errorOf, itemsOf, secondsOf } from '../n8n/execution';
import { inWords, type Report } from '../problem';
import type { ExampleWorkflow } from '../workflows';
import { checkExample } from './checks';
import { isTriggerExample } from './triggers';

/** One line of the summary table. */
export interface Outcome {
	workflow: string;
	/** Requests that reached the sandbox. */
	requests: number;
	/** Items that the last node put out. */
	rows: number;
	seconds: number;
	/** `ok`, or why it failed. */
	result: string;
}

/**
 * Runs each example that needs no trigger, one after another.
 *
 * @returns an outcome for each; failures are outcomes too
 */
export async function runExamples(
	client: N8nClient,
	sandbox: Sandbox,
	examples: ExampleWorkflow[],
	report: Report,
): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const example of examples.filter(({ slug }) => !isTriggerExample(slug))) {
		report(`Running "${example.workflow.name}"`);
		const outcome = runExample(client, sandbox, example).catch((error: unknown) => ({
			workflow: example.workflow.name,
			requests: sandbox.requests.count(),
			rows: 0,
			seconds: 0,
			result: failureOf(error, client),
		}));
		outcomes.push(await outcome);
	}
	return outcomes;
}

async function runExample(
	client: N8nClient,
	sandbox: Sandbox,
	{ slug, workflow }: ExampleWorkflow,
): Promise<Outcome> {
	const workflowId = await client.importWorkflow(workflow);
	sandbox.requests.reset();
	const execution = await client.run(workflowId);
	const requests = sandbox.requests.count();
	const items = itemsOf(execution).map(({ json }) => json);
	const failure =
		errorOf(execution)?.message ?? (execution.status === 'success' ? undefined : execution.status);
	const mismatch = failure ? undefined : await checkExample(slug, items, sandbox);
	return {
		workflow: workflow.name,
		requests,
		rows: items.length,
		seconds: secondsOf(execution),
		result: failure ?? mismatch ?? 'ok',
	};
}

/**
 * What is said of an example that broke off.
 *
 * @throws the error itself when everything is broken off, as by Ctrl-C
 */
export function failureOf(error: unknown, { session }: N8nClient): string {
	session.signal?.throwIfAborted();
	return inWords(error);
}

/** Lays the outcomes out as a table for the console. */
export function summaryTable(outcomes: Outcome[]): string {
	const lines = [
		['Workflow', 'Requests', 'Rows', 'Seconds', 'Result'],
		...outcomes.map((one) => [
			one.workflow,
			String(one.requests),
			String(one.rows),
			one.seconds.toFixed(1),
			one.result,
		]),
	];
	const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	const isNumber = (column: number) => column >= 1 && column <= 3;
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
