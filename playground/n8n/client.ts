import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import type {
	IConnections,
	ICredentialType,
	INode,
	INodeTypeDescription,
	IWorkflowSettings,
} from 'n8n-workflow';

import { PlaygroundProblem } from '../problem';
import type { Execution } from './execution';
import type { Session } from './session';

/** A workflow as the editor exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

interface Named {
	id: string;
	name: string;
	type?: string;
}

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

/** How the end of an execution is waited for. */
export interface WaitOptions {
	limitSeconds?: number;
	/** Pause between two looks; each costs n8n some milliseconds, which a measurement does not want. */
	lookEveryMs?: number;
}

const RUNNING = ['new', 'running', 'waiting', 'unknown'];

/** What one does with a running n8n: make credentials, import, publish and run workflows, read executions. */
export class N8nClient {
	/** The credentials made so far: type → id and name. Imported workflows get these. */
	private readonly credentials = new Map<string, { id: string; name: string }>();

	constructor(readonly session: Session) {}

	/**
	 * Makes a credential, or updates the one of that name and type.
	 *
	 * @param type - the credential's internal name, e.g. `conversationExportApi`
	 * @param data - its fields
	 * @returns its id
	 */
	async saveCredential(
		type: string,
		data: Record<string, string>,
		name = `${type} of the playground`,
	): Promise<string> {
		const existing = (await this.list('/credentials')).find((one) => one.name === name && one.type === type);
		const { id } = existing
			? await this.session.api<Named>('PATCH', `/credentials/${existing.id}`, { name, type, data })
			: await this.session.api<Named>('POST', '/credentials', { name, type, data });
		this.credentials.set(type, { id, name });
		return id;
	}

	/**
	 * Imports a workflow; its nodes get the credentials made last with {@link saveCredential}, by type.
	 *
	 * @param workflow - the workflow, or the path of its file
	 * @returns its id
	 */
	async importWorkflow(workflow: WorkflowFile | string): Promise<string> {
		const { name, nodes, connections, settings } =
			typeof workflow === 'string' ? readWorkflow(workflow) : workflow;
		const body = {
			name,
			nodes: nodes.map((node) => this.withCredentials(node)),
			connections,
			settings: settings ?? {},
		};
		return (await this.session.api<Named>('POST', '/workflows', body)).id;
	}

	/** Finds a workflow by its name and returns its id; undefined when there is none. */
	async findWorkflow(name: string): Promise<string | undefined> {
		return (await this.list('/workflows')).find((one) => one.name === name)?.id;
	}

	/**
	 * Publishes a workflow and waits until n8n has registered its triggers, which it does after it has answered.
	 *
	 * @throws {PlaygroundProblem} when a trigger fails or takes longer than the limit
	 */
	async publish(workflowId: string, limitSeconds = 30): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/activate`, {});
		const deadline = Date.now() + limitSeconds * 1000;
		for (;;) {
			const { triggers = [] } = await this.session.rest<{ triggers?: Array<{ status: string }> }>(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			);
			if (triggers.length > 0 && triggers.every(({ status }) => status === 'activated')) return;
			if (Date.now() > deadline || triggers.some(({ status }) => status === 'failed')) {
				throw new PlaygroundProblem(`Workflow ${workflowId} was not published: ${JSON.stringify(triggers)}`);
			}
			await delay(100, undefined, { signal: this.session.signal });
		}
	}

	/** Takes a workflow's triggers down again. */
	async unpublish(workflowId: string): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/deactivate`, {});
	}

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
		return await this.list<Execution>(`/executions?${filter}`);
	}

	/** The nodes that n8n offers. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.file('/types/nodes.json');
	}

	/** The credential types that n8n offers. */
	async credentialTypes(): Promise<ICredentialType[]> {
		return await this.session.file('/types/credentials.json');
	}

	private withCredentials(node: INode): INode {
		if (!node.credentials) return node;
		const own = Object.keys(node.credentials).map((type) => [
			type,
			this.credentials.get(type) ?? node.credentials?.[type],
		]);
		return { ...node, credentials: Object.fromEntries(own) };
	}

	private async manualTrigger(workflowId: string): Promise<string> {
		const { name, nodes } = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const trigger = nodes.find(({ type }) => type === MANUAL_TRIGGER);
		if (!trigger)
			throw new PlaygroundProblem(`The workflow "${name}" has no Manual Trigger to run it by hand.`);
		return trigger.name;
	}

	/** All pages of a list of the public API. */
	private async list<T = Named>(path: string): Promise<T[]> {
		const rows: T[] = [];
		let cursor: string | null = '';
		do {
			const query = `${path.includes('?') ? '&' : '?'}limit=250${cursor && `&cursor=${cursor}`}`;
			const page: { data: T[]; nextCursor: string | null } = await this.session.api('GET', path + query);
			rows.push(...page.data);
			cursor = page.nextCursor;
		} while (cursor);
		return rows;
	}
}

/** Reads a workflow file. */
export function readWorkflow(path: string): WorkflowFile {
	return JSON.parse(readFileSync(path, 'utf8'));
}

/** Whether a workflow can be run by hand. */
export function hasManualTrigger({ nodes }: WorkflowFile): boolean {
	return nodes.some(({ type }) => type === MANUAL_TRIGGER);
}
