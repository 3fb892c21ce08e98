import { readFileSync } from 'node:fs';

import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';

/** A workflow as the editor exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

/** Reads a workflow file. */
export function readWorkflow(path: string): WorkflowFile {
	return JSON.parse(readFileSync(path, 'utf8'));
}

/** The Manual Trigger of a workflow; undefined when it has none. */
export function manualTriggerOf({ nodes }: Pick<WorkflowFile, 'nodes'>): INode | undefined {
	return nodes.find(({ type }) => type === MANUAL_TRIGGER);
}
