import { setTimeout as delay } from 'node:timers/promises';

import type { ICredentialType, INode, INodeTypeDescription } from 'n8n-workflow';

import { PlaygroundProblem } from '../problem';
import { Executions } from './executions';
import { readWorkflow, type WorkflowFile } from './workflowFile';

export { readWorkflow, type WorkflowFile } from './workflowFile';

interface Named {
	id: string;
	name: string;
	type?: string;
}

/** How far n8n is with publishing a workflow, and what it says of each trigger. */
interface Publication {
	status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** What one does with a running n8n: make credentials, import, publish and run workflows, read executions. */
export class N8nClient extends Executions {
	/** The credentials made so far: type → id and name. Imported workflows get these. */
	private readonly credentials = new Map<string, { id: string; name: string }>();

	/**
	 * Makes a credential, or updates the one of that name and type.
	 *
	 * @param type - the credential's internal name, e.g. `conversationExportApi`
	 * @param data - its fields
	 * @returns its id
	 */
	async saveCredential(
		type: string,
		data: Record<string, string | number | boolean>,
		name = `${type} of the playground`,
	): Promise<string> {
		const existing = (await this.session.list<Named>('/credentials')).find(
			(one) => one.name === name && one.type === type,
		);
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
		const file = typeof workflow === 'string' ? readWorkflow(workflow) : workflow;
		return (await this.session.api<Named>('POST', '/workflows', this.asRequest(file))).id;
	}

	/** Replaces a workflow's nodes and settings; its credentials as in {@link importWorkflow}. */
	async updateWorkflow(workflowId: string, workflow: WorkflowFile): Promise<void> {
		await this.session.api('PUT', `/workflows/${workflowId}`, this.asRequest(workflow));
	}

	/** Finds a workflow by its name and returns its id; undefined when there is none. */
	async findWorkflow(name: string): Promise<string | undefined> {
		return (await this.session.list<Named>('/workflows')).find((one) => one.name === name)?.id;
	}

	/**
	 * Publishes a workflow and waits until n8n has registered its triggers, which it does after it has answered.
	 *
	 * @throws {PlaygroundProblem} when a trigger fails or takes longer than the limit
	 */
	async publish(workflowId: string, limitSeconds = 60): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/activate`, {});
		const { status, triggers } = await this.publication(workflowId, limitSeconds);
		if (status === 'published') return;
		throw new PlaygroundProblem(`Workflow ${workflowId} was not published: ${JSON.stringify(triggers)}`);
	}

	/**
	 * Takes a workflow's triggers down again, and waits until they are.
	 *
	 * @throws {PlaygroundProblem} when it takes longer than the limit
	 */
	async unpublish(workflowId: string, limitSeconds = 60): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/deactivate`, {});
		await this.publication(workflowId, limitSeconds);
	}

	/**
	 * What became of a publication once n8n is done with it.
	 *
	 * @throws {PlaygroundProblem} when it takes longer than the limit
	 */
	private async publication(workflowId: string, limitSeconds: number): Promise<Publication> {
		const deadline = Date.now() + limitSeconds * 1000;
		for (;;) {
			const publication = await this.session.rest<Publication>(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			);
			// Until then the triggers are those of the version before.
			if (publication.status !== 'in_progress') return publication;
			if (Date.now() > deadline) {
				throw new PlaygroundProblem(
					`n8n was not done with publishing workflow ${workflowId} after ${limitSeconds} seconds.`,
				);
			}
			await delay(100, undefined, { signal: this.session.signal });
		}
	}

	/** The rows of a data table, by its name; none when there is no such table. */
	async tableRows<Row>(name: string): Promise<Row[]> {
		const table = (await this.session.list<Named>('/data-tables')).find((one) => one.name === name);
		return table ? await this.session.list<Row>(`/data-tables/${table.id}/rows`) : [];
	}

	/** The nodes that n8n offers. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.file('/types/nodes.json');
	}

	/** The credential types that n8n offers. */
	async credentialTypes(): Promise<ICredentialType[]> {
		return await this.session.file('/types/credentials.json');
	}

	private asRequest({ name, nodes, connections, settings = {} }: WorkflowFile) {
		return { name, nodes: nodes.map((node) => this.withCredentials(node)), connections, settings };
	}

	private withCredentials(node: INode): INode {
		if (!node.credentials) return node;
		const own = Object.keys(node.credentials).map((type) => [
			type,
			this.credentials.get(type) ?? node.credentials?.[type],
		]);
		return { ...node, credentials: Object.fromEntries(own) };
	}
}
