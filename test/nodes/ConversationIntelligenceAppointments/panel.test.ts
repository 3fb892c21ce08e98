import { NodeHelpers, traverseNodeParameters, type FromAIArgument, type INode } from 'n8n-workflow';
import {
	getAppointmentFields,
	getInputColumns,
} from '../../../nodes/ConversationIntelligenceAppointments/panel';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

const fieldsOf = async (operation: string, type = 'conversationIntelligenceAppointments') => {
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters: {} };
	const { fields } = await getAppointmentFields.call({
		getCurrentNodeParameter: (name) => (name === 'operation' ? operation : undefined),
		getNode: () => node,
	});
	return fields;
};

const TOOL = 'conversationIntelligenceAppointmentsTool';

/** What the model reads of each field. */
function argumentsOf(fields: Awaited<ReturnType<typeof fieldsOf>>): FromAIArgument[] {
	const args: FromAIArgument[] = [];
	traverseNodeParameters(Object.fromEntries(fields.map(({ id, defaultValue }) => [id, defaultValue])), args);
	return args;
}

const NEEDED = ['event_id', 'user_email', 'start_time', 'end_time', 'title', 'customer_id', 'customer_name'];
const TEXT = { type: 'string', display: true, defaultMatch: false, canBeUsedToMatch: false };
/** The fields that are no text. */
const KINDS: Record<string, object> = {
	start_time: { type: 'dateTime' },
	end_time: { type: 'dateTime' },
	price: { type: 'number' },
	recording_type: { type: 'options', options: { length: 3 } },
};

// The editor marks neither required fields nor that attendees are replaced.
// D2-RULE-03
test.each([
	['upsert', NEEDED],
	['sync', NEEDED],
	['update', NEEDED.slice(0, 2)],
])(
	'the fields for %s are required as the API requires them, start with those and the attendees, and a model fills them',
	async (operation, required) => {
		const ids = (fields: Array<{ id: string }>) => fields.map(({ id }) => id);
		const isShown = ({ removed }: { removed?: boolean }) => !removed;
		const fields = await fieldsOf(operation);
		expect(ids(fields.filter((field) => field.required))).toEqual(required);
		expect(ids(fields.filter(isShown))).toEqual([...required, 'attendee_emails']);
		for (const field of fields) expect(field).toMatchObject({ ...TEXT, ...KINDS[field.id] });
		const forModel = await fieldsOf(operation, TOOL);
		expect(ids(forModel.filter(isShown))).toEqual(required);
		expect(argumentsOf(forModel).map(({ key, type, defaultValue }) => [key, type, defaultValue])).toEqual(
			ids(fields).map((id) => [id, 'string', required.includes(id) ? undefined : '']),
		);
	},
);

test.each<[string, string, RegExp]>([
	['upsert', 'start_time', /^Start Time\. Required\. ISO 8601/],
	['upsert', 'customer_id', /^Customer ID\. Required\. Send every customer field/],
	['upsert', 'customer_email', /^Customer Email\. Send every customer field/],
	['upsert', 'event_id', / a known one is updated\.$/],
	['upsert', 'user_email', / whose appointment it is\.$/],
	['upsert', 'result', / An unknown one is created\.$/],
	['upsert', 'price', / Without currency, e\.g\. 1200\.5\.$/],
	['upsert', 'custom_fields', / A JSON object\.$/],
	['upsert', 'media_url', / Only without Attendee Emails\.$/],
	['upsert', 'location', / Needed with CALL_AUDIO_WITH_LOCATION\.$/],
	['update', 'start_time', /^Start Time\. Empty = unchanged\. ISO 8601/],
	['update', 'customer_id', /^Customer ID\. Empty = unchanged\. Send all customer fields or none/],
	['update', 'attendee_emails', /^Attendee Emails\. Empty = only the rep attends; an update needs it\. /],
	[
		'update',
		'recording_type',
		/^Recording Type\. .*: CALL_AUDIO, CALL_AUDIO_WITH_LOCATION, APPOINTMENT_AUDIO\.$/,
	],
	['update', 'type', /^Type\. Empty = unchanged\.$/],
])(
	'a model reads for %s of %s what is required and what an empty value does: %s',
	async (operation, field, text) => {
		const args = argumentsOf(await fieldsOf(operation, TOOL));
		expect(args.find(({ key }) => key === field)?.description).toMatch(text);
	},
);

test('Status offers the columns that the editor knows', async () => {
	const offered = async (columns: unknown) => {
		const getCurrentNodeParameter = (name: string) =>
			name === 'inputColumns' ? (columns as string[]) : undefined;
		return (await getInputColumns.call({ getCurrentNodeParameter })).results;
	};
	expect(await offered(['id', 'Visit Status'])).toEqual([
		{ name: 'id', value: 'id' },
		{ name: 'Visit Status', value: 'Visit Status' },
	]);
	expect(await offered(null)).toEqual([]);
});

const { description } = new ConversationIntelligenceAppointments();

const noticesOf = (operation: string, mappingMode: string) => {
	const values = { resource: 'appointment', operation, columns: { mappingMode } };
	const shown = description.properties.filter(
		(property) =>
			property.type === 'notice' && NodeHelpers.displayParameter(values, property, null, description),
	);
	return shown.map(({ displayName }) => displayName);
};

test('the panel says what is replaced, and with automatic mapping which columns count', () => {
	const columns = APPOINTMENT_FIELDS.map(({ id }) => id).join(', ');
	for (const operation of ['upsert', 'update', 'sync']) {
		const [replaced, ...others] = noticesOf(operation, 'defineBelow');
		expect(replaced).toContain('replaces all attendees');
		expect(others).toEqual([]);
		expect(noticesOf(operation, 'autoMapInputData')).toEqual([`Columns: ${columns}. ${replaced}`]);
	}
	for (const operation of ['delete', 'match']) expect(noticesOf(operation, 'defineBelow')).toEqual([]);
});
