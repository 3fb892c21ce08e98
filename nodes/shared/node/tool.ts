import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Whether an AI agent calls the node: n8n gives a node connected as a tool its own type. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** Joins an error's message and description for an agent, because n8n shows it only the message. */
export function inOneText<Thrown extends NodeApiError | NodeOperationError>(error: Thrown): Thrown {
	if (isTool(error.node) && error.description) {
		error.message = `${error.message.replace(/[.!?]?$/, (end) => end || '.')} ${error.description}`;
		error.description = undefined;
	}
	return error;
}
