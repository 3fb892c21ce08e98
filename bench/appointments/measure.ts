import { setTimeout as delay } from 'node:timers/promises';
import type { N8nClient } from '../../playground/n8n/client';
import { errorOf, itemsOf } from '../../playground/n8n/execution';
import type { Sandbox } from '../../sandbox';
import type { FaultRequest } from '../../sandbox/faults/fault';
import { CONTESTANT, workflowFor, type Contestant } from './contestants';
import { plan, wrongOnes } from './plan';

export interface Trial {
	contestant: Contestant;
	seed: number;
	items: number;
	latencyMs: number;
	/** One request in so many meets a fault; none by default. */
	oneFaultIn?: number;
}

export interface Result {
	/** Time that the node itself took. */
	seconds: number;
	requests: number;
	/** Items that carry an error. */
	failedItems: number;
	/** Appointments that are not as intended in the end. */
	wrong: number;
}

const LIMIT_SECONDS = 900;

/** The faults of the trial, equally likely. */
const KINDS = ['tooManyRequests', 'serverError', 'connectionReset', 'lostAnswer'] as const;

/** Runs one trial in n8n and compares what the service then holds with what it should hold. */
export async function measure(client: N8nClient, sandbox: Sandbox, trial: Trial): Promise<Result> {
	const users = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const rows = plan({
		prefix: `${trial.contestant.name}${trial.oneFaultIn ? ' with faults' : ''}`,
		seed: trial.seed,
		items: trial.items,
		users: users.map(({ email }) => email),
		outcomes: sandbox.control.outcomes().slice(0, 4),
	});
	const workflowId = await client.importWorkflow(workflowFor(trial.contestant, rows));
	sandbox.requests.reset();
	sandbox.faults.clear();
	for (const fault of faultsOf(trial)) sandbox.faults.add(fault);
	const execution = await runQuietly(client, sandbox, workflowId, trial.items);
	sandbox.faults.clear();
	const failure = errorOf(execution);
	if (failure) throw new Error(`${trial.contestant.name} stopped: ${failure.message}`);
	await client.session.api('DELETE', `/workflows/${workflowId}`);

	const took = execution.data?.resultData.runData[CONTESTANT]?.at(-1)?.executionTime ?? NaN;
	return {
		seconds: took / 1000,
		requests: sandbox.requests.count('/crm'),
		failedItems: itemsOf(execution, CONTESTANT).filter(({ json, error }) => error ?? json.error).length,
		wrong: wrongOnes(rows, sandbox.control.appointments()),
	};
}

/** Asks n8n how far it is only once the service has seen every item: asking costs the n8n that is being measured. */
async function runQuietly(client: N8nClient, sandbox: Sandbox, workflowId: string, items: number) {
	const started = await client.session.rest<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Manual Trigger' },
	});
	for (let waited = 0; sandbox.requests.count('/crm') < items && waited < LIMIT_SECONDS; waited++) {
		await delay(1000);
	}
	return await client.finished(started.executionId, { limitSeconds: LIMIT_SECONDS, lookEveryMs: 1000 });
}

function faultsOf({ seed, latencyMs, oneFaultIn }: Trial): FaultRequest[] {
	const latency: FaultRequest = { kind: 'latency', path: '/crm', milliseconds: latencyMs };
	if (oneFaultIn === undefined) return [latency];
	const probability = 1 / oneFaultIn / KINDS.length;
	const faults = KINDS.map((kind, index) => ({
		kind,
		path: '/crm',
		probability,
		seed: seed * KINDS.length + index,
	}));
	return [latency, ...faults];
}
