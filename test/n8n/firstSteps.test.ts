import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { EditorUser } from '../support/editorUser';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const DAY_MS = 86_400_000;

let testbed: Testbed;
let browser: Browser;
let user: EditorUser;
let page: Page;

beforeAll(async () => {
	const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
	testbed = await startTestbed({ conversations: 300, from, to: 'now', signingSecret: SIGNING_SECRET });
	browser = await launchBrowser();
	user = await EditorUser.signIn(browser, testbed.n8n, {
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	({ page } = user);
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await testbed?.stop();
}, 60_000);

/** From an empty canvas to a node of this package. */
async function chooseNode(name: string): Promise<void> {
	await user.createWorkflow();
	await user.chooseNode('conversation', name);
}

/** Closes the open panel and publishes the workflow, with the name that n8n suggests. */
async function publish(): Promise<void> {
	await user.closePanel();
	await user.click(page.getByTestId('workflow-open-publish-modal-button'));
	await user.click(page.getByTestId('workflow-publish-button'));
	await user.text('Workflow published').waitFor();
}

/** Adds a subscription on the local service's page and clicks Send test there. */
async function subscribeAndTest(url: string): Promise<Page> {
	const webApp = await page.context().newPage();
	await webApp.goto(testbed.sandbox.url);
	await user.click(webApp.getByText('Add a subscription'));
	await webApp.getByLabel('Endpoint URL').fill(url);
	await user.click(user.button('Add subscription', webApp));
	await user.click(user.button('Send test', webApp).last());
	await webApp.getByText(/HTTP 200/).waitFor();
	return webApp;
}

describe('The first steps that the README describes, in a real browser', () => {
	test('a first export returns rows after six clicks', async () => {
		await chooseNode('Conversation Intelligence');
		await user.click(user.text('Actions (8)'));
		await user.click(user.text('Get many conversations'));
		await user.executeStep();
		await page.getByTestId('ndv-items-count').getByText('50 items').waitFor();
		await user.text(/^The newest 50 of \d+ conversations: turn on Return All to get the rest\.$/).waitFor();
		expect(user.clicks).toBe(6);
	}, 120_000);

	test('Send test reaches the Test URL and then the Production URL', async () => {
		await chooseNode('Conversation Intelligence');
		await user.click(user.text('On conversation processed'));
		await user.click(user.text('Webhook URLs'));
		await user.click(user.text('/webhook-test/'));
		const testUrl = String(await page.evaluate('navigator.clipboard.readText()'));
		await user.executeStep();
		await user.text('Listening for test event').waitFor();
		const webApp = await subscribeAndTest(testUrl);
		await page.getByTestId('ndv-items-count').getByText('1 item').waitFor();
		await user.text('webhook_event_id').waitFor({ state: 'attached' });
		expect(user.clicks).toBe(10);

		await publish();
		await webApp.close();
		const production = await subscribeAndTest(testUrl.replace('/webhook-test/', '/webhook/'));
		await production.locator('#subscriptions').getByText('Select Test under Trigger On').waitFor();
		await production.close();
	}, 180_000);

	test('a published poll trigger delivers conversations that are processed later', async () => {
		await chooseNode('Conversation Intelligence Poll Trigger');
		await user.click(user.text('Add to workflow'));
		await page.getByTestId('node-execute-button').first().waitFor();
		await publish();
		expect(user.clicks).toBe(6);
		testbed.sandbox.control.insertConversations({ count: 1 });
		const workflowId = new URL(page.url()).pathname.split('/')[2];
		expect(await testbed.n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
	}, 240_000);
});
