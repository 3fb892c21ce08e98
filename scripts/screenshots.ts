/**
 * `npx tsx scripts/screenshots.ts [node, example or sandbox-page …]` takes the pictures in docs/images, light and dark, at 2×: the local
 * service's page, and in a real n8n each node's panel, the canvas of each example that a page shows, and results.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser, Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { openNode, signIn } from '../harness/browser/editor';
import { launchBrowser } from '../harness/browser/launch';
import { SIGNING_SECRET } from '../harness/credentials';
import type { Doubles } from '../harness/examples/doubles';
import { workflowNode } from '../harness/n8n/workflowFile';
import { appointment } from '../harness/sendAppointment';
import { startReceiver } from '../harness/webhook/receiver';
import {
	exampleWorkflows,
	importExample,
	needsPostgres,
	startedByHand,
	type ExampleWorkflow,
} from '../harness/workflows';
import { getAppointmentFields } from '../nodes/ConversationIntelligenceAppointments/appointmentParameters';
import { readOptions } from '../playground/options';
import { Shutdown } from '../playground/shutdown';
import { startStage, temporaryFolder } from '../playground/stage';
import { startSandbox, type Sandbox } from '../sandbox';
import { IMAGES, recordSource } from './pictures';

type Stage = Awaited<ReturnType<typeof startStage>> & { page: Page; ending: string };

const COLORS = [
	['light', ''],
	['dark', '.dark'],
] as const;

const SHOWN = ['docs/examples.md', 'README.md']
	.map((page) => readFileSync(join(__dirname, '..', page), 'utf8'))
	.join('');

/** Covers the picture: toasts, tooltips and the controls of a canvas. */
const COVERS =
	'.el-notification, [role="tooltip"], [data-reka-popper-content-wrapper], [data-test-id="canvas-controls"], [data-test-id="canvas-wrapper"] button { visibility: hidden !important }';

async function save(page: Page, name: string, clip: PageScreenshotOptions['clip']): Promise<void> {
	await page.mouse.move(1, 1);
	await page.addStyleTag({ content: COVERS });
	await page.screenshot({ path: join(IMAGES, `${name}.png`), clip, animations: 'disabled' });
	console.log(`docs/images/${name}.png`);
}

/** The smallest box around the visible ones of these elements. */
async function boxOf(parts: Locator) {
	const found = await Promise.all((await parts.all()).map((one) => one.boundingBox()));
	const boxes = found.flatMap((box) => box ?? []);
	const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	return { x, y, right, bottom: Math.max(...boxes.map((box) => box.y + box.height)) };
}

/** The page of the local service, from the top to the deliveries. */
async function photographServicePage(browser: Browser): Promise<void> {
	const sandbox = await startSandbox({ port: 8790, webhookRetryDelaysMs: [100] });
	// Refuses the first live event to show a retry.
	const receiver = await startReceiver((response) =>
		response.writeHead(receiver.received.length === 2 ? 503 : 200).end(),
	);
	const { subscriptions } = sandbox.webhooks;
	const viewport = { width: 1180, height: 1700 };
	const signed = { secret: 'secret', customHeaders: { 'X-Receiver-Key': 'key' } };
	try {
		subscriptions.add({ url: `${receiver.url}/webhook/conversation`, ...signed });
		subscriptions.add({ url: 'https://example.com/crm/notes', enabled: false });
		const page = await browser.newPage({ viewport, deviceScaleFactor: 2, bypassCSP: true });
		await page.goto(sandbox.url);
		await page.getByRole('button', { name: 'Send test' }).first().click();
		await page.getByText('Test succeeded').waitFor();
		await sandbox.webhooks.emit({ count: 4, concurrency: 1 });
		await page.locator('#delivery-list summary', { hasText: '503, 200' }).waitFor();
		await page.evaluate('scrollTo(0, 0)');
		const { bottom } = await boxOf(page.locator('#deliveries'));
		for (const [colorScheme, ending] of COLORS) {
			await page.emulateMedia({ colorScheme });
			await save(page, `sandbox-page${ending}`, { x: 0, y: 0, ...viewport, height: bottom + 16 });
		}
		await page.close();
	} finally {
		await receiver.close();
		await sandbox.close();
	}
}

/** Sends a processed conversation to the trigger's Test URL once it listens. */
async function deliver({ page, sandbox: { webhooks } }: Stage): Promise<void> {
	await page.getByText('Listening for test event').waitFor();
	const [url] = /http\S+\/webhook-test\/\S+/.exec(await page.locator('body').innerText())!;
	const { id } = webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
	await webhooks.emit({ count: 1 });
	webhooks.subscriptions.remove(id);
}

