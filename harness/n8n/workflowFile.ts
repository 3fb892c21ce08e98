import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IConnections, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

/** A workflow in the editor's export format. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

export function readWorkflow(path: string): WorkflowFile {
	return JSON.parse(readFileSync(path, 'utf8'));
}

/** A node of a workflow that is made for a measurement or a test, with a credential that the import fills in. */
export function workflowNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
	credential?: string,
): INode {
	const credentials = credential === undefined ? undefined : { [credential]: { id: '', name: '' } };
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters, credentials };
}

/** These nodes, each connected with the next. */
export function inRow(...nodes: INode[]): Pick<WorkflowFile, 'nodes' | 'connections'> {
	const connections: IConnections = {};
	for (const [index, { name: node }] of nodes.slice(1).entries()) {
		connections[nodes[index].name] = { main: [[{ node, type: 'main', index: 0 }]] };
	}
	return { nodes: nodes.map((node, index) => ({ ...node, position: [220 * index, 0] })), connections };
}

export const manualTrigger = () => workflowNode('Manual Trigger', MANUAL_TRIGGER, 1, {});
