import { setTimeout as delay } from 'node:timers/promises';

import type { ICredentialType, INode, INodeTypeDescription } from 'n8n-workflow';

import { HarnessProblem } from '../problem';
import { Executions } from './executions';
import { readWorkflow, type WorkflowFile } from './workflowFile';

export { readWorkflow, type WorkflowFile } from './workflowFile';

interface Named {
	id: string;
	name: string;
	type?: string;
}

/** The progress of publishing a workflow, with each trigger's status. */
interface Publication {
	status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** A client of a running n8n: saves credentials, imports, publishes and runs workflows, reads executions. */
export class N8nClient extends Executions {
	/** Saved credentials by type, which imported workflows use. */
	private readonly credentials = new Map<string, { id: string; name: string }>();

	/**
	 * Creates a credential, or updates the one with the same name and type.
	 *
	 * @param type - the credential's internal name, e.g. `conversationExportApi`
	 * @param data - the credential's fields
	 * @returns the credential's ID
	 */
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

	/**
	 * Imports a workflow. Its nodes get the credentials of {@link saveCredential} by type.
	 *
	 * @param workflow - the workflow or the path of its file
	 * @returns the workflow's ID
	 */
	async importWorkflow(workflow: WorkflowFile | string): Promise<string> {
		const file = typeof workflow === 'string' ? readWorkflow(workflow) : workflow;
		return (await this.session.api<Named>('POST', '/workflows', this.asRequest(file))).id;
	}

	/** The path of a workflow's only webhook trigger, after `/webhook/` in its URL. n8n assigns it with the import. */
	async webhookPath(workflowId: string): Promise<string> {
		const { nodes } = await this.session.api<WorkflowFile>('GET', `/workflows/${workflowId}`);
		const [{ webhookId }] = nodes.filter((node) => node.webhookId);
		return `${webhookId}/conversation`;
	}

	/** Returns the ID of the workflow with this name, if any. */
	async findWorkflow(name: string): Promise<string | undefined> {
		return (await this.session.list<Named>('/workflows')).find((one) => one.name === name)?.id;
	}

	/**
	 * Publishes a workflow and waits until n8n has registered its triggers, which happens after the response.
	 *
	 * @throws {HarnessProblem} when a trigger fails or takes longer than the limit
	 */
	async publish(workflowId: string, limitSeconds = 60): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/activate`, {});
		const { status, triggers } = await this.publication(workflowId, limitSeconds);
		if (status === 'published') return;
		throw new HarnessProblem(`Workflow ${workflowId} was not published: ${JSON.stringify(triggers)}`);
	}

	/**
	 * Unpublishes a workflow and waits until n8n has removed its triggers.
	 *
	 * @throws {HarnessProblem} when it takes longer than the limit
	 */
	async unpublish(workflowId: string, limitSeconds = 60): Promise<void> {
		await this.session.api('POST', `/workflows/${workflowId}/deactivate`, {});
		await this.publication(workflowId, limitSeconds);
	}

	/**
	 * Waits until n8n has finished publishing and returns the result.
	 *
	 * @throws {HarnessProblem} when it takes longer than the limit
	 */
	async publication(workflowId: string, limitSeconds = 60): Promise<Publication> {
		if (!this.session.publishesLater) return { status: 'published', triggers: [] };
		const deadline = Date.now() + limitSeconds * 1000;
		for (;;) {
			const publication = await this.session.rest<Publication>(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			);
			// While in progress, the triggers are those of the previous version.
			if (publication.status !== 'in_progress') return publication;
			if (Date.now() > deadline) {
				throw new HarnessProblem(
					`n8n is still publishing workflow ${workflowId} after ${limitSeconds} seconds.`,
				);
			}
			await delay(100, undefined, { signal: this.session.signal });
		}
	}

	/** The rows of the data table with this name; empty if it does not exist. */
	async tableRows<Row>(name: string): Promise<Row[]> {
		const table = (await this.session.list<Named>('/data-tables')).find((one) => one.name === name);
		return table ? await this.session.list<Row>(`/data-tables/${table.id}/rows`) : [];
	}

	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.file('/types/nodes.json');
	}

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
