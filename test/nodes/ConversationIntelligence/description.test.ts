import { Workflow, type INode, type INodeProperties, type INodeTypes } from 'n8n-workflow';
import {
	ConversationIntelligence,
	resources,
} from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';

const node = new ConversationIntelligence();
const { name: type, subtitle, properties } = node.description;
const chosen = resources.flatMap(({ option: { value: resource }, operations }) =>
	operations.map(({ option }) => ({ resource, operation: option.value, action: option.action })),
);

test.each(chosen)(
	'the subtitle of $resource $operation reads "$action", then the range of metrics',
	({ resource, operation, action }) => {
		const subtitleFor = (dateRange: string): unknown => {
			const parameters = { resource, operation, dateRange };
			const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
			const on: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
			const workflow = new Workflow({ nodes: [on], connections: {}, active: false, nodeTypes });
			return workflow.expression.getSimpleParameterValue(on, subtitle, 'internal', {});
		};
		const range = /^get many (teams|users)$/i.test(action) ? ': week before last' : '';
		expect(subtitleFor('weekBeforeLast')).toBe(`${action}${range}`);
		expect(subtitleFor('custom')).toBe(action);
	},
);

// D1-TEAMS-03..04
test('Include Subteams says that team rows must not be added up, and that subteams keep their own rows', () => {
	const entries = properties.flatMap(({ name, options }) => (name === 'filters' ? (options ?? []) : []));
	const subteams = entries.find(({ name }) => name === 'includeSubteams') as INodeProperties;
	expect(subteams.default).toBe(false);
	expect(subteams.description).toMatch(/subteams keep .*own.*do not add (the )?rows up/i);
});

test('Filters and Options list their entries by label', () => {
	const lists = properties.filter(({ type: kind }) => kind === 'collection').map(({ options }) => options!);
	expect(lists.length).toBeGreaterThan(8);
	for (const entries of lists) {
		const labels = entries.map((entry) => (entry as INodeProperties).displayName);
		expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other)));
	}
});
