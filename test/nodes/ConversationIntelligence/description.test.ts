import { readFileSync } from 'node:fs';
import { Workflow, type INodeParameters, type INodeProperties, type INodeTypes } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { resources } from '../../../nodes/ConversationIntelligence/resources';

const node = new ConversationIntelligence();
const chosen = resources.flatMap(({ option: { value: resource }, operations }) =>
	operations.map(({ option }) => ({ resource, operation: option.value, action: option.action })),
);

/** What the editor shows below the node's name. */
function subtitleOf(parameters: INodeParameters): unknown {
	const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
	const position: [number, number] = [0, 0];
	const on = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position, parameters };
	const workflow = new Workflow({ nodes: [on], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(on, node.description.subtitle, 'internal', {});
}

test.each(chosen)(
	'the subtitle of $resource $operation reads "$action"',
	({ resource, operation, action }) => {
		expect(subtitleOf({ resource, operation })).toBe(action);
	},
);

test('actions are in sentence case without articles', () => {
	for (const { action } of chosen) expect(action).toMatch(/^[A-Z][a-z]+(?: (?!an?\b|the\b)[a-z]+)+$/);
});

test('a search finds the node by the words that people use for it', () => {
	const { alias } = JSON.parse(
		readFileSync('nodes/ConversationIntelligence/ConversationIntelligence.node.json', 'utf8'),
	) as { alias: string[] };
	const words = ['meeting', 'sales call', 'calls', 'lost deals', 'Gong', 'audio', 'teams', 'webhook', 'rep'];
	expect(alias).toEqual(expect.arrayContaining(words));
});

test('collections list their entries alphabetically, as n8n does', () => {
	const collections = node.description.properties.filter(({ type }) => type === 'collection');
	expect(collections.length).toBeGreaterThan(4);
	for (const { options = [] } of collections) {
		const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
	}
});
