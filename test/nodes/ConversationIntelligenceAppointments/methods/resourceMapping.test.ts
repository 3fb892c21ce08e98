import { traverseNodeParameters, type FromAIArgument, type INode } from 'n8n-workflow';
import { getAppointmentFields } from '../../../../nodes/ConversationIntelligenceAppointments/methods/resourceMapping';

const fieldsOf = async (operation: string, type = 'conversationIntelligenceAppointments') => {
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters: {} };
	const { fields } = await getAppointmentFields.call({
		getCurrentNodeParameter: (name) => (name === 'operation' ? operation : undefined),
		getNode: () => node,
	});
	return fields;
};

const ALWAYS = ['event_id', 'user_email'];
const NEEDED: Array<[string, string[]]> = [
	['upsert', [...ALWAYS, 'start_time', 'end_time', 'title', 'customer_id', 'customer_name']],
	['update', ALWAYS],
];

describe('The fields of an appointment in the resource mapper', () => {
	// D2-RULE-03
	test.each(NEEDED)('are required as the API requires them for %s', async (operation, required) => {
		const fields = await fieldsOf(operation);
		expect(fields.filter((field) => field.required).map(({ id }) => id)).toEqual(required);
	});

	test('are shown, never match existing records, and offer the values of a list', async () => {
		const fields = await fieldsOf('upsert');
		expect(fields.find(({ id }) => id === 'title')).toEqual({
			id: 'title',
			displayName: 'Title',
			type: 'string',
			required: true,
			display: true,
			defaultMatch: false,
			canBeUsedToMatch: false,
		});
		const lists = fields.flatMap(({ id, options }) => (options ? [[id, options]] : []));
		const types = [
			{ name: 'Dialer Call', value: 'CALL_AUDIO' },
			{ name: 'Dialer Call with Location', value: 'CALL_AUDIO_WITH_LOCATION' },
			{ name: 'In-Person Appointment', value: 'APPOINTMENT_AUDIO' },
		];
		expect(lists).toEqual([['recording_type', types]]);
	});

	// D2-APPT-01..15, D2-CUSTOMER-01..05
	test('have labels and types for the editor, and are empty', async () => {
		const fields = await fieldsOf('upsert');
		expect(fields.map(({ defaultValue }) => defaultValue)).toEqual(fields.map(() => undefined));
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['event_id', 'Event ID', 'string'],
			['user_email', 'User Email', 'string'],
			['start_time', 'Start Time', 'dateTime'],
			['end_time', 'End Time', 'dateTime'],
			['title', 'Title', 'string'],
			['customer_id', 'Customer ID', 'string'],
			['customer_name', 'Customer Name', 'string'],
			['customer_email', 'Customer Email', 'string'],
			['customer_phone', 'Customer Phone', 'string'],
			['customer_address', 'Customer Address', 'string'],
			['attendee_emails', 'Attendee Emails', 'string'],
			['result', 'Result', 'string'],
			['type', 'Type', 'string'],
			['price', 'Price', 'number'],
			['lead_source', 'Lead Source', 'string'],
			// Not an object: the editor marks its empty value as wrong.
			['custom_fields', 'Custom Fields', 'string'],
			['media_url', 'Media URL', 'string'],
			['recording_type', 'Recording Type', 'options'],
			['location', 'Location', 'string'],
		]);
	});

	describe('of a tool', () => {
		const offered = async (operation: string) => {
			const fields = await fieldsOf(operation, 'conversationIntelligenceAppointmentsTool');
			const args: FromAIArgument[] = [];
			traverseNodeParameters(
				Object.fromEntries(fields.map(({ id, defaultValue }) => [id, defaultValue])),
				args,
			);
			return { ids: fields.map(({ id }) => id), args };
		};

		test('are filled by the model, each under its own name', async () => {
			const { ids, args } = await offered('upsert');
			expect(args.map(({ key, type }) => [key, type])).toEqual(ids.map((id) => [id, 'string']));
		});

		test.each(NEEDED)('can be left out by the model unless %s requires them', async (operation, required) => {
			const { args } = await offered(operation);
			const needed = args.filter(({ defaultValue }) => defaultValue === undefined);
			expect(needed.map(({ key }) => key)).toEqual(required);
			const left = args.filter(({ key }) => !required.includes(key));
			expect(new Set(left.map(({ defaultValue }) => defaultValue))).toEqual(new Set(['']));
		});

		test.each([
			[
				'upsert',
				{
					start_time: 'Start Time. Required. ISO 8601 with an offset, e.g. 2026-03-01T08:30:00+01:00.',
					customer_id: 'Customer ID. Required. Send every customer field you know.',
					customer_email: 'Customer Email. Send every customer field you know.',
				},
			],
			[
				'update',
				{
					start_time:
						'Start Time. Empty = unchanged. ISO 8601 with an offset, e.g. 2026-03-01T08:30:00+01:00.',
					customer_id: 'Customer ID. Empty = unchanged. Send all customer fields or none.',
					customer_email: 'Customer Email. Empty = unchanged. Send all customer fields or none.',
				},
			],
		])(
			'say for %s what is required, which dates are read and what an empty value does',
			async (operation, expected) => {
				const { args } = await offered(operation);
				expect(Object.fromEntries(args.map(({ key, description }) => [key, description]))).toMatchObject({
					event_id: "Event ID. Required. Your system's ID; a known one is updated.",
					user_email: 'User Email. Required. Email of the rep who owns the appointment.',
					result: 'Result. Empty = unchanged. Outcome; an unknown one is created.',
					type: 'Type. Empty = unchanged.',
					price: 'Price. Empty = unchanged. Without currency, e.g. 1200.5.',
					lead_source: 'Lead Source. Empty = unchanged.',
					custom_fields: 'Custom Fields. Empty = unchanged. A JSON object.',
					media_url: 'Media URL. Empty = unchanged. Recording to ingest. Only without Attendee Emails.',
					recording_type:
						'Recording Type. Empty = unchanged. Needed with Media URL: CALL_AUDIO, APPOINTMENT_AUDIO, CALL_AUDIO_WITH_LOCATION.',
					location: 'Location. Empty = unchanged. Needed with CALL_AUDIO_WITH_LOCATION.',
					attendee_emails:
						'Attendee Emails. Empty = only the owner attends. Emails of everyone who attends, separated by commas. Replaces the list.',
					...expected,
				});
			},
		);
	});
});
