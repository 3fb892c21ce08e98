import type { Sandbox } from '../../sandbox';
import { hasManualTrigger, type N8nClient } from '../n8n/client';
import { errorOf, itemsOf, secondsOf } from '../n8n/execution';
import { PlaygroundProblem, type Report } from '../problem';
import type { ExampleWorkflow } from '../workflows';

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
 * Runs each example that has a Manual Trigger, one after another.
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
	for (const example of examples.filter(({ workflow }) => hasManualTrigger(workflow))) {
		report(`Running "${example.workflow.name}"`);
		outcomes.push(await runExample(client, sandbox, example));
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
	const rows = itemsOf(execution).length;
	const failure =
		errorOf(execution)?.message ?? (execution.status === 'success' ? undefined : execution.status);
	const mismatch = failure ? undefined : await CHECKS[slug]?.(sandbox, rows);
	return {
		workflow: workflow.name,
		requests,
		rows,
		seconds: secondsOf(execution),
		result: failure ?? mismatch ?? 'ok',
	};
}

/** What a workflow's result is held against, by file name; returns what is wrong. */
const CHECKS: Record<string, (sandbox: Sandbox, rows: number) => Promise<string | undefined>> = {
	'export-conversations': async (sandbox, rows) => {
		const total = await totalConversations(sandbox);
		return rows === total ? undefined : `${rows} rows, but the service has ${total} conversations`;
	},
};

/** Asks the service itself how many conversations the whole span of its data holds. */
async function totalConversations({ exportUrl, keys, options }: Sandbox): Promise<number> {
	const response = await fetch(`${exportUrl}/export/conversations`, {
		method: 'POST',
		headers: { authorization: keys.organization, 'content-type': 'application/json' },
		body: JSON.stringify({ fromDate: options.from, toDate: options.to, limit: 1 }),
	});
	if (!response.ok)
		throw new PlaygroundProblem(`The sandbox answered ${response.status} to the check of its total.`);
	const page: { totalConversations: number } = JSON.parse(await response.text());
	return page.totalConversations;
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
