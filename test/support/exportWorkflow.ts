import type { INode, INodeParameters } from 'n8n-workflow';
import { inRow, manualTrigger, workflowNode, type WorkflowFile } from '../../harness/n8n/workflowFile';

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
	more: Partial<INode> = {},
): WorkflowFile {
	const own = `n8n-nodes-conversation-intelligence.${type}`;
	const node = { ...workflowNode(NODE, own, 1, parameters, CREDENTIALS[type]), ...more };
	const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
	return { name: type, ...inRow(manualTrigger(), node), settings };
}

/** The workflow with these rows as the input of its node, after these nodes. */
export function fedWorkflow(rows: object[], workflow: WorkflowFile, ...between: INode[]): WorkflowFile {
	const given = { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} };
	const row = workflowNode('Row', 'n8n-nodes-base.set', 3.4, given);
	const split = workflowNode('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} });
	const [trigger, node] = workflow.nodes;
	return { ...workflow, ...inRow(trigger, row, split, ...between, node) };
}

/** The workflow with a chain of nodes behind each output of its node. */
export function behind(file: WorkflowFile, ...outputs: INode[][]): WorkflowFile {
	const chains = outputs.map((chain) => inRow(...chain).connections);
	const first = outputs.map(([{ name }]) => [{ node: name, type: 'main' as const, index: 0 }]);
	const connections = Object.assign({}, file.connections, { [NODE]: { main: first } }, ...chains);
	return { ...file, nodes: [...file.nodes, ...outputs.flat()], connections };
}

/** Gets all conversations by default. */
export const exportWorkflow = (more: INodeParameters = {}): WorkflowFile => {
	const list = { resource: 'conversation', operation: 'getAll', ...ALL_TIME, returnAll: true, options: {} };
	return nodeWorkflow('conversationIntelligence', { ...list, ...more });
};
