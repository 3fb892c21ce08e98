import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { resources as exportResources } from '../../nodes/ConversationIntelligence/resources';
import { appointment } from '../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import type { Resource } from '../../nodes/shared/node/operation';
import { openNode } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { completion } from '../../harness/examples/completion';
import { saveMailCredential } from '../../harness/examples/credentials';
import { startMailbox, type Mailbox } from '../../harness/examples/mailbox';
import { EditorUser } from '../support/editorUser';
import { fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { ScriptedServer, type SeenRequest } from '../support/scriptedServer';
import { startTestbed, type Testbed } from '../support/testbed';
import { webhookWorkflow } from '../support/triggerWorkflows';

const DAY_MS = 86_400_000;

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

/** What is clicked in the panels of this package; parameters go by their internal names. */
const LABELS = {
	node: 'Conversation Intelligence',
	getMany: 'Get many conversations',
	yesterday: 'Yesterday',
	outcome: 'Outcome',
};

/** The rows of a mailed table, by their columns. */
function rowsOf(html: string): Array<Record<string, string>> {
	const cells = (row: string) => [...row.matchAll(/<t[dh][^>]*>([^<]*)</g)].map(([, cell]) => cell);
	const [head, ...rows] = html.split('<tr').slice(1).map(cells);
	return rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell])));
}

interface ChatRequest {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; parameters: { properties: object } } }>;
}

/** A model that calls its tool from yesterday on, and then names the first row that it got. */
function respondFromTool({ body }: SeenRequest) {
	const { messages, tools } = body as unknown as ChatRequest;
	const { role, content } = messages.at(-1)!;
	const [{ name, parameters }] = tools.map((tool) => tool.function);
	const yesterday = DateTime.utc().minus({ days: 1 }).toISODate();
	const fields = Object.keys(parameters.properties);
	const dates = Object.fromEntries(fields.map((field) => [field, /from/i.test(field) ? yesterday : '']));
	const call = {
		id: 'call_1',
		type: 'function' as const,
		function: { name, arguments: JSON.stringify(dates) },
	};
	const message =
		role === 'tool'
			? { content: `Your last call: ${JSON.parse(content)[0].title}` }
			: { content: null, tool_calls: [call] };
	const headers = { 'content-type': 'application/json' };
	return { status: 200, headers, body: JSON.stringify(completion('scripted', message)) };
}

jest.setTimeout(240_000);

let testbed: Testbed;
let mailbox: Mailbox;
let model: ScriptedServer;
let browser: Browser;
let user: EditorUser;
let page: Page;

beforeAll(async () => {
	const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
	testbed = await startTestbed({ conversations: 300, from, to: 'now', signingSecret: SIGNING_SECRET });
	mailbox = await startMailbox();
	model = await ScriptedServer.start();
	model.respond(respondFromTool);
	const { client } = testbed.n8n;
	await saveMailCredential(client, mailbox);
	await client.saveCredential('openAiApi', { apiKey: 'scripted', url: `${model.url}/v1` }, 'Language model');
	browser = await launchBrowser();
	const permissions = ['clipboard-read', 'clipboard-write'];
	user = await EditorUser.signIn(browser, testbed.n8n, { permissions });
	({ page } = user);
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await Promise.all([model?.close(), mailbox?.close(), testbed?.stop()]);
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
		await user.click(user.text(/^Actions \(\d+\)/));
		await user.click(user.text('Get many conversations'));
		await user.executeStep();
		await page.getByTestId('ndv-items-count').getByText('50 items').waitFor();
		await user.text(/^The newest 50 of \d+ conversations: turn on Return All to get the rest\.$/).waitFor();
		expect(user.clicks).toBe(6);
	});

	test('Send test reaches the Test URL and then the Production URL', async () => {
		await chooseNode('Conversation Intelligence');
		await user.click(user.text('On conversation processed'));
		await user.click(page.getByTitle('Click to display webhook URLs'));
		await user.click(user.text('/webhook-test/'));
		const testUrl = String(await page.evaluate('navigator.clipboard.readText()'));
		await user.executeStep();
		await user.text('Listening for test event').waitFor();
		const webApp = await subscribeAndTest(testUrl);
		await page.getByTestId('ndv-items-count').getByText('1 item').waitFor();
		await user.text('conversationId').waitFor({ state: 'attached' });
		expect(user.clicks).toBe(10);

		await publish();
		await webApp.close();
		const production = await subscribeAndTest(testUrl.replace('/webhook-test/', '/webhook/'));
		await production.locator('#subscriptions').getByText('Select Test under Trigger On').waitFor();
		await production.close();
	});

	test('a published poll trigger delivers conversations that are processed later', async () => {
		await chooseNode('Conversation Intelligence Poll Trigger');
		await user.click(user.text('Add to workflow'));
		await page.getByTestId('node-execute-button').first().waitFor();
		await publish();
		expect(user.clicks).toBe(6);
		testbed.sandbox.control.insertConversations({ count: 1 });
		const workflowId = new URL(page.url()).pathname.split('/')[2];
		expect(await testbed.n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
	});
});

