import { createHmac, randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { SIGNING_SECRET } from '../../harness/credentials';
import type { N8nClient } from '../../harness/n8n/client';
import { processedEvent } from '../../harness/webhook/deliveries';
import { sign } from '../../harness/webhook/sign';

export interface Post {
	body: string;
	headers: Record<string, string>;
}

/** A trigger to compare, and the requests to send to it. */
export interface Contestant {
	name: string;
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
	/** The path after `/webhook/`. */
	path: string;
	webhookId: string;
	makePost(): Post;
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

/** The body and headers of an event that is signed like the service does. */
const signedWith = (secret: string) => (): Post => {
	const body = eventBody();
	return { body, headers: { ...JSON_TYPE, 'x-service-signature': sign(Buffer.from(body), secret) } };
};

/** This package's trigger: checks the signature, recognizes repeats, outputs the event. */
export const own: Contestant = {
	name: 'Conversation Intelligence Trigger',
	node: {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligenceTrigger',
		typeVersion: 1.1,
		parameters: { events: ['conversation_processed'] },
		credentials: { conversationExportApi: { id: '', name: '' } },
	},
	...registered('conversation'),
	makePost: signedWith(SIGNING_SECRET),
	expects: 200,
};

/** This package's trigger with invalid signatures. */
const refusals: Contestant = {
	...own,
	...registered('conversation'),
	name: 'Conversation Intelligence Trigger, refusals',
	makePost: signedWith('a guess'),
	expects: 401,
};

/** n8n's Webhook node, which checks nothing. */
export const webhookNode: Contestant = {
	name: "n8n's Webhook node",
	node: {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'plain' },
	},
	webhookId: randomUUID(),
	path: 'plain',
	makePost: () => ({ body: eventBody(), headers: JSON_TYPE }),
	expects: 200,
};

/** n8n's Webhook node with Header Auth. Like our trigger, it needs a credential in every execution. */
export const webhookNodeWithAuth: Contestant = {
	name: "n8n's Webhook node with Header Auth",
	node: {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'secured', authentication: 'headerAuth' },
		credentials: { httpHeaderAuth: { id: '', name: '' } },
	},
	webhookId: randomUUID(),
	path: 'secured',
	makePost: () => ({ body: eventBody(), headers: { ...JSON_TYPE, [TOKEN_HEADER]: SIGNING_SECRET } }),
	expects: 200,
};

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

/** Creates the contestants' credentials. */
export async function saveCredentials(client: N8nClient): Promise<void> {
	await client.saveCredential('conversationExportApi', {
		baseUrl: 'http://127.0.0.1:9/data',
		apiKey: 'key',
		signingSecret: SIGNING_SECRET,
	});
	await client.saveCredential('httpHeaderAuth', { name: TOKEN_HEADER, value: SIGNING_SECRET });
	await client.saveCredential('slackApi', { accessToken: 'token', signatureSecret: SIGNING_SECRET });
}

/** Publishes a contestant's workflow: the trigger and a No Operation node. */
export async function enter(client: N8nClient, { name, node, webhookId }: Contestant): Promise<string> {
	const place = (nodeName: string, x: number) => ({
		id: randomUUID(),
		name: nodeName,
		position: [x, 0] as [number, number],
	});
	const id = await client.importWorkflow({
		name,
		nodes: [
			{ ...place('Trigger', 0), ...node, webhookId },
			{ ...place('End', 220), type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		],
		connections: { Trigger: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await client.publish(id);
	return id;
}
