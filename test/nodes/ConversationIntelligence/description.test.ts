import {
	traverseNodeParameters,
	Workflow,
	type FromAIArgument,
	type INode,
	type INodeProperties,
	type INodeTypes,
} from 'n8n-workflow';
import {
	ConversationIntelligence,
	resources,
} from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { fieldsProperties } from '../../../nodes/ConversationIntelligence/getMany/fieldsToReturn';

const node = new ConversationIntelligence();
const { name: type, subtitle, properties } = node.description;
const chosen = resources.flatMap(({ option: { value: resource }, operations }) =>
	operations.map(({ option }) => ({ resource, operation: option.value })),
);
const collections = properties.filter((property) => property.type === 'collection');
const entriesOf = ({ options }: INodeProperties) => options as INodeProperties[];

test.each(chosen)(
	'the subtitle of $resource $operation reads as in other nodes',
	({ resource, operation }) => {
		const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
		const parameters = { resource, operation };
		const on: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
		const workflow = new Workflow({ nodes: [on], connections: {}, active: false, nodeTypes });
		const shown: unknown = workflow.expression.getSimpleParameterValue(on, subtitle, 'internal', {});
		expect(shown).toBe(operation === 'getAll' ? `getAll: ${resource}` : operation);
	},
);

// D1-TEAMS-03..04
test('Include Subteams says that team rows must not be added up, and that subteams keep their own rows', () => {
	const subteams = collections.flatMap(entriesOf).find(({ name }) => name === 'includeSubteams')!;
	expect(subteams.default).toBe(true);
	expect(subteams.description).toMatch(/subteams keep .*own.*do not add up the rows/i);
});

test('in a tool, the model reads what each filter by text and each date is for', () => {
	const isForTools = ({ displayOptions, default: value }: INodeProperties) =>
		displayOptions?.show?.['@tool'] !== undefined && String(value).startsWith('=');
	const filters = collections.filter(({ name }) => name === 'filters').flatMap(entriesOf);
	const read = [...properties, ...filters].filter(isForTools).flatMap((property) => {
		const calls: FromAIArgument[] = [];
		traverseNodeParameters(property.default, calls);
		return calls.map(({ key, description }) => `${key}: ${description}`);
	});
	const today = 'The note at the end of each result says which day today is.';
	const words = "with all these words in the customer's name, email or phone";
	expect([...new Set(read)].sort()).toEqual(
		expect.arrayContaining([
			`customer: Only conversations ${words}. Empty = no filter.`,
			`from_date: Required. First day to search, ISO 8601, e.g. 2026-03-01. ${today}`,
			`to_date: Last day to search, included, ISO 8601. Empty = now. ${today}`,
		]),
	);
});

test('fields are offered with their label and what the documentation says of them, flat names behind their object', () => {
	const [, { options }] = fieldsProperties({
		crmEventID: {},
		timeOfFirstRecording: { description: 'seconds' },
		user: { description: 'The rep.' },
	});
	expect(options!.map((option) => Object.values(option).slice(0, 3).join(': '))).toEqual([
		'CRM Event ID: crmEventID: crmEventID',
		'Time of First Recording (Seconds): timeOfFirstRecording: seconds (timeOfFirstRecording)',
		'Rep – user: user: The rep. (user)',
		'Rep Name – userName: userName: user.name (userName)',
		'Rep Email – userEmail: userEmail: user.email (userEmail)',
	]);
});
