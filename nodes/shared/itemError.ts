import { NodeApiError, NodeOperationError, UserError, type INodeExecutionData } from 'n8n-workflow';
import type { Item } from './item';
import { inOneText, itemSuffix } from './tool';

/** The output of a failed item under Continue On Fail: `error` says what is wrong, `message` what to do. */
export function failedItem(item: Item, error: unknown): INodeExecutionData {
	const { message, description } = toNodeError(item, error);
	return {
		// Every n8n routes an item with these keys alone to the error output; before 2.31, one more key kept it out.
		json: { error: message, ...(description ? { message: description } : {}) },
		pairedItem: { item: item.index },
	};
}

/** Errors of the node pass through; a refused input becomes one that names the item; nothing shows a stack trace. */
export function toNodeError({ context, index }: Item, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return inOneText(error);
	const node = context.getNode();
	const cause = error instanceof Error ? error : new UserError(String(error));
	return inOneText(
		new NodeOperationError(node, cause, {
			message: `${cause.message}${itemSuffix(node, index)}`,
			description: cause instanceof UserError ? (cause.description ?? undefined) : undefined,
			itemIndex: index,
		}),
	);
}

/** An error's message and advice as one text that does not name the item, for a field of the item itself. */
export function plainText({ message, description }: NodeApiError | NodeOperationError): string {
	return [message.replace(/ \[Item \d+\]$/, ''), description].filter(Boolean).join('. ');
}
