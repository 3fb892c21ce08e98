import type { Page } from 'playwright-core';
import { needsPostgres, startedByHand, type ExampleWorkflow } from '../../harness/workflows';
import { save, type Stage } from './stage';

const MARGIN = 16;

/** Imports an example, executes it if the doubles suffice, and takes its picture, cropped to nodes and notes. */
export async function photographCanvas(
	{ page, n8n, ending }: Stage,
	{ slug, workflow }: ExampleWorkflow,
): Promise<void> {
	// The picture shows the workflow after its set-up: its trigger is activated and has its date.
	const activated = workflow.nodes.map((node) => ({
		...node,
		disabled: false,
		parameters: { ...node.parameters, ...(node.parameters.startDate === '' && { startDate: '2026-01-01' }) },
	}));
	const workflowId = await n8n.client.importWorkflow({ ...workflow, nodes: activated });
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
	const trigger = startedByHand(workflow);
	if (trigger && !needsPostgres(workflow)) await execute(page, trigger.name);
	await page.getByTestId('zoom-to-fit').click();
	// The zoom is animated, and no event reports its end.
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

async function execute(page: Page, trigger: string): Promise<void> {
	const node = page.getByTestId('canvas-node').filter({ hasText: trigger });
	await node.hover();
	await page.getByTestId(`execute-workflow-button-${trigger}`).click();
	await page.getByText('Workflow executed successfully').waitFor();
}
