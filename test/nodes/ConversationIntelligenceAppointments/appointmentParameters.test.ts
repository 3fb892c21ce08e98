import { NodeHelpers, traverseNodeParameters, type FromAIArgument, type INode } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/appointmentFields';
import {
	getAppointmentFields,
	getInputColumns,
} from '../../../nodes/ConversationIntelligenceAppointments/appointmentParameters';

const fieldsOf = async (operation: string, type = 'conversationIntelligenceAppointments') => {
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters: {} };
	const { fields } = await getAppointmentFields.call({
		getCurrentNodeParameter: (name) => (name === 'operation' ? operation : undefined),
		getNode: () => node,
	});
	return fields;
};
const TOOL = 'conversationIntelligenceAppointmentsTool';
const idsOf = (fields: Array<{ id: string }>) => fields.map(({ id }) => id);

const NEEDED = ['event_id', 'user_email', 'start_time', 'end_time', 'title', 'customer_id', 'customer_name'];
const TEXT = { type: 'string', display: true, defaultMatch: false, canBeUsedToMatch: false };
/** The fields that are no text. */
const KINDS: Record<string, object> = {
	start_time: { type: 'dateTime' },
	end_time: { type: 'dateTime' },
	price: { type: 'number' },
	recording_type: { type: 'options', options: { length: 3 } },
};
/** What a model reads of some fields: what is required and what an empty value does. */
const READ: Record<string, RegExp[]> = {
	upsert: [
		/^Start Time\. Required\. ISO 8601/,
		/^Customer ID\. Required\. Send every customer field/,
		/^Customer Email\. Send every customer field/,
		/ An unknown one is created\.$/,
		/^Custom Fields\. .* A JSON object\.$/,
		/ Needed with CALL_AUDIO_WITH_LOCATION\.$/,
	],
	update: [
		/^Start Time\. Empty = unchanged\. ISO 8601/,
		/^Customer ID\. Empty = unchanged\. Send all customer fields or none/,
		/^Attendee Emails\. Empty = only the rep attends; an update needs it\. /,
		/^Recording Type\. .*: CALL_AUDIO, CALL_AUDIO_WITH_LOCATION, APPOINTMENT_AUDIO\.$/,
		/^Type\. Empty = unchanged\.$/,
	],
	sync: [],
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
		const isShown = ({ removed }: { removed?: boolean }) => !removed;
		const fields = await fieldsOf(operation);
		expect(idsOf(fields.filter((field) => field.required))).toEqual(required);
		expect(idsOf(fields.filter(isShown))).toEqual([...required, 'attendee_emails']);
		for (const field of fields) expect(field).toMatchObject({ ...TEXT, ...KINDS[field.id] });
		const forModel = await fieldsOf(operation, TOOL);
		expect(idsOf(forModel.filter(isShown))).toEqual(required);
		const args: FromAIArgument[] = [];
		traverseNodeParameters(
			Object.fromEntries(forModel.map(({ id, defaultValue }) => [id, defaultValue])),
			args,
		);
		expect(args.map(({ key, type, defaultValue }) => [key, type, defaultValue])).toEqual(
			idsOf(fields).map((id) => [id, 'string', required.includes(id) ? undefined : '']),
		);
		const descriptions = args.map(({ description }) => description);
		for (const text of READ[operation]) expect(descriptions).toContainEqual(expect.stringMatching(text));
	},
);

test('Status offers the columns that the editor knows, except those that begin with "="', async () => {
	const offered = async (columns: string[] | null) => {
		const { results } = await getInputColumns.call({
			getCurrentNodeParameter: (name) => (name === 'inputColumns' ? columns : {}) as object,
		});
		return results;
	};
	const names = ['id', 'Visit Status'];
	expect(await offered(names)).toEqual(names.map((name) => ({ name, value: name })));
	expect(await offered(null)).toEqual([]);
	// n8n would run it as an expression.
	const [safe, note] = await offered(['id', '={{ $json.id }}']);
	expect([safe.value, note.name]).toEqual(['id', 'Not listed: 1, because a column begins with "="']);
});

test('the panel says what is replaced, and with automatic mapping which columns count; a model maps none itself', () => {
	const { description } = new ConversationIntelligenceAppointments();
	/** The names and modes of the notices and mappings that the panel shows. */
	const shownOf = (operation: string, mappingMode: string, name = description.name) => {
		const values = { resource: 'appointment', operation, columns: { mappingMode } };
		const shown = description.properties.filter((property) =>
			NodeHelpers.displayParameter(values, property, null, { ...description, name }),
		);
		const notices = shown.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);
		const mappers = shown.flatMap(({ typeOptions }) => typeOptions?.resourceMapper?.supportAutoMap ?? []);
		return [notices, mappers];
	};
	const columns = `Columns: ${APPOINTMENT_FIELDS.map(({ id }) => id).join(', ')}. `;
	const replaced = expect.stringMatching(/^Attendee Emails replaces all attendees/) as string;
	const withColumns = expect.stringContaining(`${columns}Attendee Emails replaces`) as string;
	for (const operation of ['upsert', 'update', 'sync']) {
		expect(shownOf(operation, 'defineBelow')).toEqual([[replaced], [true]]);
		expect(shownOf(operation, 'autoMapInputData')).toEqual([[withColumns], [true]]);
		expect(shownOf(operation, 'defineBelow', TOOL)).toEqual([[replaced], [false]]);
	}
	for (const operation of ['delete', 'match']) expect(shownOf(operation, 'defineBelow')).toEqual([[], []]);
});
