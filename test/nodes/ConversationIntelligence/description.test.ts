import { Workflow, type INode, type INodeParameters, type INodeTypes } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { resources } from '../../../nodes/ConversationIntelligence/resources';

const node = new ConversationIntelligence();
const chosen = resources.flatMap(({ option: { value: resource }, operations }) =>
	operations.map(({ option }) => ({ resource, operation: option.value, action: option.action })),
);

/** What the editor shows below the node's name. */
function subtitleOf(parameters: INodeParameters): unknown {
	const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
	const { name: type } = node.description;
	const on: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [on], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(on, node.description.subtitle, 'internal', {});
}

test.each(chosen)(
	'the subtitle of $resource $operation reads "$action", then the range of metrics',
	({ resource, operation, action }) => {
		const range = /^get many (teams|users)$/i.test(action) ? ': week before last' : '';
		expect(subtitleOf({ resource, operation, dateRange: 'weekBeforeLast' })).toBe(`${action}${range}`);
		expect(subtitleOf({ resource, operation, dateRange: 'custom' })).toBe(action);
	},
);
