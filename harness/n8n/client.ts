import { setTimeout as delay } from 'node:timers/promises';
import type { IBinaryData, INode, INodeTypeDescription } from 'n8n-workflow';
import { HarnessProblem } from '../problem';
import type { Execution } from './execution';
import type { Session } from './session';
import { MANUAL_TRIGGER, readWorkflow, type WorkflowFile } from './workflowFile';

interface Named {
	id: string;
	name: string;
	type?: string;
}

export interface WaitOptions {
	limitSeconds?: number;
	/** What to wait for instead of the end, e.g. `waiting` for a person's response. */
	status?: Execution['status'];
	/** Interval between status requests. Benchmarks need longer ones, because each takes n8n milliseconds. */
	lookEveryMs?: number;
}

const RUNNING = ['new', 'running', 'waiting', 'unknown'];

interface Publication {
	status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** A client of a running n8n: saves credentials, imports, publishes and runs workflows, reads executions. */
export class N8nClient {
	/** Saved credentials by type, which imported workflows use. */
	private readonly credentials = new Map<string, { id: string; name: string }>();

	constructor(readonly session: Session) {}

	/** Creates a credential, or updates the one with the same name and type. */
	async saveCredential(
		type: string,
		data: Record<string, string | number | boolean | Record<string, string>>,
		name = `${type} of the playground`,
	): Promise<string> {
		const existing = (await this.session.rest<Named[]>('GET', '/credentials')).find(
			(one) => one.name === name && one.type === type,
		);
		const { id } = existing
			? await this.session.rest<Named>('PATCH', `/credentials/${existing.id}`, { name, type, data })
			: await this.session.rest<Named>('POST', '/credentials', { name, type, data });
		this.credentials.set(type, { id, name });
		return id;
	}

	/** Imports a workflow. Its nodes get the credentials of {@link saveCredential} by type. */
	async importWorkflow(workflow: WorkflowFile | string): Promise<string> {
		const file = typeof workflow === 'string' ? readWorkflow(workflow) : workflow;
		const { name, connections, settings = {} } = file;
		const nodes = file.nodes.map((node) => this.withCredentials(node));
		const body = { name, nodes, connections, settings };
		return (await this.session.api<Named>('POST', '/workflows', body)).id;
	}

	/** The path of a workflow's only webhook trigger, after `/webhook/` in its URL. n8n assigns it with the import. */
	async webhookPath(workflowId: string): Promise<string> {
		const { nodes } = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const [{ webhookId }] = nodes.filter((node) => node.webhookId);
		return `${webhookId}/conversation`;
	}

	/** Publishes a workflow, imported first if it is a file, and waits until n8n has registered its triggers. Returns its ID. */
	async publish(workflow: string | WorkflowFile): Promise<string> {
		const id = await this.idOf(workflow);
		await this.session.api('POST', `/workflows/${id}/activate`, {});
		const { status, triggers } = await this.publication(id);
		if (status === 'published') return id;
		throw new HarnessProblem(`Workflow ${id} was not published: ${JSON.stringify(triggers)}`);
	}