/** Values mapped by hand for a new appointment, without the fields that it leaves out. */
async function filledIn(sandbox: Sandbox): Promise<INodeParameters> {
	const { customer, start_time, end_time, ...fields } = appointment(sandbox, 0);
	const times = { start_time: `${start_time}Z`, end_time: `${end_time}Z` };
	const { id: customer_id, name: customer_name } = customer;
	const value = { ...fields, ...times, customer_id, customer_name, attendee_emails: fields.user_email };
	const { fields: schema } = await getAppointmentFields.call({
		getCurrentNodeParameter: () => 'upsert',
		getNode: () => ({ type: '' }) as INode,
	});
	const shown = schema.map((field) => ({ ...field, removed: !(field.id in value) }));
	return {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: shown as object[] as INodeParameters[],
	};
}

interface Panel {
	/** The internal name of the node, and the name of the picture. */
	type: string;
	version?: number;
	credential?: string;
	parameters?: (sandbox: Sandbox) => Promise<INodeParameters>;
	view?: 'Schema' | 'Table';
	/** Makes data arrive after a click on Execute step. */
	arrive?: (stage: Stage) => Promise<void>;
}

const PANELS: Panel[] = [
	{
		type: 'conversationIntelligence',
		parameters: async () => ({
			output: 'selectedFields',
			fields: ['title', 'duration', 'outcome'],
			limit: 16,
		}),
		view: 'Table',
	},
	{
		type: 'conversationIntelligenceAppointments',
		credential: 'crmAppointmentApi',
		parameters: async (sandbox) => ({ columns: await filledIn(sandbox) }),
	},
	{ type: 'conversationIntelligenceTrigger', version: 1.1, arrive: deliver },
	{ type: 'conversationIntelligencePollTrigger' },
];

/** Opens a node in its own workflow, executes it, and takes the picture of its parameters and output. */
async function photographPanel(
	stage: Stage,
	{ type, version = 1, credential = 'conversationExportApi', parameters, view = 'Schema', arrive }: Panel,
): Promise<void> {
	const { page, n8n, sandbox, ending } = stage;
	const title = type.replace(/[A-Z]/g, ' $&').replace('c', 'C');
	const full = `n8n-nodes-conversation-intelligence.${type}`;
	const node = workflowNode(title, full, version, (await parameters?.(sandbox)) ?? {}, credential);
	const nodes = [{ ...node, webhookId: 'b7c3c1de-7d3c-4e6a-9d55-2f0c7c2b1a10' }];
	const id = await n8n.client.importWorkflow({ name: title, nodes, connections: {} });
	// Room for the longest panel, and the editor's own height again.
	const { width, height } = page.viewportSize()!;
	await page.setViewportSize({ width, height: 2400 });
	await openNode(page, n8n, id);
	if (arrive) await page.getByTitle('Click to display webhook URLs').click();
	await page.getByTestId('node-execute-button').first().click();
	await arrive?.(stage);
	const done = page.getByTestId('ndv-items-count').first().or(page.getByText('Node executed successfully'));
	await done.first().waitFor();
	await page.getByTestId('output-panel').getByText(view, { exact: true }).click();
	// Every parameter below the panel's header, and the output, but not the empty input.
	const { bottom } = await boxOf(page.getByTestId('parameter-item'));
	await save(page, `${type}${ending}`, { x: 431, y: 66, width: 824, height: bottom - 50 });
	await page.setViewportSize({ width, height });
}

