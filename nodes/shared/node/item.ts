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
import { optionOf, typedValue, type ValueOf } from './parameters';
import { inOneText, isTool } from './tool';

/** One input item of a run, and the node's parameters as they are for this item. */
export class Item {
	/** Names the item in messages besides its index, e.g. `Event ID "crm-1"`. */
	name?: string;

	/** Sentences for the output pane. */
	readonly hints: NodeExecutionHint[] = [];

	/** Read once: n8n resolves all expressions of a collection with each reading. */
	private readonly collections = new Map<string, IDataObject>();

	/** @param index from 0 */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	get json(): IDataObject {
		return this.context.getInputData()[this.index].json;
	}

	/** Names the item at the end of a hint, e.g. ` [Item 3]`; empty for a single item. */
	get suffix(): string {
		return this.context.getInputData().length > 1 ? ` [Item ${this.index}]` : '';
	}

	/**
	 * The value of a parameter, of any type: an expression can return anything.
	 *
	 * @throws what n8n throws when there is neither a value nor a fallback
	 */
	parameter(name: string, fallback?: unknown): unknown {
		return this.context.getNodeParameter(name, this.index, fallback);
	}

	/**
	 * The value of a parameter, verified by its own description.
	 *
	 * @throws UserError that states the rule by the parameter's label
	 */
	value<const Property extends INodeProperties>(property: Property): ValueOf<Property> {
		return typedValue(this.parameter(property.name, property.default), property);
	}

	/**
	 * The value of an option, verified by its own description; its default if the user did not add it.
	 *
	 * @param collection name of the parameter that holds the option
	 * @throws UserError that states the rule by the option's label
	 */
	option<const Property extends INodeProperties>(
		property: Property,
		collection = 'options',
	): ValueOf<Property> {
		return optionOf(this.collection(collection), property);
	}

	/** What the user added to a collection such as Options. */
	collection(name: string): IDataObject {
		const value = this.collections.get(name) ?? (this.parameter(name, {}) as IDataObject);
		this.collections.set(name, value);
		return value;
	}

	/** Shows a sentence in the output pane. */
	hint(message: string, type: NodeExecutionHint['type'] = 'warning'): void {
		this.hints.push({ message, location: 'outputPane', type });
	}

	/** Names the item in an error of the node; a refused input becomes one that keeps its advice, without a stack trace. */
	nodeError(error: unknown): NodeApiError | NodeOperationError {
		const node = this.context.getNode();
		if (error instanceof NodeApiError || error instanceof NodeOperationError) {
			error.message = this.named(error.message);
			error.context.itemIndex ??= this.index;
			return inOneText(error);
		}
		const cause = error instanceof Error ? error : new UserError(String(error));
		const message = this.named(cause.message);
		return inOneText(new NodeOperationError(node, cause, { message, itemIndex: this.index }));
	}

	/** Adds the item's name, once. n8n adds its index, and an agent sees a single item. */
	private named(message: string): string {
		const isNamed = this.name === undefined || message.includes(`(${this.name})`);
		return isNamed || isTool(this.context.getNode()) ? message : `${message} (${this.name})`;
	}

	/** The output of a failed item under Continue On Fail: `error` says what is wrong, `message` what to do. */
	failed(error: unknown): INodeExecutionData {
		const { message, description } = this.nodeError(error);
		return {
			// n8n routes an item with these keys alone to the error output.
			json: { error: message, ...(description ? { message: description } : {}) },
			pairedItem: { item: this.index },
		};
	}
}
