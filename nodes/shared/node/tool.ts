import type { INode } from 'n8n-workflow';

/** Whether an AI agent calls the node: n8n gives a node connected as a tool its own type. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}