/** Imports an example, executes it if the doubles suffice, and takes its picture, cropped to nodes and notes. */
async function photographCanvas(
	{ page, n8n, ending }: Stage,
	{ slug, workflow }: ExampleWorkflow,
): Promise<void> {
	// After its set-up: its trigger is activated and has its date.
	const activated = workflow.nodes.map((node) => {
		const { startDate } = node.parameters;
		const parameters = startDate === '' ? { ...node.parameters, startDate: '2026-01-01' } : node.parameters;
		return { ...node, disabled: false, parameters };
	});
	const id = await n8n.client.importWorkflow({ ...workflow, nodes: activated });
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	const trigger = startedByHand(workflow)?.name;
	if (trigger && !needsPostgres(workflow)) {
		await page.locator(`[data-test-id=canvas-node][data-node-name="${trigger}"]`).hover();
		await page.getByTestId(`execute-workflow-button-${trigger}`).click();
		await page.getByText('Workflow executed successfully').waitFor();
	}
	await page.getByTestId('zoom-to-fit').click();
	// The zoom is animated, and no event reports its end.
	await page.waitForTimeout(1000);
	const canvas = await boxOf(page.getByTestId('canvas'));
	const parts = await boxOf(page.locator('.vue-flow__node, .vue-flow__node [class*="description"]'));
	const margin = 16;
	const [x, y] = [Math.max(canvas.x, parts.x - margin), Math.max(canvas.y, parts.y - margin)];
	const width = Math.min(canvas.right, parts.right + margin) - x;
	const height = Math.min(canvas.bottom, parts.bottom + margin) - y;
	await save(page, `example-${slug}${ending}`, { x, y, width, height });
}

const TEXT_COLORS =
	'color-scheme: light dark; background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3)';

/** Messages of a bot in Slack, as their readers see them; the text is mrkdwn. */
function slackMessages(texts: string[]): string {
	const messages = texts.map((text) => {
		const html = text
			.replace(/<[^|]+?\|(.+?)>/g, '<a style="color: light-dark(#1264a3, #1d9bd1)">$1</a>')
			.replace(/\*(.+?)\*/g, '<b>$1</b>');
		return `<p style="display: flex; gap: 12px; margin: 0; padding: 10px 20px">
			<span style="flex: none; width: 40px; height: 40px; border-radius: 8px; background: #ea4b71"></span>
			<span style="white-space: pre-line"><b>n8n</b> <small style="opacity: 0.7">APP  9:05</small>\n${html}</span></p>`;
	});
	return `<!doctype html><body style="${TEXT_COLORS}; margin: 0; padding: 6px 0; font: 15px/1.5 Lato, Helvetica, Arial, sans-serif">${messages.join('')}`;
}

/** Examples whose result says more than their canvas: what their readers see, up to a section. */
const RESULTS: Record<string, (doubles: Doubles) => { html: string; end?: string }> = {
	'weekly-team-digest': ({ mailbox }) => ({
		html: mailbox.mails.find(({ subject }) => subject?.startsWith('Conversations of'))!.html!,
		end: 'Teams',
	}),
	'coaching-alert': ({ messages }) => ({ html: slackMessages(messages.slice(0, 3).map(({ text }) => text)) }),
};

async function photographResult({ page, doubles, ending }: Stage, slug: string): Promise<void> {
	const { html, end } = RESULTS[slug](doubles);
	await page.setViewportSize({ width: 680, height: 1200 });
	await page.setContent(html);
	const last = end === undefined ? page.locator('body') : page.locator('section', { hasText: end });
	const height = Math.ceil((await boxOf(last)).bottom) + (end === undefined ? 0 : 16);
	await save(page, `result-${slug}${ending}`, { x: 0, y: 0, width: 680, height });
}

async function main(only: string[]): Promise<void> {
	const shutdown = new Shutdown();
	const isWanted = (name: string) => only.length === 0 || only.includes(name);
	try {
		const browser = await launchBrowser();
		shutdown.add(() => browser.close());
		if (isWanted('sandbox-page')) await photographServicePage(browser);
		const options = readOptions(['--once']);
		const started = await startStage(options, temporaryFolder(shutdown), shutdown, console.log);
		const { n8n } = started;
		const examples = exampleWorkflows().filter(({ slug }) => isWanted(slug));
		for (const { slug, workflow } of examples)
			if (slug in RESULTS) {
				const id = await importExample(n8n.client, slug);
				await n8n.client.run(id, { trigger: startedByHand(workflow)!.name });
			}
		for (const [colorScheme, ending] of COLORS) {
			const page = await signIn(browser, n8n, { colorScheme, deviceScaleFactor: 2 });
			const stage = { ...started, page, ending };
			for (const panel of PANELS) if (isWanted(panel.type)) await photographPanel(stage, panel);
			for (const example of examples)
				if (SHOWN.includes(`/example-${example.slug}.png`)) await photographCanvas(stage, example);
			for (const { slug } of examples) if (slug in RESULTS) await photographResult(stage, slug);
			await page.context().close();
		}
		for (const { slug, workflow } of examples)
			if (SHOWN.includes(`-${slug}.png`)) recordSource(slug, workflow);
	} finally {
		await shutdown.run();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
