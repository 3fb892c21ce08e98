import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { N8nClient } from './n8n/client';
import { readWorkflow, type WorkflowFile } from './n8n/workflowFile';
import { PACKAGE_FOLDER } from './n8n/package';

export interface ExampleWorkflow {
	/** The file name without `.json`, e.g. `coaching-alert`. */
	slug: string;
	workflow: WorkflowFile;
}

const FOLDER = join(PACKAGE_FOLDER, 'workflows');
const exampleWorkflow = (slug: string): WorkflowFile => readWorkflow(join(FOLDER, `${slug}.json`));

export function exampleWorkflows(): ExampleWorkflow[] {
	const slugs = readdirSync(FOLDER).map((file) => parse(file).name);
	return slugs.sort().map((slug) => ({ slug, workflow: exampleWorkflow(slug) }));
}

/** The trigger from which a person can start a workflow at any time: its schedule, or Try It. */
export function startedByHand({ nodes }: WorkflowFile): INode | undefined {
	return ['scheduleTrigger', 'manualTrigger']
		.map((type) => nodes.find((node) => node.type === `n8n-nodes-base.${type}`))
		.find((node) => node !== undefined);
}

export const needsPostgres = ({ nodes }: WorkflowFile): boolean =>
	JSON.stringify(nodes).includes('"postgres"');

/** Imports an example as a user would. */
export async function importExample(
	client: N8nClient,
	slug: string,
	change: Record<string, Partial<INode>> = {},
): Promise<string> {
	const workflow = exampleWorkflow(slug);
	const nodes = workflow.nodes.map((node) => {
		const own = change[node.name];
		const parameters = { ...node.parameters, ...own?.parameters };
		return own ? { ...node, disabled: false, ...own, parameters } : node;
	});
	return await client.importWorkflow({ ...workflow, nodes });
}

/** Imports the examples that n8n does not have yet, so that changes in the editor are kept. */
export async function importMissing(client: N8nClient, examples: ExampleWorkflow[]): Promise<void> {
	const known = (await client.session.list<{ name: string }>('/workflows')).map(({ name }) => name);
	for (const { workflow } of examples)
		if (!known.includes(workflow.name)) await client.importWorkflow(workflow);
}
