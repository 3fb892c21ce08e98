import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { WorkflowFile } from '../../harness/n8n/workflowFile';
import { SIMPLIFIED_CONVERSATION, valueAt } from '../../nodes/shared/exportApi/rows';
import { APPOINTMENT_FIELDS } from '../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { withOrigin } from '../../nodes/shared/triggers/conversations';
import { documentedRow } from './engine/documentedRow';

/** What n8n adds to tools and to poll triggers. */
const OF_N8N = ['descriptionType', 'toolDescription', 'pollTimes'];

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

/** The names and values in a node's parameters that its description lacks, or does not show with the others. */
export function unknownNames(node: INode, description: INodeTypeDescription): string[] {
	const { properties } = description;
	const root = NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description)!;
	const inCollection = (given: unknown, known: INodeProperties[], path: string): string[] =>
		[given].flat().flatMap((values) =>
			Object.entries((values ?? {}) as INodeParameters).flatMap(([name, value]) => {
				const all = path === '' ? root : (values as INodeParameters);
				const shown = known.filter(
					(one) => one.name === name && NodeHelpers.displayParameter(all, one, node, description, root),
				);
				if (shown.length === 0) return [`${path}${name}`];
				const unknown = shown.map((property) => inValue(value, property, `${path}${name}`));
				return unknown.find(({ length }) => length === 0) ?? unknown[0];
			}),
		);
	const inValue = (value: unknown, property: INodeProperties, path: string): string[] => {
		const { type, options = [], modes, typeOptions } = property;
		if (isExpression(value) || typeOptions?.loadOptionsMethod || typeOptions?.loadOptions) return [];
		if (type === 'collection') return inCollection(value, options as INodeProperties[], `${path}.`);
		if (type === 'fixedCollection') {
			const groups = options as INodePropertyCollection[];
			return Object.entries(value as INodeParameters).flatMap(([name, entry]) => {
				const group = groups.find((one) => one.name === name);
				return group ? inCollection(entry, group.values, `${path}.${name}.`) : [`${path}.${name}`];
			});
		}
		if (type === 'resourceLocator') {
			const { mode } = value as { mode: string };
			return modes!.some(({ name }) => name === mode) ? [] : [`${path}: ${mode}`];
		}
		if (type === 'resourceMapper' && /conversationIntelligence/.test(node.type)) {
			const ids = ['event_id', ...APPOINTMENT_FIELDS.map(({ id }) => id)];
			const columns = Object.keys((value as { value: object }).value);
			return columns.filter((name) => !ids.includes(name)).map((name) => `${path}.${name}`);
		}
		if (type !== 'options' && type !== 'multiOptions') return [];
		const choices = (options as INodePropertyOptions[]).map((option) => option.value);
		const isOpen = type === 'multiOptions' && property.name === 'fields';
		const unknown = [value].flat().filter((one) => !isOpen && !choices.includes(one as string));
		return unknown.map((one) => `${path}: ${String(one)}`);
	};
	return inCollection(node.parameters, properties, '').filter((name) => !OF_N8N.includes(name));
}

const ROW = documentedRow('ConversationsExport');
/** Nodes that return what they get. */
const PASSING = /\.(filter|if|merge|noOp|removeDuplicates|splitInBatches)$/;

type Source = { has: (path: string[]) => boolean } | 'as its input' | 'anything';

/** What an item of a node has; of a Code node, the names that its code contains. */
function sourceOf({ type, parameters }: INode, { nodes }: WorkflowFile): Source {
	const oneOf = (names: unknown[]): Source => ({ has: ([name]) => names.includes(name) });
	const { output, operation, resource } = parameters;
	if (PASSING.test(type) || operation === 'rowNotExists') return 'as its input';
	if (type.endsWith('.code')) return oneOf(String(parameters.jsCode).match(/\w+/g) ?? []);
	if (type.endsWith('.set') && !parameters.includeOtherFields) {
		const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
		return oneOf(assignments.map(({ name }) => name));
	}
	if (type.endsWith('.dataTable') && resource === 'row') {
		const { value } = parameters.dataTableId as { value: string };
		const table = nodes.find((node) => node.parameters.tableName === value)!.parameters;
		const { column } = table.columns as { column: Array<{ name: string }> };
		return oneOf(column.map(({ name }) => name));
	}
	const isTrigger = /conversationIntelligence(Poll)?Trigger$/.test(type);
	const isRow =
		resource === 'conversation' && /^get/.test(String(operation)) && parameters.outputAs !== 'file';
	if (!isTrigger && !(isRow && type.endsWith('.conversationIntelligence'))) return 'anything';
	const added = isTrigger
		? Object.keys(withOrigin({}, '', { source: 'poll' }))
		: ['transcript', 'transcriptError'];
	const names = (parameters.fields as string[] | undefined) ?? SIMPLIFIED_CONVERSATION;
	return {
		has([name, ...rest]) {
			if (added.includes(name)) return true;
			const isThere = output === 'raw' ? name in ROW : names.includes(name);
			return isThere && (rest.length === 0 || valueAt(ROW, [name, ...rest]) !== undefined);
		},
	};
}

const PATH = String.raw`\w+\b(?!\()(?:\.\w+\b(?!\())*`;
const OF_ITEM = new RegExp(String.raw`\$json\.(${PATH})`, 'g');
const OF_NODE = new RegExp(
	String.raw`\$\('([^']+)'\)(?:\.(?:item|first\(\)|last\(\)|itemMatching\(\w+\))\.json\.(${PATH}))?`,
	'g',
);

/** The paths below `$json` and items of other nodes that no item there has, and the nodes that do not exist. */
export function unknownPaths(workflow: WorkflowFile): string[] {
	const { nodes, connections } = workflow;
	const feeding = (name: string) =>
		nodes.filter((node) => connections[node.name]?.main?.flat().some((target) => target?.node === name));
	const has = (node: INode | undefined, path: string[], seen: INode[] = []): boolean => {
		if (node === undefined) return false;
		const source = sourceOf(node, workflow);
		if (source === 'anything' || seen.includes(node)) return true;
		if (source !== 'as its input') return path.length === 0 || source.has(path);
		return feeding(node.name).every((one) => has(one, path, [...seen, node]));
	};
	return nodes.flatMap(({ name, parameters }) => {
		const text = JSON.stringify(parameters).replace(/\\n/g, '\n');
		const ofItem = [...text.matchAll(OF_ITEM)].filter(
			([, path]) => !feeding(name).every((node) => has(node, path.split('.'))),
		);
		const ofNode = [...text.matchAll(OF_NODE)].filter(([, from, path]) => {
			const node = nodes.find((one) => one.name === from);
			return !has(node, path?.split('.') ?? []);
		});
		return [...ofItem, ...ofNode].map(([found]) => `${name}: ${found}`);
	});
}
