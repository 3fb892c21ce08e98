import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { ConversationExportApi } from '../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../credentials/CrmAppointmentApi.credentials';
import { ConversationIntelligence } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';

const NODES = {
	Conversations: new ConversationIntelligence(),
	Appointments: new ConversationIntelligenceAppointments(),
	Poll: new ConversationIntelligencePollTrigger() as INodeType,
	Webhook: new ConversationIntelligenceTrigger(),
};

/**
 * What a person sees in each panel, written by hand. A star marks what is required. A line in brackets lists the entries
 * of a collection; each other line says what a choice adds and takes away, compared with what is shown at first.
 */
const METRICS = {
	'at first': 'Date Range, Split By, Compare With, Sort By, Filters, Return As, Fields to Return',
	tool: '+ From Date*, To Date, Limit - Split By, Compare With, Return As',
	'dateRange=custom': '+ From Date*, To Date',
	'outputAs=file': '+ File Format, File Options',
	'output=selectedFields': '+ Fields',
};
const LIST = {
	tool: '+ From Date*, To Date - Return As, Return All',
	'dateRange=custom': '+ From Date*, To Date',
	'returnAll=true': '- Limit',
	'outputAs=file': '+ File Format, File Options - Limit',
	'outputAs=file returnAll=false': '+ File Format, File Options',
	'output=selectedFields': '+ Fields',
};
const FILE_OPTIONS = 'Compress with Gzip, File Name, Put Output File in Field';
const SENDING =
	'All-Day Events, Date Order, Max Parallel Requests, Preview Only, Rep as Only Attendee, Requests per Second, Time Zone';
const FILTERS_OF_CONVERSATIONS =
	'Checklist Names, Checklist Score Below, Customer, Has Transcript, Hit or Missed, Minimum Duration (Seconds), No Appointment, Outcome, Outcome Is Not, Said By, Team Names or IDs, Tracker Names, User Names or IDs, Words Said';

const PANELS: Array<[node: keyof typeof NODES, of: string, lines: Record<string, string>]> = [
	[
		'Conversations',
		'conversation getAll',
		{
			'at first':
				'Date Range, Filter Dates By, Return One Row Per, Filters, Return As, Return All, Limit, Fields to Return, Options',
			'[Filters]': FILTERS_OF_CONVERSATIONS.replace('Said By,', 'Said By, Search Words,'),
			'[Options]': 'Add Teams, Include Transcript, Sort',
			'[Options] tool': 'Add Teams, Include Transcript',
			'[Options] options.includeTranscript=true':
				'Add Teams, Include Transcript, Max Transcript Length, Sort, Transcript As',
			'[File Options] outputAs=file': FILE_OPTIONS,
			'[File Options] outputAs=file fileFormat=csv': `Compress with Gzip, Escape Formulas, File Name, Put Output File in Field`,
			'[File Options] outputAs=file fileFormat=csvForExcel': FILE_OPTIONS,
			...LIST,
			'rowsFor=checklists': '- Fields to Return',
			'rowsFor=trackers': '- Fields to Return',
			'rowsFor=surveyAnswers': '- Fields to Return',
			'rowsFor=viewers': '- Fields to Return',
			'rowsFor=passages': '- Fields to Return',
		},
	],
	[
		'Conversations',
		'conversation get',
		{
			'at first': 'Conversation*, Fields to Return, Options',
			'[Options]': 'Include Transcript',
			'[Options] options.includeTranscript=true': 'Include Transcript, Max Transcript Length, Transcript As',
			tool: '',
			'output=selectedFields': '+ Fields',
		},
	],
	[
		'Conversations',
		'conversation downloadTranscript',
		{
			'at first': 'Conversation*, Return As, Max Transcript Length',
			tool: '+ From Position - Return As',
			'transcriptOutput=turns': '- Max Transcript Length',
			'transcriptOutput=items': '- Max Transcript Length',
			'transcriptOutput=file': '+ Put Output File in Field* - Max Transcript Length',
			'transcriptOutput=textFile': '+ Put Output File in Field* - Max Transcript Length',
		},
	],
	[
		'Conversations',
		'conversation downloadAudio',
		{ 'at first': 'Conversation*, Put Output File in Field*', tool: '' },
	],
	[
		'Conversations',
		'recording getMissing',
		{
			'at first': 'Date Range, Filters, Return As, Return All, Limit, Fields to Return, Options',
			'[Filters]':
				'Minimum Duration (Seconds), No Appointment, Outcome, Outcome Is Not, Team Names or IDs, User Names or IDs',
			'[Options]': 'Sort',
			...LIST,
			tool: '+ From Date*, To Date - Return As, Return All, Options',
		},
	],
	[
		'Conversations',
		'team getAll',
		{
			...METRICS,
			'[Filters]': 'Include Subteams, Team Names or IDs',
			'[File Options] outputAs=file': FILE_OPTIONS,
		},
	],
	[
		'Conversations',
		'user getAll',
		{ ...METRICS, '[Filters]': 'Active Only, Role, Team Names or IDs, User Names or IDs' },
	],
	...['upsert', 'update'].map((operation): (typeof PANELS)[number] => [
		'Appointments',
		`appointment ${operation}`,
		{ 'at first': 'a notice, Fields*, Options', '[Options]': SENDING, tool: '' },
	]),
	[
		'Appointments',
		'appointment sync',
		{
			'at first': 'Status, Cancelled Statuses, Booked Statuses, a notice, Fields*, Options',
			'[Options]': SENDING,
			tool: '',
		},
	],
	[
		'Appointments',
		'appointment delete',
		{
			'at first': 'Event ID*, Options',
			'[Options]': 'Max Parallel Requests, Requests per Second, Treat Missing as Deleted',
			tool: '',
		},
	],
	[
		'Appointments',
		'appointment match',
		{
			'at first': 'Event ID*, Conversation*, Options',
			'[Options]': 'Max Parallel Requests, Requests per Second',
			tool: '',
		},
	],
	[
		'Poll',
		'',
		{
			'at first': 'a notice, Start From, Filters, Fields to Return, Options',
			'[Filters]': FILTERS_OF_CONVERSATIONS,
			'[Options]':
				'Deliver, Look Back (Minutes), Max Conversations per Poll, Retry Failed Executions, Start an Execution For',
			'startFrom=date': '+ Start Date*',
		},
	],
	[
		'Webhook',
		'',
		{
			'at first': 'Trigger On*, Filters, Fields to Return, Options',
			'[Filters]': FILTERS_OF_CONVERSATIONS,
			'[Options]':
				'Accept Duplicates, Allow Unsigned Deliveries, Deliver, Maximum Age (Minutes), Signature Header',
		},
	],
];

