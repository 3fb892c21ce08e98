import { DateTime } from 'luxon';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
import { completion } from '../../harness/examples/completion';
import { saveMailCredential } from '../../harness/examples/credentials';
import { startMailbox, type Mailbox } from '../../harness/examples/mailbox';
import { EditorUser } from '../support/editorUser';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { ScriptedServer, type SeenRequest } from '../support/scriptedServer';
import { startTestbed, type Testbed } from '../support/testbed';

const DAY_MS = 86_400_000;

/** What is clicked in the panels of this package; parameters go by their internal names. */
const LABELS = {
	node: 'Conversation Intelligence',
	getMany: 'Get many conversations',
	yesterday: 'Yesterday',
	outcome: 'Outcome',
};

/** The fields of Simplified, which a table needs as columns. */
const COLUMNS =
	'conversationId date processedDate title duration crmEventID userName userEmail totalSold outcome jobSummary serviceUrl';

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

// On a busy machine n8n's list of the new table's columns can stay empty.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

describe('Jobs that a new user builds from an empty canvas, with clicks and typing only', () => {
	let testbed: Testbed;
	let mailbox: Mailbox;
	let model: ScriptedServer;
	let browser: Browser;
	let user: EditorUser;

	beforeAll(async () => {
		const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
		testbed = await startTestbed({ conversations: 300, from, to: 'now' });
		mailbox = await startMailbox();
		model = await ScriptedServer.start();
		model.respond(respondFromTool);
		const { client } = testbed.n8n;
		await saveMailCredential(client, mailbox);
		await client.saveCredential(
			'openAiApi',
			{ apiKey: 'scripted', url: `${model.url}/v1` },
			'Language model',
		);
		browser = await launchBrowser();
		user = await EditorUser.signIn(browser, testbed.n8n);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await browser?.close();
		await model?.close();
		await mailbox?.close();
		await testbed?.stop();
	}, 60_000);

	const expectClicks = (job: string, budget: number) => {
		progress(`${job}: ${user.clicks} clicks, of at most ${budget}`);
		expect(user.clicks).toBeLessThanOrEqual(budget);
	};
	const schedule = async () => {
		await user.createWorkflow();
		await user.chooseNode('schedule', 'Schedule Trigger');
		await user.closePanel();
	};
	let tableName = '';
	/** Types the name of a new data table and its columns, in the tab that n8n opened. */
	const nameTable = async (tab: Page) => {
		tab.setDefaultTimeout(30_000);
		const table = tab.getByPlaceholder('Enter data table name');
		await table.fill(tableName);
		await table.press('Enter');
		const addColumn = tab.getByTestId('data-table-add-column-trigger-button').first();
		const name = tab.getByTestId('add-column-name-input');
		for (const [index, column] of COLUMNS.split(' ').entries()) {
			// The button keeps the focus, so that Enter opens the form again.
			await (index === 0 ? user.click(addColumn) : addColumn.press('Enter'));
			await name.fill(column);
			await name.press('Enter');
			await name.waitFor({ state: 'hidden' });
		}
		await tab.close();
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
	}, 180_000);

	test('a table holds each conversation once after two runs', async () => {
		tableName = `Calls ${Date.now()}`;
		await schedule();
		await user.addNode('conversation', LABELS.node, { action: LABELS.getMany });
		await user.closePanel();
		await user.addNode('data table', 'Data table', { action: 'Upsert row(s)' });
		const tables = user.parameter('dataTableId').locator('input').last();
		await user.click(tables);
		const opened = user.page.waitForEvent('popup');
		await user.click(user.text('Create new data table'));
		await nameTable(await opened);
		await user.click(tables);
		// The list is from before; a search reads it again.
		await user.page.keyboard.type(tableName);
		await user.click(user.page.getByTestId('rlc-item').filter({ hasText: tableName }));
		await user.click(user.page.getByTestId('fixed-collection-add'));
		await user.search(user.parameter('keyName'), 'conversationId');
		await user.dragField('conversationId', 'keyValue');
		const mapping = user.page.getByTestId('mapping-mode-select').locator('.el-select');
		await user.choose(mapping, 'Map Automatically');
		await user.executeStep();
		await user.page.getByTestId('ndv-items-count').getByText('50 items').waitFor();
		expectClicks('Table without duplicates', 20);

		const { session } = testbed.n8n.client;
		const [{ id }] = await session.list<{ id: string }>('/data-tables');
		const rows = async () => await session.list<{ conversationId: string }>(`/data-tables/${id}/rows`);
		const first = await rows();
		expect(new Set(first.map((row) => row.conversationId)).size).toBe(50);
		await user.closePanel();
		await user.click(user.page.getByTestId('execute-workflow-button'));
		await user.text('Workflow executed successfully').waitFor();
		expect((await rows()).map((row) => row.conversationId)).toEqual(first.map((row) => row.conversationId));
	}, 180_000);

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
	}, 180_000);
});
