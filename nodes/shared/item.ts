import type { IDataObject, IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';
import { booleanOf } from './parameters';

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
	 * The value of a parameter, of any type: an expression can make anything of it.
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
}
