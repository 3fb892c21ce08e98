import { setTimeout as delay } from 'node:timers/promises';

import { HarnessProblem } from '../problem';
import type { Execution } from './execution';
import type { Session } from './session';
import { manualTriggerOf, type WorkflowFile } from './workflowFile';

/** How to wait for the end of an execution. */
export interface WaitOptions {
	limitSeconds?: number;
	/** Interval between status requests. Benchmarks need longer ones, because each takes n8n milliseconds. */
	lookEveryMs?: number;
}

const RUNNING = ['new', 'running', 'waiting', 'unknown'];

/** Runs workflows and reads their executions. */
export class Executions {
	constructor(readonly session: Session) {}

	/**
	 * Runs a workflow manually, like the editor's button, and waits for its end.
	 *
	 * @param trigger - the name of the trigger to start from, by default the workflow's Manual Trigger
	 * @returns the execution with all its data, successful or not
	 */
	async run(
		workflowId: string,
		{ trigger, ...wait }: { trigger?: string } & WaitOptions = {},
	): Promise<Execution> {
		return await this.waitForResult(await this.start(workflowId, trigger), wait);
	}

	/**
	 * Starts a workflow manually.
	 *
	 * @param trigger - the name of the trigger to start from, by default the workflow's Manual Trigger
	 * @returns the execution's ID
	 */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const started = await this.requestRun<{ executionId: string }>(workflowId, name);
		return started.executionId;
	}

	/** Listens at a webhook trigger's Test URL, like the editor's button. */
	async listen(workflowId: string, trigger: string): Promise<void> {
		await this.requestRun(workflowId, trigger);
	}

	/** Waits for an execution to end and returns it with all its data. */
	async waitForResult(executionId: string, wait?: WaitOptions): Promise<Execution> {
		const { id } = await this.waitForEnd(executionId, wait);
		return await this.execution(id);
	}

	/** Waits for an execution to end and returns it without its data, which is expensive to load. */
	async waitForEnd(executionId: string, wait?: WaitOptions): Promise<Execution> {
		return await this.waitForStatus(executionId, (status) => !RUNNING.includes(status), wait);
	}

	/** Waits until an execution waits, e.g. for a person's response. */
	async waitForPause(executionId: string, wait?: WaitOptions): Promise<Execution> {
		return await this.waitForStatus(executionId, (status) => status === 'waiting', wait);
	}

	private async waitForStatus(
		executionId: string,
		isWanted: (status: Execution['status']) => boolean,
		{ limitSeconds = 600, lookEveryMs = 100 }: WaitOptions = {},
	): Promise<Execution> {
		const deadline = performance.now() + limitSeconds * 1000;
		for (;;) {
			const execution = await this.session.api<Execution>('GET', `/executions/${executionId}`);
			if (isWanted(execution.status)) return execution;
			if (performance.now() > deadline) {
				throw new HarnessProblem(
					`Execution ${executionId} is still ${execution.status} after ${limitSeconds} seconds.`,
				);
			}
			await delay(lookEveryMs, undefined, { signal: this.session.signal });
		}
	}

	/** Stops an execution, like the editor's button. */
	async stopExecution(executionId: string): Promise<void> {
		await this.session.rest('POST', `/executions/${executionId}/stop`, {});
	}

	/** Retries a failed execution, like the editor's button, and waits for its end. Returns the new execution's ID. */
	async retry(executionId: string): Promise<string> {
		return (await this.session.rest<Execution>('POST', `/executions/${executionId}/retry`, {})).id;
	}

	/** Reads an execution with all its data. */
	async execution(executionId: string): Promise<Execution> {
		return await this.session.api('GET', `/executions/${executionId}?includeData=true`);
	}

	/**
	 * Reads the executions of a workflow, newest first, without their data.
	 *
	 * @param status - limits the list, e.g. to `success` or `error`
	 */
	async executions(workflowId: string, status?: string): Promise<Execution[]> {
		const filter = new URLSearchParams({ workflowId, ...(status && { status }) });
		return await this.session.list<Execution>(`/executions?${filter}`);
	}

	/**
	 * Waits until a workflow has at least `atLeast` executions and none is running.
	 *
	 * @returns the number of executions by status, even if the limit has passed
	 */
	async waitForAll(workflowId: string, atLeast: number, limitSeconds = 300): Promise<Record<string, number>> {
		const deadline = Date.now() + limitSeconds * 1000;
		for (;;) {
			const executions = await this.executions(workflowId);
			const isUnderWay = executions.some(({ status }) => RUNNING.includes(status));
			if ((!isUnderWay && executions.length >= atLeast) || Date.now() > deadline) {
				const counts: Record<string, number> = {};
				for (const { status } of executions) counts[status] = (counts[status] ?? 0) + 1;
				return counts;
			}
			await delay(500, undefined, { signal: this.session.signal });
		}
	}

	private async requestRun<T>(workflowId: string, trigger: string): Promise<T> {
		return await this.session.rest<T>('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		});
	}

	private async manualTrigger(workflowId: string): Promise<string> {
		const workflow = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const trigger = manualTriggerOf(workflow);
		if (!trigger) {
			throw new HarnessProblem(`The workflow "${workflow.name}" has no Manual Trigger.`);
		}
		return trigger.name;
	}
}
