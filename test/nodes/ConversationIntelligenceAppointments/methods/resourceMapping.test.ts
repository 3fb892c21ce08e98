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

	// The editor marks neither required fields nor that attendees are replaced.
	test.each(NEEDED)('start for %s with the required ones and the attendees', async (operation, required) => {
		const fields = await fieldsOf(operation);
		const shown = fields.filter(({ removed }) => !removed).map(({ id }) => id);
		expect(shown).toEqual([...required, 'attendee_emails']);
	});

	test('are shown, and never match existing records', async () => {
		const fields = await fieldsOf('upsert');
		expect(fields.find(({ id }) => id === 'title')).toEqual({
			id: 'title',
			displayName: 'Title',
			type: 'string',
			required: true,
			display: true,
			removed: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
		});
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

		test.each(NEEDED)('start for %s with the required ones alone', async (operation, required) => {
			const fields = await fieldsOf(operation, 'conversationIntelligenceAppointmentsTool');
			expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(required);
		});

		test.each(NEEDED)(
			'are filled by the model, and can be left out unless %s requires them',
			async (operation, required) => {
				const { ids, args } = await offered(operation);
				expect(args.map(({ key, type }) => [key, type])).toEqual(ids.map((id) => [id, 'string']));
				const needed = args.filter(({ defaultValue }) => defaultValue === undefined);
				expect(needed.map(({ key }) => key)).toEqual(required);
				const left = args.filter(({ key }) => !required.includes(key));
				expect(new Set(left.map(({ defaultValue }) => defaultValue))).toEqual(new Set(['']));
			},
		);

		test.each<[string, Record<string, RegExp>]>([
			[
				'upsert',
				{
					start_time: /^Start Time\. Required\. ISO 8601/,
					customer_id: /^Customer ID\. Required\. Send every customer field/,
					customer_email: /^Customer Email\. Send every customer field/,
				},
			],
			[
				'update',
				{
					start_time: /^Start Time\. Empty = unchanged\. ISO 8601/,
					customer_id: /^Customer ID\. Empty = unchanged\. Send all customer fields or none/,
					attendee_emails: /^Attendee Emails\. Empty = only the owner attends; an update needs it\. /,
					recording_type: /: CALL_AUDIO, CALL_AUDIO_WITH_LOCATION, APPOINTMENT_AUDIO\.$/,
					type: /^Type\. Empty = unchanged\.$/,
				},
			],
		])('say for %s what is required and what an empty value does', async (operation, expected) => {
			const { args } = await offered(operation);
			for (const [field, text] of Object.entries(expected)) {
				expect(args.find(({ key }) => key === field)?.description).toMatch(text);
			}
		});
	});
});
