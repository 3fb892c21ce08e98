import type { INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { lowerFirst } from '../base/text';
import type { Item } from './item';

/** One operation: how the node offers it, what it asks for, and what it does. */
export interface Operation<Input = unknown> {
	/** Entry of the Operation list: Title Case name, sentence-case action. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Shown for this resource and operation only. */
	properties: INodeProperties[];
	/** Reads and checks the parameters of one item before anything is sent; throws CodedError that names the field. */
	read(item: Item): Input;
	/** Compares all items that could be read, before the first is executed, and notes in them what it finds. */
	afterRead?(inputs: Input[]): void;
	/** What to know about what the executed items wrote: hints, or part of the error if the run fails; one sentence each. */
	warningsOf?(inputs: Input[]): string[];
	/** Whether all items are tried although requests of others fail; then the run fails at its end, unless it is given up. */
	triesAll?: boolean;
	/** Whether nothing is sent of an item, so that it is not counted as processed. */
	isPreview?(input: Input): boolean;
	/** What an item writes: items with the same key run one after another, in input order. Without a key, none waits. */
	key?(input: Input): string | undefined;
	/** Links to the input item are added. */
	execute(item: Item, input: Input): Promise<INodeExecutionData[]>;
}

/** A resource and its operations; the first one is preselected. */
export interface Resource {
	option: INodePropertyOptions & { value: string };
	operations: Operation[];
}

/** The node's properties, in the order of its resources: the two lists, then each operation's parameters. */
export function describeResources(resources: Resource[]): INodeProperties[] {
	// A list of one is not a choice, so it is hidden.
	const type = resources.length === 1 ? 'hidden' : 'options';
	return [
		{ ...listProperty('Resource', resources), type },
		...resources.flatMap(({ option: { value: resource }, operations }) => [
			shownFor({ resource: [resource] }, listProperty('Operation', operations)),
			...operations.flatMap(({ option, properties }) =>
				properties.map((own) => shownFor({ resource: [resource], operation: [option.value] }, own)),
			),
		]),
	];
}

const shownFor = (show: Record<string, string[]>, property: INodeProperties): INodeProperties => {
	const { displayOptions: own } = property;
	return { ...property, displayOptions: { ...own, show: { ...show, ...own?.show } } };
};

function listProperty(displayName: string, entries: Array<Pick<Resource, 'option'>>): INodeProperties {
	const name = displayName.toLowerCase();
	const options = entries.map(({ option }) => option);
	const preselected = options[0].value;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: preselected };
}

/** The node's subtitle, e.g. `getAll: conversation`, because n8n names a node by its action; only Get Many has several resources. */
export const SUBTITLE =
	'={{ $parameter.operation + ($parameter.operation === "getAll" ? ": " + $parameter.resource : "") }}';

export const asTool = { show: { '@tool': [true] } };
export const notAsTool = { hide: { '@tool': [true] } };

/** A default by which an agent's model supplies the value; the description is all that it reads about it. */
export const byModel = (name: string, description: string, type: 'string' | 'number', fallback = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}'${fallback}) }}`;

/** A collection with its entries by their labels, e.g. `File Options`. */
export function collection(displayName: string, entries: INodeProperties[], more?: Partial<INodeProperties>) {
	const options = entries.toSorted((one, other) => one.displayName.localeCompare(other.displayName));
	const name = lowerFirst(displayName.replace(' ', ''));
	const placeholder = displayName === 'Filters' ? 'Add filter' : 'Add option';
	const own: INodeProperties = { displayName, name, type: 'collection', placeholder, default: {}, options };
	return { ...own, ...more };
}
