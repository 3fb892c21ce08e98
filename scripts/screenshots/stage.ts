import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
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
