import type { INode } from 'n8n-workflow';

import type { N8nClient, WorkflowFile } from '../n8n/client';
import type { Doubles } from './doubles';
import type { Mailbox } from './mailbox';

/** The address in every node whose name ends in "(replace me)". */
const USERS_CRM = 'https://crm.example.com';

/**
 * Points an example at the doubles. Replaces two things: the placeholder address of the user's CRM, and Slack nodes, whose
 * host is fixed, with HTTP Request nodes that send the same channel and text.
 */
export function rewired(workflow: WorkflowFile, { url }: Pick<Doubles, 'url'>): WorkflowFile {
	return { ...workflow, nodes: workflow.nodes.map((node) => rewiredNode(node, url)) };
}

function rewiredNode(node: INode, url: string): INode {
	if (node.type === 'n8n-nodes-base.slack') return chatNode(node, url);
	if (node.type !== 'n8n-nodes-base.httpRequest') return node;
	return {
		...node,
		parameters: {
			...node.parameters,
			url: String(node.parameters.url).replace(USERS_CRM, `${url}/crm`),
		},
	};
}

function chatNode(node: INode, url: string): INode {
	const { channelId, text } = node.parameters as { channelId: { value: string }; text: string };
	const fields = [
		{ name: 'channel', value: channelId.value },
		{ name: 'text', value: text },
	];
	return {
		...node,
		credentials: undefined,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${url}/chat/messages`,
			sendBody: true,
			bodyParameters: { parameters: fields },
			options: {},
		},
	};
}

/** Saves credentials for the doubles. Examples that are imported afterwards use them. */
export async function saveDoubleCredentials(client: N8nClient, { url, mailbox }: Doubles): Promise<void> {
	const languageModel = { apiKey: 'playground', url: `${url}/v1` };
	await client.saveCredential('openAiApi', languageModel, 'Language model (local double)');
	const storage = {
		endpoint: `${url}/storage`,
		region: 'us-east-1',
		accessKeyId: 'playground',
		secretAccessKey: 'playground',
		forcePathStyle: true,
	};
	await client.saveCredential('s3', storage, 'Storage (local double)');
	await saveMailCredential(client, mailbox);
}

/** Saves the credential of a mailbox for nodes that send email. */
export async function saveMailCredential(client: N8nClient, { port }: Mailbox): Promise<void> {
	const mail = {
		host: '127.0.0.1',
		port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	};
	await client.saveCredential('smtp', mail, 'Mail (local double)');
}
