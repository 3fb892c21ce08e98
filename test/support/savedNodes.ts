import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { workflowNode } from '../../harness/n8n/workflowFile';
import { NODES } from '../../scripts/parametersPage';
import { name as PACKAGE } from '../../package.json';
import entered from './entered.json';

/** What is entered where the description has no value to choose. */
const ENTERED: Record<string, unknown> = entered;

/** Of a trigger, which has no items for expressions. */
const ENTERED_ONCE: Record<string, unknown> = {
	users: ['rep@example.com'],
	teams: ['North'],
	events: ['conversation_processed', 'test'],
};

/** The value number `variant` of a parameter: each in its turn, never the default of what is entered. */
function valueOf(property: INodeProperties, variant: number, given: Record<string, unknown>): unknown {
	const { name, type, default: byDefault, options = [], typeOptions } = property;
	if (name in given) return given[name];
	// All filters at once pass nothing, and without rows there are no fields to compare.
	if (name === 'filters' && variant % 4 < 2) return {};
	if (type === 'collection')
		return Object.fromEntries(
			(options as INodeProperties[]).map((entry) => [entry.name, valueOf(entry, variant, given)]),
		);
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	if (type === 'multiOptions') return choices.slice(0, 1 + (variant % choices.length));
	if (choices.length > 0) return choices[variant % choices.length];
	if (type === 'boolean') return byDefault !== true;
	if (type === 'number') return Math.min(Number(byDefault) + 1, typeOptions?.maxValue ?? Infinity);
	return byDefault === '' ? 'text' : byDefault;
}

const MAX_CHOICES = 15;

/**
 * Nodes as n8n saves them, for each operation and trigger: one with nothing but what is required, then each value of each
 * parameter once, with all options set.
 * @returns by node and operation
 */
export function savedNodes(): Record<string, INode[]> {
	const groups: Record<string, INode[]> = {};
	for (const Node of NODES) {
		const { description } = new Node();
		const { name, properties, credentials = [] } = description;
		const given = name.endsWith('Trigger') ? { ...ENTERED, ...ENTERED_ONCE } : ENTERED;
		const people = properties.filter(
			({ type, displayOptions }) => type !== 'notice' && !displayOptions?.show?.['@tool'],
		);
		for (const choice of operationsOf(people)) {
			const group = [name, ...Object.values(choice)].join('.');
			const saved = new Map<string, INode>();
			for (let variant = -1; variant < MAX_CHOICES; variant++) {
				const isEntered = ({ name: own, required }: INodeProperties) =>
					variant >= 0 || required === true || own in given || own === 'dateRange';
				const values: Record<string, unknown> = Object.fromEntries(
					people.filter(isEntered).map((property) => [property.name, valueOf(property, variant, given)]),
				);
				if (variant < 0) values.dateRange = 'custom';
				const parameters = { ...values, ...choice } as INodeParameters;
				const typeVersion = [description.version].flat().at(-1)!;
				const node = {
					...workflowNode('', `${PACKAGE}.${name}`, typeVersion, parameters),
					credentials: Object.fromEntries(credentials.map((one) => [one.name, { id: '1', name: one.name }])),
				};
				node.parameters = opened(node);
				saved.set(JSON.stringify(node.parameters), node);
			}
			groups[group] = [...saved.values()].map((node, index) => ({
				...node,
				id: String(index + 1),
				name: `${group} ${index + 1}`,
				position: [200 * (index + 1), 0],
			}));
		}
	}
	return groups;
}

/** Each resource with each of its operations; nothing for a trigger. */
function operationsOf(properties: INodeProperties[]): Array<Record<string, string>> {
	const lists = properties.filter(({ name }) => name === 'operation');
	if (lists.length === 0) return [{}];
	return lists.flatMap(({ displayOptions, options = [] }) =>
		options.flatMap((option) =>
			'value' in option
				? [{ resource: String(displayOptions?.show?.resource?.[0]), operation: String(option.value) }]
				: [],
		),
	);
}

/** Parameters that n8n adds to triggers that poll, and to tools. */
const OF_N8N = ['pollTimes', 'descriptionType', 'toolDescription'];

function typeOf({ type }: INode): INodeTypeDescription {
	const name = type.split('.')[1];
	const own = NODES.map((Node) => new Node().description).find(
		(one) => one.name === name.replace(/Tool$/, ''),
	);
	if (!own) throw new Error(`${type} is gone.`);
	// As n8n describes the tool that it makes of a node.
	return { ...own, name };
}

/**
 * A node's parameters as n8n keeps them when it opens a workflow: what it does not know, or does not show, is dropped.
 * @param withDefaults whether to add what was not changed, as n8n does before it runs the node
 */
export function opened(node: INode, withDefaults = false, description = typeOf(node)): INodeParameters {
	const { properties } = description;
	const { parameters } = node;
	const own = NodeHelpers.getNodeParameters(properties, parameters, withDefaults, false, node, description);
	const added = Object.entries(parameters).filter(([name]) => OF_N8N.includes(name));
	return { ...own, ...Object.fromEntries(added) };
}

/** What n8n marks in red when it opens a node, except for what a user still has to enter. */
export function issuesOf(node: INode, description = typeOf(node)): string[] {
	const full = { ...node, parameters: opened(node, true, description) };
	const found = NodeHelpers.getNodeParametersIssues(description.properties, full, description);
	const issues = Object.values(found?.parameters ?? {}).flat();
	return issues.filter((issue) => !issue.endsWith('is required.'));
}
