import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Whether an AI agent calls the node: n8n gives a node that is connected as a tool a type of its own. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * The end of a message that names the item; empty for an agent, who never sees the one item of its call.
 *
 * @param itemIndex from 0
 */
export function itemSuffix(node: INode, itemIndex: number | undefined): string {
	return itemIndex === undefined || isTool(node) ? '' : ` [Item ${itemIndex}]`;
}

/** Joins an error's message and description for an agent, which n8n shows the message alone. */
export function inOneText<Thrown extends NodeApiError | NodeOperationError>(error: Thrown): Thrown {
	if (isTool(error.node) && error.description) {
		error.message = `${error.message.replace(/[.!?]?$/, (end) => end || '.')} ${error.description}`;
		error.description = undefined;
	}
	return error;
}
