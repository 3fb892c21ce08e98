import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { nodeErrorOf } from '../errors/nodeError';
import { PARAMETER_ERRORS } from './errors';
import type { Item } from './item';

/**
 * One operation: how the node offers it, what it asks for, and what it does, side by side in one file.
 * @typeParam Input what `read` finds in the parameters of one item
 */
export interface Operation<Input = unknown> {
	/** Entry of the Operation list: Title Case name, sentence-case action. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its parameters; shown for this resource and operation only. */
	properties: INodeProperties[];
	/**
	 * Reads and checks the parameters of one item, before anything is sent for it.
	 * @throws CodedError that names the field
	 */
	read(item: Item): Input;
	/**
	 * Compares all items that could be read, before the first is executed, e.g. to add warnings to their inputs.
	 * @returns hints about them, one sentence each
	 */
	afterRead?(inputs: Input[]): string[];
	/** Whether all items are tried although requests of others fail; then the run fails at its end, unless it is given up. */
	triesAll?: boolean;
	/** What an item writes: items with the same key run one after another, in input order. Without a key, none waits. */
	key?(input: Input): string | undefined;
	/** Does the work of one item; links to the input item are added. */
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
		{ ...listProperty('Resource', 'resource', resources), type },
		...resources.flatMap(({ option: { value: resource }, operations }) => [
			shownFor({ resource: [resource] }, listProperty('Operation', 'operation', operations)),
			...operations.flatMap(({ option, properties }) =>
				properties.map((own) => shownFor({ resource: [resource], operation: [option.value] }, own)),
			),
		]),
	];
}

function shownFor(show: Record<string, string[]>, property: INodeProperties): INodeProperties {
	const { displayOptions: own } = property;
	return { ...property, displayOptions: { ...own, show: { ...show, ...own?.show } } };
}

function listProperty(
	displayName: string,
	name: string,
	entries: Array<Pick<Resource, 'option'>>,
): INodeProperties {
	const options = entries.map(({ option }) => option);
	const preselected = options[0].value;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: preselected };
}

/** The expression for the node's subtitle: the chosen operation's action in words, e.g. `Get many conversations`. */
export function describeSubtitle(resources: Resource[]): string {
	const actions = resources.flatMap(({ option: { value: resource }, operations }) =>
		operations.map(({ option }) => [`${resource}.${option.value}`, option.action]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(actions))})[$parameter.resource + "." + $parameter.operation] }}`;
}

/** Finds the chosen operation; throws NodeOperationError when a workflow names one that does not exist. */
export function findOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const found = resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
	if (found) return found;
	const unknown = codedError(PARAMETER_ERRORS, 'operation_unknown', { operation, resource });
	throw nodeErrorOf(context.getNode(), unknown);
}
