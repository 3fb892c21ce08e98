/** What benchmarks measure with. */
import { setTimeout as delay } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import { errorOf, itemsOf } from '../harness/n8n/execution';
import { progress } from '../harness/n8n/fresh';
import type { WorkflowFile } from '../harness/n8n/workflowFile';
import { memoryOf, resetPeak } from '../harness/processes/memory';
import { startTestbed, type Testbed } from '../harness/testbed';
import type { Sandbox, SandboxOptions } from '../sandbox';
import { median } from '../sandbox/statistics';
import { ratio } from './figures';
import { MEASURED } from './workflows';

export async function withTestbed<Result>(
	options: Partial<SandboxOptions>,
	work: (testbed: Testbed) => Promise<Result>,
	env: Record<string, string> = {},
): Promise<Result> {
	const testbed = await startTestbed(options, { env });
	try {
		return await work(testbed);
	} finally {
		await testbed.stop();
	}
}

/** Delays every response of the service; 0 removes the delay and all other faults. */
export function setLatency({ faults }: Sandbox, milliseconds: number): void {
	faults.clear();
	if (milliseconds > 0) faults.add({ kind: 'latency', milliseconds });
}

/**
 * Runs a workflow once, and returns the requests to the service, the memory of n8n before and at its peak, and the measured
 * node's output and execution time.
 * @throws when the workflow fails
 */
export async function measure({ n8n: { client, service }, sandbox }: Testbed, workflow: WorkflowFile) {
	const { pid } = service;
	const workflowId = await client.importWorkflow(workflow);
	sandbox.requests.reset();
	const beforeMB = memoryOf(pid).residentMB;
	resetPeak(pid);
	const id = await client.start(workflowId);
	const { status } = await client.waitForEnd(id, { limitSeconds: 900, lookEveryMs: 1000 });
	const requests = sandbox.requests.count();
	const { peakMB } = memoryOf(pid);
	// Loaded at the end, because n8n loads it all into its memory.
	const execution = await client.execution(id);
	if (status !== 'success')
		throw new Error(`${workflow.name} ended with ${status}: ${errorOf(execution)?.message}`);
	const [run] = execution.data?.resultData.runData[MEASURED] ?? [];
	const items = itemsOf(execution, MEASURED);
	return { requests, beforeMB, peakMB, items, seconds: run.executionTime / 1000 };
}

/** The same work as a workflow with this package's node and as one with the HTTP Request node. */
export interface Job {
	name: string;
	workflows: readonly [own: WorkflowFile, http: WorkflowFile];
	check: (own: INodeExecutionData[], http: INodeExecutionData[]) => void;
}

/** Runs both workflows of a job in turn, each first in every second round. */
export async function pairsOf(testbed: Testbed, { workflows: [own, http], check }: Job, rounds: number) {
	const pairs = [];
	for (let round = 0; round < rounds; round++) {
		const early = round % 2 === 0 ? undefined : await measure(testbed, http);
		const pair = { own: await measure(testbed, own), http: early ?? (await measure(testbed, http)) };
		check(pair.own.items, pair.http.items);
		pairs.push(pair);
	}
	return pairs;
}

/** Each job at each latency of the service: the median seconds and requests, and the median ratio of a pair's seconds. */
export async function compareJobs(testbed: Testbed, jobs: Job[], latencies: number[], rounds: number) {
	// The first run of each workflow warms up n8n and does not count.
	for (const job of jobs) await pairsOf(testbed, job, 1);
	const results = [];
	for (const latency of latencies) {
		setLatency(testbed.sandbox, latency);
		for (const job of jobs) {
			const pairs = await pairsOf(testbed, job, rounds);
			const of = (node: 'own' | 'http', figure: 'seconds' | 'requests') =>
				median(pairs.map((pair) => pair[node][figure]));
			const share = median(pairs.map(({ own, http }) => own.seconds / http.seconds));
			progress(`${job.name}, ${latency} ms a response: ${ratio(share)}`);
			results.push({ name: job.name, latency, of, share });
		}
	}
	return results;
}

/** How long memory must not shrink to count as settled, and the longest wait, in seconds. */
const SETTLED = { for: 15, within: 120 };

/** Waits until n8n has released the memory of its last work. */
export async function untilIdle({ n8n }: Testbed): Promise<void> {
	let min = Infinity;
	for (let second = 0, steady = 0; second < SETTLED.within && steady < SETTLED.for; second++) {
		await delay(1000);
		const now = memoryOf(n8n.service.pid).residentMB;
		steady = now > min - 2 ? steady + 1 : 0;
		min = Math.min(min, now);
	}
}
