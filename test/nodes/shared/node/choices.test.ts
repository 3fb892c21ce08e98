import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { scriptedEngine } from '../../../support/engine/fixtures';

const ACTIONS = [ConversationIntelligence, ConversationIntelligenceAppointments];
const NODES = [...ACTIONS, ConversationIntelligencePollTrigger, ConversationIntelligenceTrigger];
const { server, engine } = scriptedEngine(NODES);

const UNKNOWN = 'activation';
/** Valid for every operation. */
const VALID: INodeParameters = {
	conversationId: { __rl: true, mode: 'id', value: '5f0e1a9e-0c8a-4f8e-9a43-0d1c7f6f3a11' },
	fromDate: '2026-01-01',
	startDate: '2026-01-01',
	returnAll: false,
	sortBy: 'conversationsRecorded',
	eventId: 'event-1',
	status: 'booked',
	columns: {
		mappingMode: 'defineBelow',
		value: {
			...{ event_id: 'event-1', title: 'Visit', customer_id: '1', customer_name: 'Noor Haddad' },
			...{ user_email: 'ava.adams@example.com', attendee_emails: 'ava.adams@example.com' },
			...{ start_time: '2026-01-01T10:00:00Z', end_time: '2026-01-01T11:00:00Z' },
		},
	},
};

/** What must be chosen for a parameter to be shown. */
const shownWith = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
	Object.fromEntries(
		Object.entries(show).map(([name, values]) => [name.replace('/', ''), values![0]]),
	) as INodeParameters;

const isChoice = ({ name, type, options, displayOptions }: INodeProperties) =>
	(type === 'options' || (type === 'multiOptions' && options !== undefined)) &&
	// Fields takes undocumented names too.
	!['resource', 'operation', 'fields'].includes(name) &&
	!('@tool' in (displayOptions?.show ?? {}));

/** Each drop-down list of a node, alone or in a collection, and the parameters with an unknown value in it. */
const CHOICES = NODES.flatMap((node) => {
	const { name: type, properties } = new node().description;
	return properties.flatMap((property) => {
		const { name, displayName } = property;
		const parameters = { ...VALID, ...shownWith(property) };
		const entries = property.type === 'collection' ? (property.options as INodeProperties[]) : [];
		const alone = isChoice(property) ? [{ label: displayName, own: { [name]: UNKNOWN } }] : [];
		const inside = entries.filter(isChoice).map((option) => {
			const shown = shownWith(option);
			return { label: option.displayName, own: { ...shown, [name]: { ...shown, [option.name]: UNKNOWN } } };
		});
		return [...alone, ...inside].map(({ label, own }) => ({
			type,
			label,
			parameters: { ...parameters, ...own },
		}));
	});
});

test.each(CHOICES)('$type refuses an unknown $label by its label, and sends nothing', async (choice) => {
	const { type, label: field, parameters } = choice;
	server.respond([{ status: 200, body: '{}' }]);
	server.seen.length = 0;
	const calls: Record<string, () => Promise<unknown>> = {
		conversationIntelligencePollTrigger: async () => await engine.poller(type, parameters).poll(),
		conversationIntelligenceTrigger: async () => await engine.register(type, parameters, 'manual'),
	};
	const run = async () => await engine.runNode(type, parameters).then(({ error }) => Promise.reject(error));
	const refused = { context: { details: { code: 'value_invalid', field } } };
	await expect((calls[type] ?? run)()).rejects.toMatchObject(refused);
	expect(server.seen).toEqual([]);
});

/** The order of decisions: what, when, one row per what, which, how many, as what, options. */
const ORDER = [
	'resource operation event events',
	'dateRange fromDate toDate selectBy startFrom startDate',
	'rowsFor splitBy compareWith',
	'conversationId eventId filters',
	'transcriptOutput outputAs',
	'returnAll limit',
	'maxTranscriptLength binaryPropertyName fileFormat fileOptions output fields',
	'options',
].map((names) => names.split(' '));

test.each(NODES.map((node) => new node().description))(
	'$displayName asks in the order of decisions, by labels that a narrow panel shows in full',
	({ properties }) => {
		const groupOf = (one: string) => ORDER.findIndex((names) => names.includes(one));
		const panels = new Map<string, number[]>();
		for (const { name, displayOptions: { show } = {} } of properties) {
			const shown = [show?.resource, show?.operation].join();
			if (groupOf(name) !== -1) panels.set(shown, [...(panels.get(shown) ?? []), groupOf(name)]);
		}
		for (const groups of panels.values()) expect(groups).toEqual(groups.toSorted((a, b) => a - b));

		const entries = properties.flatMap(({ type, options }) => (type === 'collection' ? options! : []));
		const labels = (entries as INodeProperties[]).map(({ displayName }) => displayName);
		// n8n's own words for a file.
		const isLong = (label: string) => label.split(' ').length > 4 && label !== 'Put Output File in Field';
		expect(labels.filter(isLong)).toEqual([]);
	},
);

/** Adding it is not enough on purpose: a person has to switch it on as well. */
const TWO_STEPS = 'allowUnsigned';
/** What waits for a person to enter or pick something. */
const isEmpty = ({ default: added }: INodeProperties) => added === '' || JSON.stringify(added) === '[]';

const ENTRIES = NODES.flatMap((node) => {
	const { displayName: of, properties } = new node().description;
	const entries = properties.flatMap(({ type, options }) => (type === 'collection' ? options! : []));
	return (entries as INodeProperties[]).map((entry) => ({ node: of, entry, label: entry.displayName }));
});

test.each([...new Map(ENTRIES.map((one) => [`${one.node} ${JSON.stringify(one.entry)}`, one])).values()])(
	'$node: adding $label changes something, because its value when added is not what happens without it',
	({ entry }) => {
		const without = 'without' in entry ? entry.without : undefined;
		if (entry.name === TWO_STEPS) expect([entry.default, without]).toEqual([false, false]);
		else if (!isEmpty(entry)) expect([without, without ?? false]).not.toContainEqual(entry.default);
	},
);
