/**
 * `npx tsx scripts/screenshots.ts` takes the screenshots of each node's panel in a real n8n's editor for the
 * README (docs/images/<node>.png).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { saveSandboxCredentials } from '../playground/credentials';
import { installPackage, packPackage } from '../playground/n8n/package';
import { startN8n, type RunningN8n } from '../playground/n8n/start';
import { startSandbox } from '../sandbox';
import { launchBrowser } from '../playground/browser/launch';
import { openNode, signIn } from '../playground/browser/editor';

const IMAGES = join(__dirname, '..', 'docs', 'images');

interface Shot {
	/** The node's internal name. */
	type: string;
	name: string;
	credential: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
}

/** Each node with parameters that show its purpose. */
const SHOTS: Shot[] = [
	{
		type: 'conversationIntelligence',
		name: 'Conversation Intelligence',
		credential: 'conversationExportApi',
		parameters: { resource: 'conversation', operation: 'getAll', returnAll: true },
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

/** Opens the node in its own workflow and takes a screenshot. */
async function photograph(page: Page, n8n: RunningN8n, shot: Shot): Promise<void> {
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
	await page.screenshot({ path: join(IMAGES, `${shot.type}.png`) });
	console.log(`docs/images/${shot.type}.png`);
}

async function main(only: string[]): Promise<void> {
	mkdirSync(IMAGES, { recursive: true });
	const userFolder = mkdtempSync(join(tmpdir(), 'screenshots-'));
	const sandbox = await startSandbox();
	let n8n: RunningN8n | undefined;
	let browser: Browser | undefined;
	try {
		installPackage(userFolder, await packPackage(userFolder, console.log));
		n8n = await startN8n({ userFolder, report: console.log });
		await saveSandboxCredentials(n8n.client, sandbox);
		browser = await launchBrowser();
		const page = await signIn(browser, n8n);
		for (const shot of SHOTS.filter(({ type }) => only.length === 0 || only.includes(type))) {
			await photograph(page, n8n, shot);
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
