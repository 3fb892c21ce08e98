/**
 * `npx tsx scripts/screenshots.ts [node or example …]` takes the pictures of each node's panel and each example's canvas in
 * a real n8n's editor, light and dark (docs/images/<node>.png, example-<name>.png).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { saveSandboxCredentials } from '../playground/credentials';
import { installPackage, packPackage } from '../playground/n8n/package';
import { startN8n, type RunningN8n } from '../playground/n8n/start';
import { exampleWorkflows, type ExampleWorkflow } from '../playground/workflows';
import { startSandbox } from '../sandbox';
import { launchBrowser } from '../playground/browser/launch';
import { openNode, signIn } from '../playground/browser/editor';

const IMAGES = join(__dirname, '..', 'docs', 'images');

type Clip = { x: number; y: number; width: number; height: number };

/** The panel's parameters and output; its input is empty. */
const WITHOUT_INPUT: Clip = { x: 430, y: 24, width: 826, height: 810 };

interface Shot {
	/** The node's internal name. */
	type: string;
	name: string;
	credential: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
	/** Whether to execute it, so that its data is in the picture. */
	runs?: boolean;
}

/** Each node with parameters that show its purpose. */
const SHOTS: Shot[] = [
	{
		type: 'conversationIntelligence',
		name: 'Conversation Intelligence',
		credential: 'conversationExportApi',
		parameters: {
			resource: 'conversation',
			operation: 'getAll',
			returnAll: true,
			output: 'selectedFields',
			fields: ['title', 'duration', 'outcome'],
		},
		runs: true,
	},
	{
		type: 'conversationIntelligenceAppointments',
		name: 'Conversation Intelligence Appointments',
		credential: 'crmAppointmentApi',
		parameters: {},
	},
	{
		type: 'conversationIntelligenceTrigger',
		typeVersion: 1.1,
		name: 'Conversation Intelligence Trigger',
		credential: 'conversationExportApi',
		parameters: {},
	},
	{
		type: 'conversationIntelligencePollTrigger',
		name: 'Conversation Intelligence Poll Trigger',
		credential: 'conversationExportApi',
		parameters: {},
	},
];

/** Opens the node in its own workflow, runs it where it has something to show, and takes a screenshot. */
async function photograph(page: Page, n8n: RunningN8n, shot: Shot, ending: string): Promise<void> {
	const workflowId = await n8n.client.importWorkflow({
		name: shot.name,
		nodes: [
			{
				id: 'node',
				name: shot.name,
				type: `n8n-nodes-conversation-intelligence.${shot.type}`,
				typeVersion: shot.typeVersion ?? 1,
				position: [0, 0],
				parameters: shot.parameters as never,
				credentials: { [shot.credential]: { id: '', name: '' } },
			},
		],
		connections: {},
	});
	await openNode(page, n8n, workflowId);
	if (shot.runs) {
		await page.getByTestId('node-execute-button').first().click();
		await page.getByTestId('ndv-items-count').first().waitFor();
		await page.getByText('Node executed successfully').waitFor({ state: 'hidden' });
	}
	await save(page, `${shot.type}${ending}`, WITHOUT_INPUT);
}

/** Opens an example as a user sees it after importing. */
async function photographCanvas(
	page: Page,
	n8n: RunningN8n,
	example: ExampleWorkflow,
	ending: string,
): Promise<void> {
	const workflowId = await n8n.client.importWorkflow(example.workflow);
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.getByTestId('zoom-to-fit').click();
	// The zoom is animated and ends without an event.
	await page.waitForTimeout(1000);
	await save(page.getByTestId('canvas'), `example-${example.slug}${ending}`);
}

async function save(what: Page | Locator, name: string, clip?: Clip): Promise<void> {
	await what.screenshot({ path: join(IMAGES, `${name}.png`), clip });
	console.log(`docs/images/${name}.png`);
}

async function main(only: string[]): Promise<void> {
	mkdirSync(IMAGES, { recursive: true });
	const userFolder = mkdtempSync(join(tmpdir(), 'screenshots-'));
	const sandbox = await startSandbox({ to: 'now' });
	let n8n: RunningN8n | undefined;
	let browser: Browser | undefined;
	const isWanted = (name: string) => only.length === 0 || only.includes(name);
	try {
		installPackage(userFolder, await packPackage(userFolder, console.log));
		n8n = await startN8n({ userFolder, report: console.log });
		await saveSandboxCredentials(n8n.client, sandbox);
		browser = await launchBrowser();
		for (const [colorScheme, ending] of [
			['light', ''],
			['dark', '.dark'],
		] as const) {
			const page = await signIn(browser, n8n, { colorScheme, deviceScaleFactor: 2 });
			for (const shot of SHOTS) if (isWanted(shot.type)) await photograph(page, n8n, shot, ending);
			for (const example of exampleWorkflows())
				if (isWanted(example.slug)) await photographCanvas(page, n8n, example, ending);
			await page.context().close();
		}
	} finally {
		await browser?.close();
		await n8n?.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