describe('Jobs that a new user builds from an empty canvas, with clicks and typing only', () => {
	const expectClicks = (job: string, budget: number) => {
		progress(`${job}: ${user.clicks} clicks, of at most ${budget}`);
		expect(user.clicks).toBeLessThanOrEqual(budget);
	};
	const schedule = async () => {
		await user.createWorkflow();
		await user.chooseNode('schedule', 'Schedule Trigger');
		await user.closePanel();
	};
	test("yesterday's lost deals arrive by mail, each with its person and its link", async () => {
		const { control, url } = testbed.sandbox;
		const person = control.users().find(({ name, isHidden, isRemoved }) => name && !isHidden && !isRemoved)!;
		const today = DateTime.now().setZone('America/New_York').startOf('day');
		const yesterday = today.minus({ days: 1 });
		const insert = (title: string, date: DateTime, outcome = 'Not Sold') =>
			control.insertConversations({
				date: date.toUTC().toISO()!,
				userEmail: person.email,
				fields: { title, outcome },
			});
		insert('Lost the day before', yesterday.minus({ hours: 1 }));
		insert('Sold yesterday', yesterday.plus({ hours: 9 }), 'Sold');
		const [lost] = insert('Lost yesterday', yesterday.plus({ hours: 9 }));
		insert('Lost today', today);

		await schedule();
		await user.addNode('conversation', LABELS.node, { action: LABELS.getMany });
		await user.choose(user.parameter('dateRange'), LABELS.yesterday);
		await user.toggle('returnAll');
		await user.addFilter(LABELS.outcome);
		await user.type('outcome', 'Not Sold');
		await user.closePanel();
		await user.addNode('html', 'HTML', { action: 'Convert to HTML Table' });
		await user.closePanel();
		await user.addNode('send email', 'Send Email', { action: 'Send an Email' });
		await user.type('fromEmail', 'n8n@example.com');
		await user.type('toEmail', 'me@example.com');
		await user.type('subject', 'Lost yesterday');
		await user.typeExpression('html', '$json.table');
		await user.closePanel();
		await user.click(user.page.getByTestId('execute-workflow-button'));
		await user.text('Workflow executed successfully').waitFor();

		expect(mailbox.mails.map(({ subject }) => subject)).toEqual(['Lost yesterday']);
		const rows = rowsOf(mailbox.mails[0].html!);
		expect(rows.filter(({ title }) => /^(Lost|Sold) /.test(title))).toEqual([
			expect.objectContaining({
				title: 'Lost yesterday',
				userName: person.name,
				serviceUrl: `${url}/app/conversations/${lost}`,
			}),
		]);
		for (const { outcome, date } of rows) {
			expect(outcome).toBe('Not Sold');
			expect(DateTime.fromISO(date).setZone(today.zone).toISODate()).toBe(yesterday.toISODate());
		}
		expectClicks('Lost deals by mail', 25);
	});

	test('a chat answers from the conversations of the dates that the model chose', async () => {
		testbed.sandbox.control.insertConversations({ fields: { title: 'Zephyr geothermal upgrade' } });

		await user.createWorkflow();
		await user.click(user.text('On chat message'));
		await user.closePanel();
		await user.addNode('ai agent', 'AI Agent');
		await user.closePanel();
		await user.addNode('openai', 'OpenAI Chat Model', { input: 'Chat Model' });
		await user.toggle('responsesApiEnabled');
		await user.closePanel();
		await user.addNode('conversation', `${LABELS.node} Tool`, { input: 'Tool' });
		await user.toggle('includeTranscript');
		await user.closePanel();
		await user.click(user.page.getByTestId('workflow-chat-button'));
		await user.click(user.page.getByTestId('canvas-chat').locator('textarea'));
		await user.page.keyboard.type('What was my last call?');
		await user.page.keyboard.press('Enter');
		await user.text('Your last call: Zephyr geothermal upgrade').waitFor();

		const { messages } = model.seen.at(-1)!.body as unknown as ChatRequest;
		expect(JSON.parse(messages.at(-1)!.content)[0].transcript).toMatch(/^\[00:0/);
		expectClicks('Chat about my calls', 20);
	});
});
