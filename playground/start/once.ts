import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../n8n/client';
import { errorOf, itemsOf, secondsOf } from '../n8n/execution';
import type { Report } from '../problem';
import type { ExampleWorkflow } from '../workflows';
import { checkExample } from './checks';
import { failureOf, type Outcome } from './outcome';
import { isTriggerExample } from './triggers';

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
