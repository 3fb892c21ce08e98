import { createHmac, randomUUID } from 'node:crypto';
import { SIGNING_SECRET } from '../../harness/credentials';
import type { N8nClient } from '../../harness/n8n/client';
import { inRow, workflowNode } from '../../harness/n8n/workflowFile';
import { processedEvent } from '../../harness/webhook/deliveries';
import { sign } from '../../harness/webhook/sign';
import { ownNode, type Step } from '../workflows';

/** A trigger to compare, and the requests to send to it. */
export interface Contestant {
	name: string;
	node: Step;
	webhookId: string;
	/** The path after `/webhook/`. */
	path: string;
	makePost(): { body: string; headers: Record<string, string> };
	/** The expected status. */
	expects: number;
}

const TOKEN_HEADER = 'x-token';
const JSON_TYPE = { 'content-type': 'application/json' };
const eventBody = () => JSON.stringify(processedEvent());

/** The address of a trigger with this path below its webhook ID. */
function registered(path: string) {
	const webhookId = randomUUID();
	return { webhookId, path: `${webhookId}/${path}` };
}

/** This package's trigger, with events that are signed like the service does. */
const ofPackage = (name: string, secret: string, expects: number): Contestant => ({
	name,
	node: ownNode('conversationIntelligenceTrigger', 'conversationExportApi', {
		events: ['conversation_processed'],
		output: 'event',
	}),
	...registered('conversation'),
	makePost() {
		const body = eventBody();
		return { body, headers: { ...JSON_TYPE, 'x-service-signature': sign(Buffer.from(body), secret) } };
	},
	expects,
});

/** n8n's Webhook node. */
const ofWebhook = (name: string, path: string, node: Partial<Step>, headers = {}): Contestant => ({
	name,
	node: {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		...node,
		parameters: { httpMethod: 'POST', path, ...node.parameters },
	},
	webhookId: randomUUID(),
	path,
	makePost: () => ({ body: eventBody(), headers: { ...JSON_TYPE, ...headers } }),
	expects: 200,
});

/** Checks the signature, recognizes repeats, outputs the event. */
export const own = ofPackage('Conversation Intelligence Trigger', SIGNING_SECRET, 200);
const refusals = ofPackage('Conversation Intelligence Trigger, refusals', 'a guess', 401);

/** Checks nothing. */
export const webhookNode = ofWebhook("n8n's Webhook node", 'plain', {});

/** Like our trigger, it needs a credential in every execution. */
export const webhookNodeWithAuth = ofWebhook(
	"n8n's Webhook node with Header Auth",
	'secured',
	{ parameters: { authentication: 'headerAuth' }, credentials: { httpHeaderAuth: { id: '', name: '' } } },
	{ [TOKEN_HEADER]: SIGNING_SECRET },
);

/** A built-in app trigger that, like ours, checks an HMAC-SHA256 signature and is registered manually. */
const builtInTrigger: Contestant = {
	name: 'Built-in app trigger with a signature',
	node: {
		type: 'n8n-nodes-base.slackTrigger',
		typeVersion: 1,
		parameters: { trigger: ['any_event'], watchWorkspace: true },
		credentials: { slackApi: { id: '', name: '' } },
	},
	...registered('webhook'),
	makePost() {
		const event = { type: 'message', channel: 'C1', user: 'U1', details: processedEvent() };
		const body = JSON.stringify({ type: 'event_callback', event });
		const at = String(Math.floor(Date.now() / 1000));
		const digest = createHmac('sha256', SIGNING_SECRET).update(`v0:${at}:${body}`).digest('hex');
		const signature = { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${digest}` };
		return { body, headers: { ...JSON_TYPE, ...signature } };
	},
	expects: 200,
};

/** All contestants, in the order of the table. */
export const CONTESTANTS = [own, webhookNode, webhookNodeWithAuth, builtInTrigger, refusals];

/** Creates the contestants' credentials and publishes their workflows: the trigger and a No Operation node. */
export async function enter(client: N8nClient, contestants: Contestant[]): Promise<void> {
	const credentials = {
		conversationExportApi: {
			baseUrl: 'http://127.0.0.1:9/data',
			apiKey: 'key',
			signingSecret: SIGNING_SECRET,
		},
		httpHeaderAuth: { name: TOKEN_HEADER, value: SIGNING_SECRET },
		slackApi: { accessToken: 'token', signatureSecret: SIGNING_SECRET },
	};
	for (const [type, data] of Object.entries(credentials)) await client.saveCredential(type, data);
	for (const { name, node, webhookId } of contestants) {
		const trigger = workflowNode('Trigger', node.type, node.typeVersion, node.parameters);
		const end = workflowNode('End', 'n8n-nodes-base.noOp', 1, {});
		const nodes = inRow({ ...trigger, ...node, webhookId }, end);
		const id = await client.importWorkflow({ name, ...nodes, settings: { executionOrder: 'v1' } });
		await client.publish(id);
	}
}
