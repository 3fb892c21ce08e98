import type { Browser, Locator, Page } from 'playwright-core';
import { signIn } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const DAY_MS = 86_400_000;

let testbed: Testbed;
let browser: Browser;
let page: Page;
let clicks: number;

beforeAll(async () => {
	const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
	testbed = await startTestbed({ conversations: 300, from, to: 'now', signingSecret: SIGNING_SECRET });
	browser = await launchBrowser();
	page = await signIn(browser, testbed.n8n, { permissions: ['clipboard-read', 'clipboard-write'] });
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await testbed?.stop();
}, 60_000);

async function click(what: Locator): Promise<void> {
	clicks++;
	await what.click();
}

const button = (name: string, on = page): Locator => on.getByRole('button', { name, exact: true });
const text = (words: string | RegExp): Locator => page.getByText(words).first();

/** Goes from the list of workflows to a node's entry in the node creator. */
async function chooseNode(name: string): Promise<void> {
	await page.goto(`${testbed.n8n.url}/home/workflows`);
	clicks = 0;
	await click(button('Create workflow').first());
	await click(page.getByTestId('canvas-add-button'));
	await page.getByTestId('node-creator-search-bar').fill('conversation');
	const names = page.getByTestId('node-creator-item-name');
	await click(names.filter({ hasText: new RegExp(`^${name}$`) }));
}

/** Closes the open panel and publishes the workflow, with the name that n8n suggests. */
async function publish(): Promise<void> {
	await page.keyboard.press('Escape');
	await click(page.getByTestId('workflow-open-publish-modal-button'));
	await click(page.getByTestId('workflow-publish-button'));
	await text('Workflow published').waitFor();
}

/** Adds a subscription on the sandbox's page and clicks Send test there. */
async function subscribeAndTest(url: string): Promise<Page> {
	const webApp = await page.context().newPage();
	await webApp.goto(testbed.sandbox.url);
	await click(webApp.getByText('Add a subscription'));
	await webApp.getByLabel('Endpoint URL').fill(url);
	await click(button('Add subscription', webApp));
	await click(button('Send test', webApp).last());
	await webApp.getByText(/HTTP 200/).waitFor();
	return webApp;
}

describe('The first steps that the README describes, in a real browser', () => {
	test('a first export returns rows after six clicks', async () => {
		await chooseNode('Conversation Intelligence');
		await click(text('Actions (8)'));
		await click(text('Get many conversations'));
		await click(page.getByTestId('node-execute-button').first());
		await page.getByTestId('ndv-items-count').getByText('50 items').waitFor();
		await text(/^The newest 50 of \d+ conversations: turn on Return All to get the rest\.$/).waitFor();
		expect(clicks).toBe(6);
	}, 120_000);

	test('Send test reaches the Test URL and then the Production URL', async () => {
		await chooseNode('Conversation Intelligence');
		await click(text('On conversation processed'));
		await click(text('Webhook URLs'));
		await click(text('/webhook-test/'));
		const testUrl = String(await page.evaluate('navigator.clipboard.readText()'));
		await click(page.getByTestId('node-execute-button').first());
		await text('Listening for test event').waitFor();
		const webApp = await subscribeAndTest(testUrl);
		await page.getByTestId('ndv-items-count').getByText('1 item').waitFor();
		await text('webhook_event_id').waitFor({ state: 'attached' });
		expect(clicks).toBe(10);

		await publish();
		await webApp.close();
		const production = await subscribeAndTest(testUrl.replace('/webhook-test/', '/webhook/'));
		await production.locator('#subscriptions').getByText('Select Test to run the workflow').waitFor();
		await production.close();
	}, 180_000);

	test('a published poll trigger delivers conversations that are processed later', async () => {
		await chooseNode('Conversation Intelligence Poll Trigger');
		await click(text('Add to workflow'));
		await page.getByTestId('node-execute-button').first().waitFor();
		await publish();
		expect(clicks).toBe(6);
		testbed.sandbox.control.insertConversations({ count: 1 });
		const workflowId = new URL(page.url()).pathname.split('/')[2];
		expect(await testbed.n8n.client.settled(workflowId, 1)).toEqual({ success: 1 });
	}, 240_000);
});
