import { NodeApiError, NodeOperationError, type FunctionsBase, type INode } from 'n8n-workflow';
import { CodedError, type ErrorDetails } from './codedError';
import { escapeHtml, plainText, sentence, withoutTags } from './text';

export type NodeError = NodeApiError | NodeOperationError;

export interface Subject {
	/** From 0. */
	itemIndex?: number;
	eventId?: string;
	conversationId?: string;
}

export interface ErrorWords {
	message: string;
	description: string;
	details: ErrorDetails;
}

/** Whether an AI agent calls the node: n8n gives a node connected as a tool its own type. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** Of what n8n or a library threw, which is shown as it is. */
const NOT_OURS = { code: 'n8n_error', retryable: false };

/** Says an error in plain text; to an agent all in the message, because n8n shows it nothing else. */
export function describeError(node: INode, error: unknown, subject: Subject = {}): ErrorWords {
	const { itemIndex: item, eventId, conversationId } = subject;
	const thrown = (error instanceof Error ? error : new Error(String(error))) as CodedError;
	const [message, description] = [withoutTags(thrown.message), thrown.description];
	const own = isNodeError(error) ? (error.context.details as ErrorDetails) : (error as CodedError).details;
	const details = {
		...(own ?? NOT_OURS),
		...(item !== undefined && { item }),
		...(eventId !== undefined && { eventId }),
		...(conversationId !== undefined && { conversationId }),
	};
	if (!isTool(node) || !description) return { message, description: description ?? '', details };
	return { message: `${sentence(message)} ${description}`, description: '', details };
}

/**
 * The error as n8n shows and stores it: n8n keeps the texts of these two classes alone. Its `context.details` is what a
 * failed item has as `details`.
 */
export function nodeErrorOf(node: INode, error: unknown, subject: Subject = {}): NodeError {
	const { message, description, details } = describeError(node, error, subject);
	const found = isNodeError(error) ? error : newNodeError(node, error, details);
	// Set here, because n8n replaces some texts by its own.
	found.message = message;
	if (!isNodeError(error) || description === '') found.description = escapeHtml(description) || undefined;
	found.context.details = details;
	found.context.itemIndex ??= subject.itemIndex;
	return found;
}

function newNodeError(node: INode, error: unknown, { status }: ErrorDetails): NodeError {
	const cause = error instanceof Error ? error : new Error(String(error));
	const httpCode = status === undefined ? undefined : String(status);
	const { failure } = cause as CodedError;
	if (httpCode === undefined && failure === undefined) return new NodeOperationError(node, cause);
	return new NodeApiError(node, {}, { message: cause.message, httpCode, failure });
}

function isNodeError(error: unknown): error is NodeError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

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
