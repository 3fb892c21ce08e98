import { readFileSync } from 'node:fs';

import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';

/** A workflow in the editor's export format. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

export function readWorkflow(path: string): WorkflowFile {
	return JSON.parse(readFileSync(path, 'utf8'));
}

/** The workflow's Manual Trigger, if it has one. */
export function manualTriggerOf({ nodes }: Pick<WorkflowFile, 'nodes'>): INode | undefined {
	return nodes.find(({ type }) => type === MANUAL_TRIGGER);
}
