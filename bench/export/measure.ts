import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../harness/credentials';
import type { WorkflowFile } from '../../harness/n8n/client';
import { errorOf, itemsOf, secondsOf } from '../../harness/n8n/execution';
import { installPackage, packPackage } from '../../harness/n8n/package';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { memoryOf, resetPeak } from '../../harness/processes/memory';
import type { Report } from '../../harness/problem';
import { startSandboxProcess, type SandboxProcess } from '../sandboxProcess';
import { MEASURED } from './workflows';

export interface Testbed {
	n8n: RunningN8n;
	sandbox: SandboxProcess;
}

/** Runs `work` with a fresh n8n with the packed package, and a sandbox in its own process. */
export async function withTestbed<Result>(
	conversations: number,
	report: Report,
	work: (testbed: Testbed) => Promise<Result>,
	env?: Record<string, string>,
): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-export-'));
	const started: Array<{ stop(): Promise<void> }> = [];
	try {
		const sandbox = await startSandboxProcess({ conversations });
		started.push(sandbox);
		installPackage(folder, await packPackage(folder, report));
		const n8n = await startN8n({ userFolder: folder, report, env });
		started.push(n8n);
		await saveSandboxCredentials(n8n.client, sandbox);
		return await work({ n8n, sandbox });
	} finally {
		await Promise.all(started.map(async (one) => await one.stop()));
		rmSync(folder, { recursive: true, force: true });
	}
}

export interface Measurement {
	/** The execution's time, measured by n8n. */
	seconds: number;
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
	nodeSeconds: number;
}

/** Runs a workflow once. @throws Error when it fails */
export async function measure({ n8n, sandbox }: Testbed, workflow: WorkflowFile): Promise<Measurement> {
	const { client, pid } = n8n;
	const workflowId = await client.importWorkflow(workflow);
	await sandbox.resetRequests();
	const beforeMB = memoryOf(pid).ownResidentMB;
	resetPeak(pid);
	const id = await client.start(workflowId);
	const execution = await client.waitForEnd(id, { limitSeconds: 900, lookEveryMs: 1000 });
	const peakMB = memoryOf(pid).ownPeakMB;
	if (execution.status !== 'success') {
		const failure = errorOf(await client.execution(id));
		throw new Error(`${workflow.name} ended with ${execution.status}: ${failure?.message}`);
	}
	return {
		seconds: secondsOf(execution),
		requests: await sandbox.countRequests(),
		peakMB,
		beforeMB,
		async result() {
			const whole = await client.execution(id);
			const [run] = whole.data?.resultData.runData[MEASURED] ?? [];
			return { items: itemsOf(whole, MEASURED), nodeSeconds: run.executionTime / 1000 };
		},
	};
}

/** How long memory must not shrink to count as settled, and the longest wait, in seconds. */
const SETTLED = { for: 15, within: 120 };

/** Waits until n8n has released the memory of its last execution. */
export async function untilIdle({ n8n }: Testbed): Promise<void> {
	let min = Infinity;
	for (let second = 0, steady = 0; second < SETTLED.within && steady < SETTLED.for; second++) {
		await delay(1000);
		const now = memoryOf(n8n.pid).ownResidentMB;
		steady = now > min - 2 ? steady + 1 : 0;
		min = Math.min(min, now);
	}
}
