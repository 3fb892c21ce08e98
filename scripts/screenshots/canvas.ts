import type { Page } from 'playwright-core';
import type { RunningN8n } from '../../playground/n8n/start';
import { importExample, type ExampleWorkflow } from '../../playground/workflows';
import { save } from './save';

const MARGIN = 16;

/** Takes the picture of an example as a user sees it after importing, cut to its nodes and notes. */
export async function photographCanvas(
	page: Page,
	n8n: RunningN8n,
	{ slug, workflow }: ExampleWorkflow,
	ending: string,
): Promise<void> {
	const workflowId = await importExample(n8n.client, workflow);
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.getByTestId('zoom-to-fit').click();
	// The zoom is animated and ends without an event.
	await page.waitForTimeout(1000);
	const canvas = await page.getByTestId('canvas').boundingBox();
	const nodes = page.locator('.vue-flow__node, .vue-flow__node [class*="description"]');
	const boxes = await nodes.evaluateAll((found) =>
		found
			.map((one) => one.getBoundingClientRect())
			.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
	);
	if (canvas === null || boxes.length === 0) throw new Error(`No nodes on the canvas of ${slug}`);
	const left = Math.max(canvas.x, Math.min(...boxes.map((box) => box.left)) - MARGIN);
	const top = Math.max(canvas.y, Math.min(...boxes.map((box) => box.top)) - MARGIN);
	const right = Math.min(canvas.x + canvas.width, Math.max(...boxes.map((box) => box.right)) + MARGIN);
	const bottom = Math.min(canvas.y + canvas.height, Math.max(...boxes.map((box) => box.bottom)) + MARGIN);
	const clip = { x: left, y: top, width: right - left, height: bottom - top };
	await save(page, `example-${slug}${ending}`, clip);
}
