import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import type { WorkflowFile } from '../../harness/n8n/workflowFile';
import type { RunningN8n } from '../../harness/n8n/start';
import type { Sandbox } from '../../sandbox';

const IMAGES = join(__dirname, '..', '..', 'docs', 'images');

/** Where pictures are taken. */
export interface Stage {
	page: Page;
	n8n: RunningN8n;
	sandbox: Sandbox;
	/** End of the file name before `.png`: nothing, or `.dark`. */
	ending: string;
}

export type Clip = NonNullable<PageScreenshotOptions['clip']>;

/** Hides what covers the picture: toasts, tooltips and the controls of a canvas. */
const COVERS =
	'.el-notification, [role="tooltip"], [data-reka-popper-content-wrapper], [data-test-id="canvas-controls"], [data-test-id="canvas-wrapper"] button { visibility: hidden !important }';

/** Writes docs/images/<name>.png without elements that cover it. */
export async function save(page: Page, name: string, clip: Clip): Promise<void> {
	mkdirSync(IMAGES, { recursive: true });
	await page.mouse.move(1, 1);
	await page.addStyleTag({ content: COVERS });
	await page.screenshot({ path: join(IMAGES, `${name}.png`), clip, animations: 'disabled' });
	console.log(`docs/images/${name}.png`);
}

/** The workflow that each picture of an example was taken of, by the example's name: see {@link drawn}. */
export const SOURCES = join(IMAGES, 'sources.json');

/** A hash of what pictures show of a workflow: its nodes, their places, notes, code and connections. */
export function drawn({ nodes, connections }: WorkflowFile): string {
	const shown = nodes.map(
		({ name, type, position, parameters: { content, jsCode, html } }) =>
			[name, type, position, content, jsCode, html] as unknown[],
	);
	return createHash('sha256')
		.update(JSON.stringify([shown, connections]))
		.digest('hex')
		.slice(0, 16);
}

/** Notes which workflow an example's picture was taken of. */
export function recordSource(slug: string, workflow: WorkflowFile): void {
	const sources = JSON.parse(readFileSync(SOURCES, 'utf8')) as Record<string, string>;
	writeFileSync(SOURCES, `${JSON.stringify({ ...sources, [slug]: drawn(workflow) }, null, '\t')}\n`);
}
