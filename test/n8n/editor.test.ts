import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { resources as exportResources } from '../../nodes/ConversationIntelligence/resources';
import { appointment } from '../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import type { Resource } from '../../nodes/shared/node/operation';
import { openNode } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { callingTools, toolResults } from '../../harness/examples/completion';
import { endingNow, startDoublesTestbed, type DoublesTestbed } from '../support/doublesTestbed';
import { EditorUser } from '../support/editorUser';
import { fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { webhookWorkflow } from '../support/triggerWorkflows';

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

const SEARCHED = ['call recording', 'webhook conversation', 'CRM appointment', 'coaching', 'lost deals'];

jest.setTimeout(240_000);

let testbed: DoublesTestbed;
let browser: Browser;
let user: EditorUser;
let page: Page;

beforeAll(async () => {
	testbed = await startDoublesTestbed({
		...endingNow(30),
		conversations: 300,
		signingSecret: SIGNING_SECRET,
	});
	browser = await launchBrowser();
	user = await EditorUser.signIn(browser, testbed.n8n);
	({ page } = user);
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await testbed?.stop();
}, 60_000);

describe('The editor', () => {
	test('finds the nodes by the words that people search for', async () => {
		await page.goto(`${testbed.n8n.url}/workflow/new`);
		await page.getByTestId('canvas-add-button').click();
		const search = page.getByTestId('node-creator-search-bar');
		const found = page.getByTestId('node-creator-item-name');
		const ours = found.filter({ hasText: /^Conversation Intelligence/ }).first();
		for (const words of SEARCHED) {
			// Nothing is found by this, so that no result of the words before counts.
			await search.fill('qqqqq');
			await found.first().waitFor({ state: 'detached' });
			await search.fill(words);
			await ours.waitFor().catch(() => expect(`found by ${words}`).toBeUndefined());
		}
	});

	test('shows the subtitle of every operation in full on the canvas', async () => {
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
	});

	test('shows a column named in HTML as text in a hint and in the description of an error', async () => {
		const { n8n } = testbed;
		const column = '<a href="https://evil.example">Session expired</a><img src="https://evil.example/x">';
		const rows = (row: object) => [{ event_id: 'crm-1', user_email: 'ana@example.com', ...row, [column]: 1 }];
		const parameters = {
			resource: 'appointment',
			operation: 'update',
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { previewOnly: true, ownerOnly: true },
		};
		const workflow = nodeWorkflow('conversationIntelligenceAppointments', parameters);
		for (const [shown, row] of [
			[/no such field: <a href="https:\/\/evil\.example">Session expired<\/a>/, {}],
			[/Columns of the input: .*<a href="https:\/\/evil\.example">/, { event_id: '' }],
		] as const) {
			const id = await n8n.client.importWorkflow(fedWorkflow(rows(row), workflow));
			await openNode(page, n8n, id, NODE);
			await page.getByTestId('node-execute-button').first().click();
			const output = page.getByTestId('output-panel');
			await output.getByText(shown).first().waitFor();
			expect(await output.locator('[href*="evil.example"], [src*="evil.example"]').count()).toBe(0);
		}
	});

	test('shows the set-up of the webhook trigger once, the users of its filter, and that a secret is missing', async () => {
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
	});
});

describe('A new user at an empty canvas, with clicks and typing only', () => {
	test('a chat answers from the conversations of the dates that the model chose', async () => {
		const { sandbox, doubles } = testbed;
		sandbox.control.insertConversations({ fields: { title: 'Zephyr geothermal upgrade' } });
		const from_date = DateTime.utc().minus({ days: 1 }).toISODate();
		const tool = 'Get_many_conversations_in_Conversation_Intelligence';
		doubles.script.push(...callingTools([{ tool, input: { from_date, to_date: '' } }]));

		await user.createWorkflow();
		await user.click(user.text('On chat message'));
		await user.add('ai agent', 'AI Agent');
		await user.addAt('Chat Model', 'openai', 'OpenAI Chat Model');
		await user.toggle('responsesApiEnabled');
		await user.addAt('Tool', 'conversation', 'Conversation Intelligence Tool');
		await user.toggle('includeTranscript');
		await user.closePanel();
		await user.click(page.getByTestId('workflow-chat-button'));
		await user.click(page.getByTestId('canvas-chat').locator('textarea'));
		await page.keyboard.type('What was my last call?');
		await page.keyboard.press('Enter');
		await user.text('Done.').waitFor();

		const [{ title, transcript }] = JSON.parse(toolResults(doubles.modelRequests)[0]);
		expect([title, transcript]).toEqual(['Zephyr geothermal upgrade', expect.stringMatching(/^\[00:0/)]);
		expect(user.clicks + user.entries).toBeLessThanOrEqual(20);
	});
});
