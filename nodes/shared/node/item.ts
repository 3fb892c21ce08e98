import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';
import {
	describeError,
	isTool,
	logLine,
	nodeErrorOf,
	type ErrorWords,
	type NodeError,
} from '../base/nodeError';
import { escapeHtml, plainText, quoted } from '../base/text';
import { optionOf, typedValue, type ValueOf } from './parameters';

/** One input item of a run, and the node's parameters as they are for this item. */
export class Item {
	/** What the item is about, for its errors. */
	readonly ids: { eventId?: string; conversationId?: string } = {};

	/** Sentences for the output pane. */
	readonly hints: NodeExecutionHint[] = [];

	/** Read once: n8n resolves a parameter's expressions with each reading, and takes milliseconds. */
	private readonly parameters = new Map<string, unknown>();

	/**
	 * @param index from 0
	 * @param startedAt when the node began, in milliseconds since 1970: the end of an open range, the same for all items
	 */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly startedAt = Date.now(),
	) {}

	/** Whether an AI agent calls the node. */
	get isTool(): boolean {
		return isTool(this.context.getNode());
	}

	/** The value of a parameter, of any type; throws what n8n throws when there is neither a value nor a fallback. */
	parameter(name: string, fallback?: unknown): unknown {
		if (!this.parameters.has(name)) {
			this.parameters.set(name, this.context.getNodeParameter(name, this.index, fallback));
		}
		return this.parameters.get(name);
	}

	/** The value of a parameter, verified as by {@link typedValue}. */
	value<const Property extends INodeProperties>(property: Property): ValueOf<Property> {
		return typedValue(this.parameter(property.name, property.default), property);
	}

	/** The value of an option in a collection, read as by {@link optionOf}. */
	option<const Property extends INodeProperties>(property: Property, name = 'options'): ValueOf<Property> {
		return optionOf(this.collection(name), property);
	}

	/** What the user added to a collection such as Options. */
	collection(name: string): IDataObject {
		return this.parameter(name, {}) as IDataObject;
	}

	/** Shows a sentence in the output pane; a warning is also logged when no person looks at the execution. */
	hint(message: string, type: NodeExecutionHint['type'] = 'warning'): void {
		this.hints.push({ message: escapeHtml(message), location: 'outputPane', type });
		if (type === 'warning' && this.context.getMode() !== 'manual') logLine(this.context, 'warn', message);
	}

	/** The error as n8n shows and stores it, naming the item. */
	nodeError(error: unknown): NodeError {
		const found = nodeErrorOf(this.context.getNode(), error, this.subject);
		found.message = this.named(found.message);
		return found;
	}

	/** The error in plain text, without the item's name. */
	describe(error: unknown): ErrorWords {
		return describeError(this.context.getNode(), error, this.subject);
	}

	/** The item as lists of several name it: `CRM-1027 [Item 26]`. */
	get label(): string {
		return itemLabel(this.index, this.ids.eventId ?? this.ids.conversationId);
	}

	/**
	 * The output of a failed item under Continue On Fail: `error` says what is wrong, `message` what to do, `details` why. n8n
	 * routes an item with these keys alone to the error output.
	 */
	failed(error: unknown): INodeExecutionData {
		const { message, description, details } = this.describe(error);
		const json = { error: this.named(message), message: description, details };
		return { json, pairedItem: { item: this.index } };
	}

	private get subject() {
		return { ...this.ids, itemIndex: this.index };
	}

	/** Adds the event ID, once. n8n adds the item's index, and an agent sees a single item. */
	private named(message: string): string {
		const { eventId } = this.ids;
		if (eventId === undefined || this.isTool) return message;
		const name = `(Event ID ${quoted(eventId)})`;
		return message.includes(name) ? message : `${message} ${name}`;
	}
}

/** Names an item in a list of several, by an ID of its own and its place from 0: `CRM-1027 [Item 26]`. */
export function itemLabel(index: number, id?: string): string {
	return `${id === undefined ? '' : `${plainText(id, 100)} `}[Item ${index}]`;
}
