import { setTimeout as delay } from 'node:timers/promises';
import type { N8nClient } from '../../harness/n8n/client';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import type { Sandbox } from '../../sandbox';
import type { Condition } from './conditions';
import { MEASURED } from '../export/workflows';
import { workflowFor, type Contestant } from './contestants';
import { intended, plan, wrongOnes } from './plan';

export interface Trial {
	contestant: Contestant;
	condition: Condition;
	seed: number;
	items: number;
	latencyMs: number;
}

export interface Result {
	/** The node's execution time. */
	seconds: number;
	requests: number;
	/** Requests with status 200. */
	accepted: number;
	/** Items that ended with an error. */
	failedItems: number;
	/** Appointments that should be stored at the end (fewer than items), and how many of them are missing or wrong. */
	appointments: number;
	wrong: number;
}

const LIMIT_SECONDS = 900;

/** Runs a trial in n8n and compares the appointments in the sandbox with the plan. */
export async function measure(client: N8nClient, sandbox: Sandbox, trial: Trial): Promise<Result> {
	const { contestant, condition, seed, items, latencyMs } = trial;
	const users = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const rows = plan({
		prefix: `${contestant.name}, ${condition.name}`,
		seed,
		items,
		users: users.map(({ email }) => email),
		outcomes: sandbox.control.outcomes().slice(0, 4),
	});
	const workflowId = await client.importWorkflow(workflowFor(contestant, rows));
	sandbox.requests.reset();
	sandbox.faults.clear();
	sandbox.faults.add({ kind: 'latency', path: '/crm', milliseconds: latencyMs });
	for (const fault of condition.faults(seed)) sandbox.faults.add(fault);
	sandbox.usagePlans.set(condition.usagePlan);
	const execution = await runQuietly(client, sandbox, workflowId, items);
	sandbox.faults.clear();
	sandbox.usagePlans.set(undefined);
	const failure = errorOf(execution);
	if (failure) throw new Error(`${contestant.name} stopped: ${failure.message}`);
	await client.session.api('DELETE', `/workflows/${workflowId}`);

	const took = execution.data?.resultData.runData[MEASURED]?.at(-1)?.executionTime ?? NaN;
	const result = {
		seconds: took / 1000,
		requests: sandbox.requests.count('/crm'),
		accepted: sandbox.requests.list({ path: '/crm' }).filter(({ status }) => status === 200).length,
		failedItems: itemsOf(execution, MEASURED).filter(({ json, error }) => error ?? json.error).length,
		appointments: intended(rows).size,
		wrong: wrongOnes(rows, sandbox.control.appointments()),
	};
	console.error(contestant.name, `seed ${seed}`, condition.name, result);
	return result;
}

/** Asks n8n for the status only after every item has been sent, because asking slows n8n down. */
async function runQuietly(client: N8nClient, sandbox: Sandbox, workflowId: string, items: number) {
	const started = await client.session.rest<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Manual Trigger' },
	});
	for (let waited = 0; sandbox.requests.count('/crm') < items && waited < LIMIT_SECONDS; waited++) {
		await delay(1000);
	}
	return await client.waitForResult(started.executionId, { limitSeconds: LIMIT_SECONDS, lookEveryMs: 1000 });
}
