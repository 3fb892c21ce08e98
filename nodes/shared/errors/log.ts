import type { FunctionsBase } from 'n8n-workflow';
import { plainText } from './text';

/** Writes a line about a node to n8n's log, naming workflow and node, because n8n's text format prints the line alone. */
export function logLine(
	context: Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'logger'>,
	level: 'info' | 'warn' | 'error',
	text: string,
): void {
	const { id: nodeId, name: nodeName } = context.getNode();
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const line = [workflowName ?? workflowId, nodeName, text].join(': ');
	context.logger[level](plainText(line), { workflowId, nodeId, nodeName });
}
