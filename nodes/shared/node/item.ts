import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	NodeExecutionHint,
} from 'n8n-workflow';
import {
	describeError,
	isTool,
	logLine,
	nodeErrorOf,
	refusedValue,
	VALUE_ERRORS,
	type ErrorWords,
	type NodeError,
	type Subject,
} from '../base/codedErrors';
import { escapeHtml, plainText, quoted } from '../base/text';

/** One input item of a run, and the node's parameters as they are for this item. */
export class Item {
	/** What its errors are about. */
	readonly ids: Subject;

	readonly hints: NodeExecutionHint[] = [];

	/** Read once: n8n resolves a parameter's expressions with each reading, and takes milliseconds. */
	private readonly parameters = new Map<string, unknown>();

	/** @param startedAt in milliseconds since 1970: the end of an open range, the same for all items */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly startedAt = Date.now(),
	) {
		this.ids = { itemIndex: index };
	}

	get isTool(): boolean {
		return isTool(this.context.getNode());
	}

	/** What came in; the call of an agent has nothing. */
	get input(): INodeExecutionData {
		return this.isTool ? { json: {} } : this.context.getInputData()[this.index];
	}

	/** The value of a parameter, of any type; throws what n8n throws when there is neither a value nor a fallback. */
	parameter(name: string, fallback?: unknown): unknown {
		if (!this.parameters.has(name)) {
			this.parameters.set(name, this.context.getNodeParameter(name, this.index, fallback));
		}
		return this.parameters.get(name);
	}

	value<const Property extends INodeProperties>(property: Property): ValueOf<Property> {
		return typedValue(this.parameter(property.name, property.default), property);
	}

	option<Entry extends Option>(entry: Entry, name = 'options') {
		return optionOf(this.collection(name), entry);
	}

	collection(name: string): IDataObject {
		return this.parameter(name, {}) as IDataObject;
	}

	/** Shows a sentence in the output pane; a warning is also logged when no person looks at the execution. */
	hint(message: string, type: NodeExecutionHint['type'] = 'warning'): void {
		this.hints.push({ message: escapeHtml(message), location: 'outputPane', type });
		if (type === 'warning' && this.context.getMode() !== 'manual') logLine(this.context, 'warn', message);
	}

	/** As n8n shows and stores it, naming the item. */
	nodeError(error: unknown): NodeError {
		const found = nodeErrorOf(this.context.getNode(), error, this.ids);
		found.message = this.named(found.message);
		return found;
	}

	describe(error: unknown): ErrorWords {
		return describeError(this.context.getNode(), error, this.ids);
	}

	/** The output under Continue On Fail. n8n routes an item with these keys alone to the error output. */
	failed(error: unknown): INodeExecutionData {
		const { message, description, details } = this.describe(error);
		const json = { error: this.named(message), message: description, details };
		const { binary } = this.input;
		return { json, ...(binary && { binary }), pairedItem: { item: this.index } };
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

type ChoiceOf<Property> = Property extends { options: ReadonlyArray<{ value: infer Choice }> }
	? Choice
	: string;

/** By the type of the parameter. */
interface Values<Property> {
	boolean: boolean;
	number: number;
	string: string;
	options: ChoiceOf<Property>;
	multiOptions: Array<ChoiceOf<Property>>;
}

/** The type of a parameter's value, as its description declares it; `unknown` for types that are not read here. */
export type ValueOf<Property> = Property extends { type: infer Type extends keyof Values<Property> }
	? Values<Property>[Type]
	: unknown;

/** An entry of a collection: `default` is its value once it is added, and `without` is what happens as long as it is not. */
export type Option = INodeProperties & { without: unknown };

/** The value of an entry, verified as by {@link typedValue}, or what happens without it. */
export function optionOf<Entry extends Option>(
	collection: IDataObject,
	entry: Entry,
): ValueOf<Entry> | Entry['without'] {
	return Object.hasOwn(collection, entry.name) ? typedValue(collection[entry.name], entry) : entry.without;
}

/**
 * Verifies a value by the description of its parameter, `as const`: type, choices and bounds. Expressions return anything.
 * @returns text without outer spaces, a number also for text such as "5", one choice also as a list of one
 * @throws CodedError that states the rule and the value by the parameter's label
 */
export function typedValue<const Property extends INodeProperties>(
	value: unknown,
	property: Property,
): ValueOf<Property> {
	const { displayName: field, type } = property;
	const [rule, read] = READERS[type]?.(property) ?? ['', (given: unknown) => given];
	const found = read(value);
	if (found !== undefined) return found as ValueOf<Property>;
	throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule });
}

