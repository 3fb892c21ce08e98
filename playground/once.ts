import type { Sandbox } from '../sandbox';
import type { Doubles } from '../harness/examples/doubles';
import type { N8nClient } from '../harness/n8n/client';
import { errorOf, secondsOf } from '../harness/n8n/execution';
import type { Report } from '../harness/problem';
import type { ExampleWorkflow } from '../harness/workflows';
import { JOBS, type Job } from './jobs';
import { failureOf, type Outcome } from './outcome';

/** Where examples run: an n8n, the local service, and doubles of outside services. */
export interface Stage {
	client: N8nClient;
	sandbox: Sandbox;
	doubles: Doubles;
	/** Whether n8n has a PostgreSQL credential. */
	hasPostgres: boolean;
}

/**
 * Runs every example with a job, one after another.
 *
 * @returns an outcome for each, including failures
 */
export async function runExamples(
	stage: Stage,
	examples: ExampleWorkflow[],
	report: Report,
): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const example of examples) {
		const job = JOBS[example.slug];
		if (!job) continue;
		const workflow = example.workflow.name;
		const nothing = { workflow, requests: 0, did: '', seconds: 0 };
		if (job.needs === 'postgres' && !stage.hasPostgres) {
			outcomes.push({ ...nothing, result: 'skipped: needs PostgreSQL' });
			continue;
		}
		report(`Running "${workflow}"`);
		const outcome = runExample(stage, example, job).catch((error: unknown) => ({
			...nothing,
			requests: stage.sandbox.requests.count(),
			result: failureOf(error, stage.client),
		}));
		outcomes.push(await outcome);
	}
	return outcomes;
}

async function runExample(stage: Stage, { workflow }: ExampleWorkflow, job: Job): Promise<Outcome> {
	const { client, sandbox, doubles } = stage;
	const workflowId = await client.importWorkflow(workflow);
	sandbox.requests.reset();
	doubles.reset();
	const execution = await client.run(workflowId, { trigger: job.trigger });
	const { did, isRight } = job.check({ execution, doubles, sandbox });
	const failure =
		errorOf(execution)?.message ?? (execution.status === 'success' ? undefined : execution.status);
	return {
		workflow: workflow.name,
		requests: sandbox.requests.count(),
		did,
		seconds: secondsOf(execution),
		result: failure ?? (isRight ? 'ok' : 'not everything was done'),
	};
}
