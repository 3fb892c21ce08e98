import type { INodeExecutionData } from 'n8n-workflow';
import { saveSandboxCredentials } from '../harness/credentials';
import { errorOf, itemsOf } from '../harness/n8n/execution';
import { startTestN8n, type TestN8n } from '../harness/n8n/fresh';
import type { WorkflowFile } from '../harness/n8n/workflowFile';
import { memoryOf, resetPeak } from '../harness/processes/memory';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { MEASURED } from './workflows';

/** A fresh n8n with the packed package, and the local service in this process, which is idle while n8n runs. */
export interface Testbed {
	n8n: TestN8n;
	sandbox: Sandbox;
}

/** Runs `work` with a new testbed. */
export async function withTestbed<Result>(
	options: Partial<SandboxOptions>,
	work: (testbed: Testbed) => Promise<Result>,
	env: Record<string, string> = {},
): Promise<Result> {
	const sandbox = await startSandbox(options);
	try {
		const n8n = await startTestN8n({ env });
		try {
			await saveSandboxCredentials(n8n.client, sandbox);
			return await work({ n8n, sandbox });
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.close();
	}
}

/** Delays every response of the service; 0 removes the delay and all other faults. */
export function setLatency({ faults }: Sandbox, milliseconds: number): void {
	faults.clear();
	if (milliseconds > 0) faults.add({ kind: 'latency', milliseconds });
}

/**
 * Runs a workflow once.
 *
 * @returns the requests to the service; the memory of the n8n process at its peak and before; the measured node's output
 * and its execution time in n8n
 * @throws Error when it fails
 */
export async function measure({ n8n, sandbox }: Testbed, workflow: WorkflowFile) {
	const { client, service } = n8n;
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

export interface Run {
	seconds: number;
	requests: number;
}

/**
 * Runs this package's workflow and n8n's in turn, each first in every second round.
 *
 * @param check compares their outputs
 */
export async function compare(
	testbed: Testbed,
	workflows: readonly WorkflowFile[],
	rounds: number,
	check: (own: INodeExecutionData[], http: INodeExecutionData[]) => void,
): Promise<Array<[own: Run, http: Run]>> {
	const pairs: Array<[own: Run, http: Run]> = [];
	for (let round = 0; round < rounds; round++) {
		const early = round % 2 === 0 ? undefined : await measure(testbed, workflows[1]);
		const own = await measure(testbed, workflows[0]);
		const http = early ?? (await measure(testbed, workflows[1]));
		check(own.items, http.items);
		pairs.push([own, http].map(({ seconds, requests }) => ({ seconds, requests })) as [Run, Run]);
	}
	return pairs;
}
