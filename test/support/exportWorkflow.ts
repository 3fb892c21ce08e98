import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../harness/n8n/client';
import { workflowNode } from './workflowNode';

/** The local service's default range of data. */
export const ALL_TIME = {
	dateRange: 'custom',
	fromDate: '2023-01-01T00:00:00Z',
	toDate: '2026-01-01T00:00:00Z',
};

/** The name of the node in each workflow. */
export const NODE = 'Conversation Intelligence';

/** The credential of each action node. */
export const CREDENTIALS = {
	conversationIntelligence: 'conversationExportApi',
	conversationIntelligenceAppointments: 'crmAppointmentApi',
} as const;

/** A Manual Trigger and one action node of the package. */
export function nodeWorkflow(
	type: keyof typeof CREDENTIALS,
	parameters: INodeParameters,
	more: Partial<WorkflowFile['nodes'][number]> = {},
): WorkflowFile {
	return {
		name: type,
		nodes: [
			{
				id: '1',
				name: 'Manual Trigger',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: '2',
				name: NODE,
				type: `n8n-nodes-conversation-intelligence.${type}`,
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials: { [CREDENTIALS[type]]: { id: '', name: '' } },
				...more,
			},
		],
		connections: { 'Manual Trigger': { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	};
}

/**
 * The workflow with these rows as the input of its node.
 *
 * @param rows a list, or a JavaScript expression that returns one
 */
export function fedWorkflow(rows: object[] | string, workflow: WorkflowFile): WorkflowFile {
	const jsonOutput = typeof rows === 'string' ? `={{ { rows: ${rows} } }}` : JSON.stringify({ rows });
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	return {
		...workflow,
		nodes: [
			...workflow.nodes,
			workflowNode('Row', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			workflowNode('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
		],
		connections: { 'Manual Trigger': to('Row'), Row: to('Rows'), Rows: to(NODE) },
	};
}

/** The workflow with a chain of nodes behind each output of its node. */
export function behind(file: WorkflowFile, ...outputs: INode[][]): WorkflowFile {
	const to = (node: INode) => [{ node: node.name, type: 'main' as const, index: 0 }];
	const connections: IConnections = {
		...file.connections,
		[NODE]: { main: outputs.map(([first]) => to(first)) },
	};
	for (const chain of outputs) {
		for (const [index, next] of chain.slice(1).entries())
			connections[chain[index].name] = { main: [to(next)] };
	}
	return { ...file, nodes: [...file.nodes, ...outputs.flat()], connections };
}

/** Gets all conversations by default. */
export function exportWorkflow(parameters: INodeParameters = {}): WorkflowFile {
	return nodeWorkflow('conversationIntelligence', {
		resource: 'conversation',
		operation: 'getAll',
		...ALL_TIME,
		returnAll: true,
		options: {},
		...parameters,
	});
}
