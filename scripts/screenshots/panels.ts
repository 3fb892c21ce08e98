import type { INode, INodeParameters } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { openNode } from '../../harness/browser/editor';
import { SIGNING_SECRET } from '../../harness/credentials';
import { appointment } from '../../harness/sendAppointment';
import { getAppointmentFields } from '../../nodes/ConversationIntelligenceAppointments/panel';
import type { Sandbox } from '../../sandbox';
import { save, type Clip, type Stage } from './stage';

interface Panel {
	/** The internal name of the node, and the name of the picture. */
	type: string;
	name: string;
	credential: string;
	parameters: (sandbox: Sandbox) => INodeParameters | Promise<INodeParameters>;
	/** How the output is shown. */
	view: 'Table' | 'Schema';
	/** Makes data arrive after a click on Execute step. */
	arrive?: (stage: Stage) => Promise<void>;
}

/** Each node with parameters that show its purpose. */
export const PANELS: Panel[] = [
	{
		type: 'conversationIntelligence',
		name: 'Conversation Intelligence',
		credential: 'conversationExportApi',
		parameters: () => ({ output: 'selectedFields', fields: ['title', 'duration', 'outcome'], limit: 16 }),
		view: 'Table',
	},
	{
		type: 'conversationIntelligenceAppointments',
		name: 'Conversation Intelligence Appointments',
		credential: 'crmAppointmentApi',
		parameters: async (sandbox) => ({ columns: (await filledIn(sandbox)) as object as INodeParameters }),
		view: 'Schema',
	},
	{
		type: 'conversationIntelligenceTrigger',
		name: 'Conversation Intelligence Trigger',
		credential: 'conversationExportApi',
		parameters: () => ({}),
		view: 'Schema',
		arrive: deliver,
	},
	{
		type: 'conversationIntelligencePollTrigger',
		name: 'Conversation Intelligence Poll Trigger',
		credential: 'conversationExportApi',
		parameters: () => ({}),
		view: 'Schema',
	},
];

/** Values mapped by hand for a new appointment, without the fields that it leaves out. */
async function filledIn(sandbox: Sandbox) {
	const { customer, start_time, end_time, ...fields } = appointment(sandbox, 0);
	const value: Record<string, string> = {
		...fields,
		start_time: `${start_time}Z`,
		end_time: `${end_time}Z`,
		customer_id: customer.id,
		customer_name: customer.name,
		attendee_emails: fields.user_email,
	};
	const { fields: schema } = await getAppointmentFields.call({
		getCurrentNodeParameter: () => 'upsert',
		getNode: () => ({ type: '' }) as INode,
	});
	for (const field of schema) field.removed = !(field.id in value);
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
}

/** Sends a processed conversation to the trigger's Test URL once it listens. */
async function deliver({ page, sandbox }: Stage): Promise<void> {
	await page.getByText('Listening for test event').waitFor();
	const { webhooks } = sandbox;
	const url = /http\S+\/webhook-test\/\S+/.exec(await page.locator('body').innerText())?.[0];
	if (url === undefined) throw new Error('The panel shows no Test URL');
	const { id } = webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
	await webhooks.emit({ count: 1 });
	webhooks.subscriptions.remove(id);
}

const EDITOR_HEIGHT = 860;
/** More than the longest panel needs. */
const HEIGHT_FOR_ALL = 2400;

/** Opens the node in its own workflow, executes it, and takes the picture of its parameters and output. */
export async function photographPanel(stage: Stage, panel: Panel): Promise<void> {
	const { page, n8n, sandbox, ending } = stage;
	const workflowId = await n8n.client.importWorkflow({
		name: panel.name,
		nodes: [
			{
				id: 'node',
				name: panel.name,
				type: `n8n-nodes-conversation-intelligence.${panel.type}`,
				typeVersion: 1,
				position: [0, 0],
				webhookId: 'b7c3c1de-7d3c-4e6a-9d55-2f0c7c2b1a10',
				parameters: await panel.parameters(sandbox),
				credentials: { [panel.credential]: { id: '', name: '' } },
			},
		],
		connections: {},
	});
	await page.setViewportSize({ ...page.viewportSize()!, height: HEIGHT_FOR_ALL });
	await openNode(page, n8n, workflowId);
	if (panel.arrive) await page.getByTitle('Click to display webhook URLs').click();
	await page.getByTestId('node-execute-button').first().click();
	await panel.arrive?.(stage);
	await page
		.getByTestId('ndv-items-count')
		.first()
		.or(page.getByText('Node executed successfully'))
		.first()
		.waitFor();
	await page.getByTestId('output-panel').getByText(panel.view, { exact: true }).click();
	const height = await parametersEnd(page);
	await save(page, `${panel.type}${ending}`, { ...PARAMETERS_AND_OUTPUT, height });
	await page.setViewportSize({ ...page.viewportSize()!, height: EDITOR_HEIGHT });
}

/** The area below the panel's header, without the empty input. */
const PARAMETERS_AND_OUTPUT: Omit<Clip, 'height'> = { x: 431, y: 66, width: 824 };

/** The height that shows every parameter, below the panel's header. */
async function parametersEnd(page: Page): Promise<number> {
	const items = await page.getByTestId('parameter-item').all();
	const boxes = await Promise.all(items.map(async (item) => await item.boundingBox()));
	const ends = boxes.map((box) => (box ? box.y + box.height : 0));
	return Math.max(...ends) - PARAMETERS_AND_OUTPUT.y + 16;
}
