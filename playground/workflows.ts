import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readWorkflow, type N8nClient, type WorkflowFile } from './n8n/client';
import { PACKAGE_FOLDER } from './n8n/package';

/** One of the files in `workflows/`. */
export interface ExampleWorkflow {
	/** Its file name without `.json`, e.g. `export-conversations`. */
	slug: string;
	workflow: WorkflowFile;
}

/** Reads the example workflows, sorted by file name. */
export function exampleWorkflows(): ExampleWorkflow[] {
	const folder = join(PACKAGE_FOLDER, 'workflows');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => ({ slug: file.slice(0, -'.json'.length), workflow: readWorkflow(join(folder, file)) }));
}

/** Reads one example workflow, e.g. `export-conversations`. */
export function exampleWorkflow(slug: string): WorkflowFile {
	return readWorkflow(join(PACKAGE_FOLDER, 'workflows', `${slug}.json`));
}

/**
 * Imports the examples that n8n does not have yet: what the reader changed in the editor stays.
 *
 * @returns how many were imported
 */
export async function importMissing(client: N8nClient, examples: ExampleWorkflow[]): Promise<number> {
	let imported = 0;
	for (const { workflow } of examples) {
		if (await client.findWorkflow(workflow.name)) continue;
		await client.importWorkflow(workflow);
		imported++;
	}
	return imported;
}
