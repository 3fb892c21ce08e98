import {
	NodeApiError,
	NodeOperationError,
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { booleanOf } from './parameters';
import { inOneText, itemSuffix } from './tool';

/** One input item of a run, and the node's parameters as they are for this item. */
export class Item {
	/** @param index from 0 */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	get json(): IDataObject {
		return this.context.getInputData()[this.index].json;
	}

	/**
	 * The value of a parameter, of any type: an expression can return anything.
	 *
	 * @throws what n8n throws when there is neither a value nor a fallback
	 */
	parameter(name: string, fallback?: unknown): unknown {
		return this.context.getNodeParameter(name, this.index, fallback);
	}

	/** @throws UserError for anything but true or false */
	boolean({ name, displayName, default: fallback }: INodeProperties): boolean {
		return booleanOf(this.parameter(name, fallback), displayName);
	}

	/** What the user added to a collection such as Options. */
	collection(name: string): IDataObject {
		return this.parameter(name, {}) as IDataObject;
	}

	/** Shows a sentence in the output pane. */
	hint(message: string, type: NodeExecutionHint['type'] = 'warning'): void {
		this.context.addExecutionHints({ message, location: 'outputPane', type });
	}

	/** Errors of the node pass through; a refused input becomes one that names the item and keeps its advice, without a stack trace. */
	nodeError(error: unknown): NodeApiError | NodeOperationError {
		if (error instanceof NodeApiError || error instanceof NodeOperationError) return inOneText(error);
		const node = this.context.getNode();
		const cause = error instanceof Error ? error : new UserError(String(error));
		return inOneText(
			new NodeOperationError(node, cause, {
				message: `${cause.message}${itemSuffix(node, this.index)}`,
				itemIndex: this.index,
			}),
		);
	}

	/** The output of a failed item under Continue On Fail: `error` says what is wrong, `message` what to do. */
	failed(error: unknown): INodeExecutionData {
		const { message, description } = this.nodeError(error);
		return {
			// Every n8n routes an item with these keys alone to the error output; before 2.31, no other key was allowed.
			json: { error: message, ...(description ? { message: description } : {}) },
			pairedItem: { item: this.index },
		};
	}
}
