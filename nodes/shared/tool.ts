import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

/**
 * Whether an AI agent calls the node: n8n gives a node that is connected as a tool a type of its own.
 *
 * @param node as from `getNode()`
 */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * The end of a message that names the item. An agent calls a tool for one item that it never sees, so it gets none.
 *
 * @param itemIndex from 0
 */
export function itemSuffix(node: INode, itemIndex: number | undefined): string {
	return itemIndex === undefined || isTool(node) ? '' : ` [Item ${itemIndex}]`;
}

/**
 * Joins an error's message and description for an agent, which n8n shows the message alone.
 *
 * @param error of the node; one of a workflow's own node is returned unchanged
 */
export function inOneText<Thrown extends NodeApiError | NodeOperationError>(error: Thrown): Thrown {
	if (isTool(error.node) && error.description) {
		error.message = `${error.message.replace(/[.!?]?$/, (end) => end || '.')} ${error.description}`;
		error.description = undefined;
	}
	return error;
}
