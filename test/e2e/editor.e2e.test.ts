import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { resources as exportResources } from '../../nodes/ConversationIntelligence/resources';
import { appointment } from '../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import type { Resource } from '../../nodes/shared/node/operation';
import { openNode, signIn } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { saveSandboxCredentials } from '../../harness/credentials';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';
import { webhookWorkflow } from '../support/triggerWorkflows';

const DAY_MS = 86_400_000;
const LIMIT_MS = 120_000;

/** Each operation, and the triggers with the settings in their subtitles. */
const SUBTITLED: Array<{ type: string; typeVersion?: number; parameters: INodeParameters }> = [
	...operationsOf('conversationIntelligence', exportResources),
	...operationsOf('conversationIntelligenceAppointments', [appointment]),
	{
		type: 'conversationIntelligenceTrigger',
		typeVersion: 1.1,
		parameters: { events: ['conversation_processed', 'test'] },
	},
	{ type: 'conversationIntelligencePollTrigger', parameters: {} },
	{
		type: 'conversationIntelligencePollTrigger',
		parameters: { startFrom: 'date', startDate: '2026-03-02T09:30:00' },
	},
];

function operationsOf(type: string, resources: Resource[]) {
	return resources.flatMap(({ option: { value: resource }, operations }) =>
		operations.map(({ option }) => ({ type, parameters: { resource, operation: option.value } })),
	);
}

let testbed: Testbed;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	const from = new Date(Date.now() - 20 * DAY_MS).toISOString();
	testbed = await startTestbed({ conversations: 230, from, to: 'now' });
	browser = await launchBrowser();
	page = await signIn(browser, testbed.n8n);
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await testbed?.stop();
}, 60_000);

describe('The editor', () => {
	test.each(['call recording', 'webhook conversation', 'CRM appointment', 'coaching'])(
		'finds the nodes by "%s"',
		async (words) => {
			await page.goto(`${testbed.n8n.url}/workflow/new`);
			await page.getByTestId('canvas-add-button').click();
			await page.getByTestId('node-creator-search-bar').fill(words);
			await page
				.getByTestId('node-creator-item-name')
				.filter({ hasText: /^Conversation Intelligence/ })
				.first()
				.waitFor();
			expect(page.url()).toContain('/workflow/');
		},
		LIMIT_MS,
	);

	test(
		'shows the subtitle of every operation in full on the canvas',
		async () => {
			const nodes = SUBTITLED.map(({ type, typeVersion = 1, parameters }, index) => ({
				id: `${index}`,
				name: `Node ${index}`,
				type: `n8n-nodes-conversation-intelligence.${type}`,
				typeVersion,
				position: [(index % 4) * 250, Math.floor(index / 4) * 220] as [number, number],
				parameters,
			}));
			const workflowId = await testbed.n8n.client.importWorkflow({
				name: 'Subtitles',
				nodes,
				connections: {},
			});
			await page.goto(`${testbed.n8n.url}/workflow/${workflowId}`);
			const subtitles = page.locator('[data-test-id="canvas-node"] [class*="subtitle"]');
			await subtitles.nth(SUBTITLED.length - 1).waitFor();
			const clipped = await subtitles.evaluateAll((found) =>
				found.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
			);
			expect(clipped).toEqual([]);
		},
		LIMIT_MS,
	);

	test(
		'shows the set-up of the webhook trigger once, the users of its filter, and that a secret is missing',
		async () => {
			const { n8n, sandbox } = testbed;
			const data = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization };
			const credentialId = await n8n.client.saveCredential('conversationExportApi', data, 'no secret');
			const [{ email }] = sandbox.control.users();
			try {
				const { file } = webhookWorkflow({ filters: { users: [] } });
				await openNode(page, n8n, await n8n.client.importWorkflow(file));
				const text = await page.locator('body').innerText();
				expect(text.match(/webhook subscription/g)).toHaveLength(1);
				expect(text.match(/Signing Secret/g)).toHaveLength(1);

				// The list is loaded with the panel, and shown once it is opened.
				await page.getByText(`(${email})`).first().waitFor({ state: 'attached' });
				await page.getByTestId('node-execute-button').first().click();
				await page.getByText('has no Signing Secret: enter one in the credential').first().waitFor();
			} finally {
				await n8n.client.session.api('DELETE', `/credentials/${credentialId}`);
				await saveSandboxCredentials(n8n.client, sandbox);
			}
		},
		LIMIT_MS,
	);
});