/** A rule in words, and what returns undefined for a value that breaks it. */
type Reader = [rule: string, read: (value: unknown) => unknown];

const READERS: Partial<Record<INodeProperties['type'], (property: INodeProperties) => Reader>> = {
	boolean: () => ['true or false', (value) => (typeof value === 'boolean' ? value : undefined)],
	number({ typeOptions: { minValue: min = -Infinity, maxValue: max = Infinity, numberPrecision } = {} }) {
		const isWhole = numberPrecision === 0;
		const [from, to] = [min === -Infinity ? '' : ` from ${min}`, max === Infinity ? '' : ` to ${max}`];
		return [
			`${isWhole ? 'a whole number' : 'a number'}${from}${to}`,
			(value) => {
				const isText = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
				const number = (isText ? Number(value) : value) as number;
				const isValid = isWhole ? Number.isInteger(number) : Number.isFinite(number);
				return isValid && number >= min && number <= max ? number : undefined;
			},
		];
	},
	string: () => ['text', (value) => (typeof value === 'string' ? value.trim() : undefined)],
	options(property) {
		const choices = choicesOf(property)!;
		return [`one of ${choices.join(', ')}`, (value) => (choices.includes(value) ? value : undefined)];
	},
	multiOptions(property) {
		const choices = choicesOf(property);
		const isChoice = (value: unknown) =>
			choices ? choices.includes(value) : typeof value === 'string' && value.trim() !== '';
		return [
			`a list of ${choices ? choices.join(', ') : 'text'}`,
			(value) => ([value].flat().every(isChoice) ? [value].flat() : undefined),
		];
	},
};

/** The choices that the panel offers; undefined if it loads them from the service. */
function choicesOf({ options }: INodeProperties): unknown[] | undefined {
	return options?.flatMap((option) => ('value' in option ? [option.value] : []));
}

/** An expression that has only `$fromAI(…)` and at most an empty fallback: no other data and no other call. */
const BY_MODEL =
	/\{\{\s*(?:\/\*[^*{}]*\*\/\s*)?\$fromAI\s*\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`|[^'"`()$])*\)\s*(?:(?:\|\||\?\?)\s*(?:''|""|\[\]|null|undefined)\s*)?\}\}/gis;

/**
 * How a parameter was entered. A `computed` value that returns nothing is an error, because it must not
 * mean all.
 * @param entered as saved in the node's parameters
 */
export function howEntered(node: Pick<INode, 'type'>, entered: unknown): 'fixed' | 'computed' | 'byModel' {
	const expressions = [entered].flat().filter((text) => typeof text === 'string' && text.startsWith('='));
	if (expressions.length === 0) return 'fixed';
	const isByModel = (text: unknown) => String(text).slice(1).replace(BY_MODEL, '').trim() === '';
	return isTool(node) && expressions.every(isByModel) ? 'byModel' : 'computed';
}

/** A list in the editor gives up after this long, because a person waits for it. */
export const PICKER_LIMIT_MS = 10_000;

/**
 * What a person can pick from a list. Values that begin with `=` are left out, because n8n would save and run them as
 * expressions, and a last entry says so. The value of that entry is not an ID, so picking it fails.
 * @param id what the values are, e.g. `a team's ID`
 */
export function pickable(options: INodePropertyOptions[], id: string): INodePropertyOptions[] {
	const safe = options.filter(({ value }) => !String(value).startsWith('='));
	const count = options.length - safe.length;
	if (count === 0) return safe;
	const name = `Not listed: ${count}, because ${id} begins with "="`;
	return [
		...safe,
		{
			name,
			value: 'not listed',
			description: 'To use a value that is not listed, enter an expression that returns it',
		},
	];
}
