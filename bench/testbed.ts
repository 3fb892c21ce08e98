import type { INodeExecutionData } from 'n8n-workflow';
import { saveSandboxCredentials } from '../harness/credentials';
import type { WorkflowFile } from '../harness/n8n/client';
import { errorOf, itemsOf } from '../harness/n8n/execution';
import { startTestN8n, type TestN8n } from '../harness/n8n/fresh';
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

export interface Measurement {
	/** Requests to the service. */
	requests: number;
	/** Memory of the n8n process: its peak during the run, and just before the run. */
	peakMB: number;
	beforeMB: number;
	/** Loaded on demand, because n8n would load it all into the measured memory. */
	result(): Promise<Result>;
}

export interface Result {
	/** The measured node's output. */
	items: INodeExecutionData[];
	/** The node's execution time, measured by n8n. */
	seconds: number;
}

/** Runs a workflow once. @throws Error when it fails */
export async function measure({ n8n, sandbox }: Testbed, workflow: WorkflowFile): Promise<Measurement> {
	const { client, pid } = n8n;
	const workflowId = await client.importWorkflow(workflow);
	sandbox.requests.reset();
	const beforeMB = memoryOf(pid).residentMB;
	resetPeak(pid);
	const id = await client.start(workflowId);
	const { status } = await client.waitForEnd(id, { limitSeconds: 900, lookEveryMs: 1000 });
	const peakMB = memoryOf(pid).peakMB;
	if (status !== 'success') {
		const failure = errorOf(await client.execution(id));
		throw new Error(`${workflow.name} ended with ${status}: ${failure?.message}`);
	}
	return {
		requests: sandbox.requests.count(),
		peakMB,
		beforeMB,
		async result() {
			const whole = await client.execution(id);
			const [run] = whole.data?.resultData.runData[MEASURED] ?? [];
			return { items: itemsOf(whole, MEASURED), seconds: run.executionTime / 1000 };
		},
	};
}
