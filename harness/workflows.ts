import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';

import { readWorkflow, type N8nClient, type WorkflowFile } from './n8n/client';
import { PACKAGE_FOLDER } from './n8n/package';

/** One of the files in `workflows/`. */
export interface ExampleWorkflow {
	/** The file name without `.json`, e.g. `coaching-alert`. */
	slug: string;
	workflow: WorkflowFile;
}

/** Reads the example workflows, each before those that call it, e.g. `process-once` before `process-once-by-poll`. */
export function exampleWorkflows(): ExampleWorkflow[] {
	const folder = join(PACKAGE_FOLDER, 'workflows');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort()
		.map((slug) => ({ slug, workflow: exampleWorkflow(slug) }));
}

/** Reads one example workflow, e.g. `coaching-alert`. */
export function exampleWorkflow(slug: string): WorkflowFile {
	return readWorkflow(join(PACKAGE_FOLDER, 'workflows', `${slug}.json`));
}

/**
 * Imports the examples that n8n does not have yet, so that changes in the editor are kept.
 *
 * @returns the number of imported examples
 */
export async function importMissing(client: N8nClient, examples: ExampleWorkflow[]): Promise<number> {
	let imported = 0;
	for (const { workflow } of examples) {
		if (await client.findWorkflow(workflow.name)) continue;
		await importExample(client, workflow);
		imported++;
	}
	return imported;
}

/**
 * Imports an example and, as a user would in the editor, chooses the workflows that it calls.
 *
 * @returns its ID
 */
export async function importExample(client: N8nClient, workflow: WorkflowFile): Promise<string> {
	const nodes = await Promise.all(workflow.nodes.map(async (node) => await withCalledWorkflow(client, node)));
	return await client.importWorkflow({ ...workflow, nodes });
}

async function withCalledWorkflow(client: N8nClient, node: INode): Promise<INode> {
	if (node.type !== 'n8n-nodes-base.executeWorkflow') return node;
	const called = node.parameters.workflowId as INodeParameterResourceLocator;
	const value = await client.findWorkflow(String(called.cachedResultName));
	return { ...node, parameters: { ...node.parameters, workflowId: { ...called, value: value ?? '' } } };
}
