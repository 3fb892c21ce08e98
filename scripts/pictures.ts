/** Which workflow each picture of an example was taken of: a test says which pictures are old. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../harness/n8n/workflowFile';

export const IMAGES = join(__dirname, '../docs/images');

/** By the example's name: see {@link drawn}. */
export const SOURCES = join(IMAGES, 'sources.json');

/** A hash of what pictures show of a workflow: its nodes, their places, notes, code and connections. */
export function drawn({ nodes, connections }: WorkflowFile): string {
	const shown = nodes.map(
		({ name, type, position, parameters: { content, jsCode, html } }) =>
			[name, type, position, content, jsCode, html] as unknown[],
	);
	const text = JSON.stringify([shown, connections]);
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Notes which workflow an example's picture was taken of. */
export function recordSource(slug: string, workflow: WorkflowFile): void {
	const sources = JSON.parse(readFileSync(SOURCES, 'utf8')) as Record<string, string>;
	writeFileSync(SOURCES, `${JSON.stringify({ ...sources, [slug]: drawn(workflow) }, null, '\t')}\n`);
}
