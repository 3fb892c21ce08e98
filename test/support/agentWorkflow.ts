import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters, NodeConnectionType } from 'n8n-workflow';
import { manualTrigger, workflowNode as node, type WorkflowFile } from '../../harness/n8n/workflowFile';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const LANGCHAIN = '@n8n/n8n-nodes-langchain';

export const exportTool = (name: string, parameters: INodeParameters): INode => ({
	...node(name, `${PACKAGE}.conversationIntelligenceTool`, 1, parameters),
	credentials: { conversationExportApi: { id: '', name: '' } },
});

export const appointmentTool = (name: string, parameters: INodeParameters): INode => ({
	...node(name, `${PACKAGE}.conversationIntelligenceAppointmentsTool`, 1, {
		resource: 'appointment',
		...parameters,
	}),
	credentials: { crmAppointmentApi: { id: '', name: '' } },
});

const connect = (from: INode[], to: INode, type: NodeConnectionType): IConnections =>
	Object.fromEntries(from.map(({ name }) => [name, { [type]: [[{ node: to.name, type, index: 0 }]] }]));

/** An AI Agent with these tools and the saved model, started by hand. */
export function agentWorkflow(tools: INode[]): WorkflowFile {
	const start = manualTrigger();
	const agent = node('AI Agent', `${LANGCHAIN}.agent`, 3.1, {
		promptType: 'define',
		text: 'Do your job.',
		options: {},
	});
	const model: INode = {
		...node('Language Model', `${LANGCHAIN}.lmChatOpenAi`, 1.2, {
			model: { __rl: true, mode: 'id', value: 'scripted' },
			options: {},
		}),
		credentials: { openAiApi: { id: '', name: '' } },
	};
	return {
		name: 'agent',
		nodes: [start, agent, model, ...tools],
		connections: {
			...connect([start], agent, 'main'),
			...connect([model], agent, 'ai_languageModel'),
			...connect(tools, agent, 'ai_tool'),
		},
		settings: { executionOrder: 'v1', timezone: 'America/Denver' },
	};
}

/** An AI Agent whose tool runs only after a person has approved the message by email. */
export function reviewedWorkflow(tool: INode, message: string): WorkflowFile {
	const review: INode = {
		...node('Review', 'n8n-nodes-base.emailSendHitlTool', 2.1, {
			fromEmail: 'n8n@example.com',
			toEmail: 'reviewer@example.com',
			subject: 'Approval',
			message,
			options: { appendAttribution: false },
		}),
		webhookId: randomUUID(),
		credentials: { smtp: { id: '', name: '' } },
	};
	const { nodes, connections, ...file } = agentWorkflow([review]);
	return {
		...file,
		nodes: [...nodes, tool],
		connections: { ...connections, ...connect([tool], review, 'ai_tool') },
	};
}

/** An MCP Server Trigger with these tools, protected by the saved Bearer Auth; `path` follows `/mcp/` in its URL. */
export function mcpWorkflow(tools: INode[]): { path: string; file: WorkflowFile } {
	const path = randomUUID();
	const trigger: INode = {
		...node('MCP Server Trigger', `${LANGCHAIN}.mcpTrigger`, 2, { authentication: 'bearerAuth', path }),
		webhookId: path,
		credentials: { httpBearerAuth: { id: '', name: '' } },
	};
	return {
		path,
		file: {
			name: 'mcp',
			nodes: [trigger, ...tools],
			connections: connect(tools, trigger, 'ai_tool'),
			settings: { executionOrder: 'v1', timezone: 'America/Denver' },
		},
	};
}
