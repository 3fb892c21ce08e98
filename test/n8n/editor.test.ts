import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { resources as exportResources } from '../../nodes/ConversationIntelligence/resources';
import { appointment } from '../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import type { Resource } from '../../nodes/shared/node/operation';
import { openNode, signIn } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { saveSandboxCredentials } from '../../harness/credentials';
import { fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
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

const SEARCHED = [
	...['call recording', 'webhook conversation', 'CRM appointment', 'coaching'],
	...['sales call', 'calls', 'lost deal', 'lost deals', 'Gong', 'audio', 'teams', 'webhook'],
];

/** Lists that an order applies to: the array of the service's response, and the field with the ID. */
const ROWS = {
	'conversation/getAll': { list: 'conversations', id: 'conversationId' },
	'recording/getAwaitingUpload': { list: 'awaitingUpload', id: 'recordingId' },
	'recording/getErrored': { list: 'errored', id: 'recordingId' },
} as const;

type ServiceRow = Record<'date' | 'conversationId' | 'recordingId', string>;

/** The service's rows of the last seven days, newest first: more than a panel shows, on a Monday too. */
async function newestRows(list: (typeof ROWS)[keyof typeof ROWS]['list']): Promise<ServiceRow[]> {
	const { sandbox } = testbed;
	const range = {
		fromDate: new Date(Date.now() - 7 * DAY_MS).toISOString(),
		toDate: new Date().toISOString(),
	};
	const rows: ServiceRow[] = [];
	for (let page = 1; ; page++) {
		const response = await fetch(`${sandbox.exportUrl}/export/conversations`, {
			method: 'POST',
			headers: { authorization: sandbox.keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify({ ...range, page }),
		});
		const added = ((await response.json()) as Record<typeof list, ServiceRow[]>)[list];
		if (added.length === 0) return rows.sort((one, other) => Date.parse(other.date) - Date.parse(one.date));
		rows.push(...added);
	}
}

/** Opens an operation with nothing set, executes it and shows its output as a table. */
async function executeStep(kind: string): Promise<void> {
	const { client } = testbed.n8n;
	const [resource, operation] = kind.split('/');
	const node = {
		...{ id: 'node', name: kind, typeVersion: 1, position: [0, 0] as [number, number] },
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		parameters: { resource, operation },
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	await openNode(
		page,
		testbed.n8n,
		await client.importWorkflow({ name: kind, nodes: [node], connections: {} }),
	);
	await page.getByTestId('node-execute-button').first().click();
	await page.getByTestId('ndv-items-count').first().waitFor();
	await page.getByTestId('output-panel').getByText('Table', { exact: true }).click();
	await page.getByTestId('output-panel').locator('tbody tr').first().waitFor();
}

/** The values of a column of the output, in the order in which they are shown. */
async function shownValues(column: string): Promise<string[]> {
	const output = page.getByTestId('output-panel');
	const names = await output.locator('thead th').allInnerTexts();
	const place = names.findIndex((name) => name.trim() === column);
	const rows = await output.locator('tbody tr').all();
	return await Promise.all(rows.map(async (row) => (await row.locator('td').nth(place).innerText()).trim()));
}

let testbed: Testbed;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	const from = new Date(Date.now() - 20 * DAY_MS).toISOString();
	// Every list has more rows in seven days than the default limit, in any order.
	const sizes = { conversations: 230, awaitingUpload: 240, errored: 250 };
	testbed = await startTestbed({ ...sizes, from, to: 'now', order: 'shuffled' });
	browser = await launchBrowser();
	page = await signIn(browser, testbed.n8n);
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await testbed?.stop();
}, 60_000);

describe('The editor', () => {
	test(
		'finds the nodes by the words that people search for',
		async () => {
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
				const isFound = await ours.waitFor({ timeout: 10_000 }).then(
					() => true,
					() => false,
				);
				expect({ words, isFound }).toEqual({ words, isFound: true });
			}
		},
		LIMIT_MS,
	);

	test.each(['conversation/getAll', 'recording/getAwaitingUpload', 'recording/getErrored'] as const)(
		'shows the newest rows of %s after Execute step with default parameters',
		async (kind) => {
			const { list, id } = ROWS[kind];
			const newest = await newestRows(list);
			await executeStep(kind);
			await page.getByTestId('ndv-items-count').getByText('50 items').waitFor();
			const shown = await shownValues(id);
			expect(shown.length).toBeGreaterThanOrEqual(10);
			expect(shown).toEqual(newest.slice(0, shown.length).map((row) => row[id]));
		},
		LIMIT_MS,
	);

	test.each(['team/getAll', 'user/getAll'])(
		'shows rows of %s after Execute step with default parameters',
		async (kind) => {
			await executeStep(kind);
			await page
				.getByTestId('ndv-items-count')
				.getByText(/^\d+ items$/)
				.waitFor();
			expect((await shownValues('name')).filter(Boolean).length).toBeGreaterThan(1);
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
		'shows a column named in HTML as text in a hint and in the description of an error',
		async () => {
			const { n8n } = testbed;
			const column = '<a href="https://evil.example">Session expired</a><img src="https://evil.example/x">';
			const rows = (row: object) => [
				{ event_id: 'crm-1', user_email: 'ana@example.com', ...row, [column]: 1 },
			];
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