	/** Unpublishes a workflow and waits until n8n has removed its triggers. */
	async unpublish(workflowId: string): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/deactivate`, {});
		await this.publication(workflowId);
	}

	/** Waits for a minute until n8n has finished publishing and returns the result. */
	async publication(workflowId: string): Promise<Publication> {
		if (!this.session.publishesLater) return { status: 'published', triggers: [] };
		const deadline = Date.now() + 60_000;
		const path = `/workflows/${workflowId}/publication-status`;
		for (;;) {
			const publication = await this.session.rest<Publication>('GET', path);
			// While in progress, the triggers are those of the previous version.
			if (publication.status !== 'in_progress') return publication;
			if (Date.now() > deadline)
				throw new HarnessProblem(`n8n is still publishing workflow ${workflowId} after a minute.`);
			await delay(100, undefined, { signal: this.session.signal });
		}
	}

	/** Runs a workflow, imported first if it is a file, like the editor's button, and waits for its end. */
	async run(
		workflow: string | WorkflowFile,
		{ trigger, ...wait }: { trigger?: string } & WaitOptions = {},
	): Promise<Execution> {
		const { id } = await this.waitForEnd(await this.start(workflow, trigger), wait);
		return await this.execution(id);
	}

	/** Starts a workflow, by default from its Manual Trigger. Returns the execution's ID. */
	async start(workflow: string | WorkflowFile, trigger?: string): Promise<string> {
		const id = await this.idOf(workflow);
		const name = trigger ?? (await this.manualTrigger(id));
		const body = { triggerToStartFrom: { name } };
		return (await this.session.rest<{ executionId: string }>('POST', `/workflows/${id}/run`, body))
			.executionId;
	}

	/** Waits for an execution to end, or to have a status, and returns it without its data, which is expensive to load. */
	async waitForEnd(
		executionId: string,
		{ limitSeconds = 600, lookEveryMs = 100, status }: WaitOptions = {},
	): Promise<Execution> {
		const deadline = performance.now() + limitSeconds * 1000;
		for (;;) {
			const execution = await this.session.api<Execution>('GET', `/executions/${executionId}`);
			const { status: now } = execution;
			if (status ? now === status : !RUNNING.includes(now)) return execution;
			if (performance.now() > deadline)
				throw new HarnessProblem(`Execution ${executionId} is still ${now} after ${limitSeconds} seconds.`);
			await delay(lookEveryMs, undefined, { signal: this.session.signal });
		}
	}

	async stopExecution(executionId: string): Promise<void> {
		await this.session.rest('POST', `/executions/${executionId}/stop`, {});
	}

	/** Retries a failed execution, like the editor's button, and waits for its end. Returns the new execution's ID. */
	async retry(executionId: string): Promise<string> {
		return (await this.session.rest<Execution>('POST', `/executions/${executionId}/retry`, {})).id;
	}

	async execution(executionId: string): Promise<Execution> {
		return await this.session.api('GET', `/executions/${executionId}?includeData=true`);
	}

	async latest(workflowId: string, status?: string): Promise<Execution> {
		return await this.execution((await this.executions(workflowId, status))[0].id);
	}

	/** Reads the executions of a workflow, newest first, without their data. */
	async executions(workflowId: string, status?: string): Promise<Execution[]> {
		const filter = new URLSearchParams({ workflowId, ...(status && { status }) });
		return await this.session.list<Execution>(`/executions?${filter}`);
	}

	/** Waits until a workflow has at least `atLeast` executions and none is running. */
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

	private async idOf(workflow: string | WorkflowFile): Promise<string> {
		return typeof workflow === 'string' ? workflow : await this.importWorkflow(workflow);
	}

	private async manualTrigger(workflowId: string): Promise<string> {
		const { name, nodes } = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const trigger = nodes.find(({ type }) => type === MANUAL_TRIGGER);
		if (!trigger) throw new HarnessProblem(`The workflow "${name}" has no Manual Trigger.`);
		return trigger.name;
	}

	/** The rows of the data table with this name; empty if it does not exist. */
	async tableRows<Row>(name: string): Promise<Row[]> {
		const table = (await this.session.list<Named>('/data-tables')).find((one) => one.name === name);
		return table ? await this.session.list<Row>(`/data-tables/${table.id}/rows`) : [];
	}

	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return JSON.parse(String(await this.session.file('/types/nodes.json')));
	}

	async fileOf({ id = '' }: IBinaryData): Promise<Buffer> {
		return await this.session.file(`/rest/binary-data?id=${encodeURIComponent(id)}&action=download`);
	}

	private withCredentials(node: INode): INode {
		if (!node.credentials) return node;
		const own = Object.entries(node.credentials).map(([type, one]) => [
			type,
			this.credentials.get(type) ?? one,
		]);
		return { ...node, credentials: Object.fromEntries(own) };
	}
}
