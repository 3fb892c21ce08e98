import { setTimeout as delay } from 'node:timers/promises';

import { PlaygroundProblem } from '../problem';
import type { Execution } from './execution';
import type { Session } from './session';
import { manualTriggerOf, type WorkflowFile } from './workflowFile';

/** How the end of an execution is waited for. */
export interface WaitOptions {
	limitSeconds?: number;
	/** Pause between two looks; each costs n8n some milliseconds, which a measurement does not want. */
	lookEveryMs?: number;
}

const RUNNING = ['new', 'running', 'waiting', 'unknown'];

/** Runs workflows and reads what became of them. */
export class Executions {
	constructor(readonly session: Session) {}

	/**
	 * Runs a workflow by hand, as the editor's button does, and waits for its end.
	 *
	 * @param trigger - the name of the trigger to start from; the workflow's Manual Trigger by default
	 * @returns the execution with all its data, successful or not
	 */
	async run(
		workflowId: string,
		{ trigger, ...wait }: { trigger?: string } & WaitOptions = {},
	): Promise<Execution> {
		return await this.finished(await this.start(workflowId, trigger), wait);
	}

	/**
	 * Starts a workflow by hand.
	 *
	 * @param trigger - the name of the trigger to start from; the workflow's Manual Trigger by default
	 * @returns the execution's id
	 */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const started = await this.session.rest<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name },
		});
		return started.executionId;
	}

	/** Waits for an execution's end and returns it with all its data. */
	async finished(executionId: string, wait?: WaitOptions): Promise<Execution> {
		const { id } = await this.ended(executionId, wait);
		return await this.execution(id);
	}

	/** Waits for an execution's end and returns it without its data, which n8n would have to load for it. */
	async ended(
		executionId: string,
		{ limitSeconds = 600, lookEveryMs = 100 }: WaitOptions = {},
	): Promise<Execution> {
		const deadline = Date.now() + limitSeconds * 1000;
		for (;;) {
			const execution = await this.session.api<Execution>('GET', `/executions/${executionId}`);
			if (!RUNNING.includes(execution.status)) return execution;
			if (Date.now() > deadline) {
				throw new PlaygroundProblem(
					`Execution ${executionId} is still ${execution.status} after ${limitSeconds} seconds.`,
				);
			}
			await delay(lookEveryMs, undefined, { signal: this.session.signal });
		}
	}

	/** Stops an execution, as the editor's button does. */
	async stopExecution(executionId: string): Promise<void> {
		await this.session.rest('POST', `/executions/${executionId}/stop`, {});
	}

	/** Reads one execution with all its data. */
	async execution(executionId: string): Promise<Execution> {
		return await this.session.api('GET', `/executions/${executionId}?includeData=true`);
	}

	/**
	 * Reads the executions of a workflow, newest first, without their data.
	 *
	 * @param status - only those, e.g. `success` or `error`
	 */
	async executions(workflowId: string, status?: string): Promise<Execution[]> {
		const filter = new URLSearchParams({ workflowId, ...(status && { status }) });
		return await this.session.list<Execution>(`/executions?${filter}`);
	}

	/**
	 * Waits until a workflow has no execution under way, and at least so many in all.
	 *
	 * @returns how many there are of each status; also after `limitSeconds`, whatever they are then
	 */
	async settled(workflowId: string, atLeast: number, limitSeconds = 300): Promise<Record<string, number>> {
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

	private async manualTrigger(workflowId: string): Promise<string> {
		const workflow = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const trigger = manualTriggerOf(workflow);
		if (!trigger) {
			throw new PlaygroundProblem(`The workflow "${workflow.name}" has no Manual Trigger to run it by hand.`);
		}
		return trigger.name;
	}
}
