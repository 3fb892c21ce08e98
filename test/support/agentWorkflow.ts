import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters, NodeConnectionType } from 'n8n-workflow';
import { manualTrigger, workflowNode as node, type WorkflowFile } from '../../harness/n8n/workflowFile';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const settings = { executionOrder: 'v1', timezone: 'America/Denver' } as const;

export const exportTool = (name: string, parameters: INodeParameters): INode =>
	node(name, `${PACKAGE}.conversationIntelligenceTool`, 1, parameters, 'conversationExportApi');

export const appointmentTool = (name: string, more: INodeParameters): INode => {
	const parameters = { resource: 'appointment', ...more };
	return node(
		name,
		`${PACKAGE}.conversationIntelligenceAppointmentsTool`,
		1,
		parameters,
		'crmAppointmentApi',
	);
};

const connect = (from: INode[], { name }: INode, type: NodeConnectionType): IConnections =>
	Object.fromEntries(from.map((one) => [one.name, { [type]: [[{ node: name, type, index: 0 }]] }]));

/** An AI Agent with these tools and the saved model, started by hand. */
export function agentWorkflow(tools: INode[]): WorkflowFile {
	const start = manualTrigger();
	const task = { promptType: 'define', text: 'Do your job.', options: {} };
	const agent = node('AI Agent', `${LANGCHAIN}.agent`, 3.1, task);
	const scripted = { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} };
	const model = node('Language Model', `${LANGCHAIN}.lmChatOpenAi`, 1.2, scripted, 'openAiApi');
	const connections = {
		...connect([start], agent, 'main'),
		...connect([model], agent, 'ai_languageModel'),
		...connect(tools, agent, 'ai_tool'),
	};
	return { name: 'agent', nodes: [start, agent, model, ...tools], connections, settings };
}

/** An AI Agent whose tool runs only after a person has approved the message by email. */
export function reviewedWorkflow(tool: INode, message: string): WorkflowFile {
	const mail = {
		fromEmail: 'n8n@example.com',
		toEmail: 'reviewer@example.com',
		subject: 'Approval',
		message,
	};
	const review: INode = {
		...node('Review', 'n8n-nodes-base.emailSendHitlTool', 2.1, mail, 'smtp'),
		webhookId: randomUUID(),
	};
	const { nodes, connections, ...file } = agentWorkflow([review]);
	const reviewed = connect([tool], review, 'ai_tool');
	return { ...file, nodes: [...nodes, tool], connections: { ...connections, ...reviewed } };
}

/** An MCP Server Trigger with these tools, protected by the saved Bearer Auth; `path` follows `/mcp/` in its URL. */
export function mcpWorkflow(tools: INode[]): { path: string; file: WorkflowFile } {
	const path = randomUUID();
	const protectedBy = { authentication: 'bearerAuth', path };
	const trigger: INode = {
		...node('MCP Server Trigger', `${LANGCHAIN}.mcpTrigger`, 2, protectedBy, 'httpBearerAuth'),
		webhookId: path,
	};
	const connections = connect(tools, trigger, 'ai_tool');
	return { path, file: { name: 'mcp', nodes: [trigger, ...tools], connections, settings } };
}