const labelOf = ({ displayName, required, type }: INodeProperties) =>
	type === 'notice' ? 'a notice' : `${displayName}${required ? '*' : ''}`;

/** `dateRange=custom options.includeTranscript=true` as parameters. */
function parametersOf(choices: string[]): INodeParameters {
	const parameters: INodeParameters = {};
	for (const [path, text] of choices.map((choice) => choice.split('='))) {
		const value = /^(true|false)$/.test(text) ? text === 'true' : text;
		const [name, entry] = path.split('.');
		parameters[name] = entry ? { [entry]: value } : value;
	}
	return parameters;
}

/** The properties that n8n shows of a node, or of one of its collections. */
function shownIn(node: INodeType, of: string, when: string) {
	const [collection] = /(?<=\[).+(?=\])/.exec(when) ?? [];
	const choices = when
		.replace(/\[.+\]|at first/, '')
		.split(' ')
		.filter(Boolean);
	const description = { ...node.description };
	if (choices.includes('tool')) description.name += 'Tool';
	const [resource, operation] = of.split(' ');
	const own = parametersOf(choices.filter((choice) => choice !== 'tool'));
	const chosen = { ...(operation && { resource, operation }), ...own };
	const on = { type: description.name, typeVersion: 1, parameters: chosen } as INode;
	const all = NodeHelpers.getNodeParameters(description.properties, chosen, true, false, on, description)!;
	const isShown = (values: INodeParameters) => (one: INodeProperties) =>
		one.type !== 'hidden' && NodeHelpers.displayParameter(values, one, on, description, all);
	const panel = description.properties
		.filter(isShown(all))
		.filter(({ name }) => !/^(resource|operation)$/.test(name));
	if (collection === undefined) return panel;
	const { name, options } = panel.find(({ displayName }) => displayName === collection)!;
	return (options as INodeProperties[]).filter(isShown((all[name] ?? {}) as INodeParameters));
}

/** The choices in a panel that change what it shows, as far as they are a switch or one of a few values. */
function choicesThatMatter(node: INodeType, of: string): string[] {
	const at = (when: string) => shownIn(node, of, when).map(labelOf).join();
	const first = at('at first');
	const valuesOf = ({ type, options = [] }: INodeProperties) =>
		type === 'boolean' ? [true, false] : options.flatMap((one) => ('value' in one ? [one.value] : []));
	return shownIn(node, of, 'at first')
		.filter(({ type, name }) => ['boolean', 'options'].includes(type) && name !== 'sortBy')
		.flatMap((one) => valuesOf(one).map((value) => `${one.name}=${value}`))
		.filter((choice) => at(choice) !== first);
}

describe.each(PANELS)('%s %s', (name, of, lines) => {
	const node = NODES[name];

	test.each(Object.entries(lines))('shows %s: %s', (when, expected) => {
		const shown = shownIn(node, of, when).map(labelOf);
		expect(shown).toEqual([...new Set(shown)]);
		if (when === 'at first' || when.startsWith('[')) return expect(shown.join(', ')).toBe(expected);
		const first = shownIn(node, of, 'at first').map(labelOf);
		const added = shown.filter((label) => !first.includes(label)).join(', ');
		const removed = first.filter((label) => !shown.includes(label)).join(', ');
		expect([added && `+ ${added}`, removed && `- ${removed}`].filter(Boolean).join(' ')).toBe(expected);
	});

	test('has a line for each choice that changes it, and for each collection', () => {
		const collections = shownIn(node, of, 'at first').filter(({ type }) => type === 'collection');
		const expected = [
			...choicesThatMatter(node, of),
			...collections.map(({ displayName }) => `[${displayName}]`),
		];
		expect(Object.keys(lines)).toEqual(expect.arrayContaining(expected));
	});
});

test.each([
	[
		'Base URL*, API Key*, Signing Secret, Previous Signing Secret, Custom Header Name (Optional), Custom Header Value (Optional)',
		new ConversationExportApi(),
	],
	['Base URL*, API Key*', new CrmAppointmentApi()],
])('a credential asks for %s, and masks what is secret', (expected, { properties }) => {
	const fields = properties.filter(({ type }) => type !== 'notice');
	expect(fields.map(labelOf).join(', ')).toBe(expected);
	const masked = fields.filter(({ typeOptions }) => typeOptions?.password).map(labelOf);
	expect(masked).toEqual(expected.split(', ').filter((label) => /Key|Secret|Value/.test(label)));
});
