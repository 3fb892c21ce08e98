import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { automatic, byHand, CREATE, processingService } from './mapping';

describe('Create or Update', () => {
	const { service, run } = processingService();

	const MEDIA = { media_url: 'https://m.example.com/a' };
	const LOCATED = { ...MEDIA, recording_type: 'CALL_AUDIO_WITH_LOCATION' };
	const UPDATE = { operation: 'update' };
	const NO_CUSTOMER = { customer_id: '', customer_name: '' };
	const NO_PART = { 'Customer ID': 'customer_field_missing', 'Customer Name': 'customer_field_missing' };

	// D2-BODY-01, D2-BODY-03, D2-ERR-03..04, D2-ERR-06..07, D2-ERR-09, D2-APPT-12, D2-CUSTOMER-01..02
	test.each<[string, IDataObject, Record<string, string>, INodeParameters?]>([
		['a missing owner', { user_email: '' }, { 'User Email': 'field_missing' }],
		['a missing event ID', { event_id: '' }, { 'Event ID': 'field_missing' }],
		['an event ID that is none', { event_id: 'null' }, { 'Event ID': 'value_invalid' }],
		['a customer ID that is none', { customer_id: 'NaN' }, { 'Customer ID': 'value_invalid' }],
		['a result that names nothing', { result: ' Undefined ' }, { Result: 'placeholder_refused' }],
		['a type that names nothing', { type: 'null' }, { Type: 'placeholder_refused' }],
		[
			'a lead source that is no text',
			{ lead_source: '[object Object]' },
			{ 'Lead Source': 'placeholder_refused' },
		],
		['an attendee that is no address', { attendee_emails: 'bob' }, { 'Attendee Emails': 'attendee_invalid' }],
		['an owner that is no address', { user_email: 'bob' }, { 'User Email': 'owner_invalid' }],
		[
			'attendees with a recording',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'CALL_AUDIO' },
			{ 'Attendee Emails': 'attendees_with_media' },
		],
		['a recording without its type', MEDIA, { 'Recording Type': 'recording_type_missing' }],
		[
			'attendees with a recording of an unknown type',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'call' },
			{ 'Attendee Emails': 'attendees_with_media', 'Recording Type': 'value_invalid' },
		],
		[
			'attendees with a recording of a place that is missing',
			{ ...LOCATED, attendee_emails: 'b@example.com' },
			{ 'Attendee Emails': 'attendees_with_media', Location: 'location_missing' },
		],
		[
			'an unknown recording type',
			{ ...MEDIA, recording_type: 'call' },
			{ 'Recording Type': 'value_invalid' },
		],
		['a missing location', LOCATED, { Location: 'location_missing' }],
		['a number that JSON lacks', { custom_fields: { share: NaN } }, { 'Custom Fields': 'number_impossible' }],
		['a title that is a list', { title: ['a'] }, { Title: 'value_invalid' }],
		// Its other names are those of test/nodes/shared/time/appointmentTime.test.ts.
		[
			'the abbreviation EST as time zone',
			{},
			{ 'Time Zone': 'value_invalid' },
			{ options: { timeZone: 'EST' } },
		],
		[
			'a new appointment without a customer',
			NO_CUSTOMER,
			{ 'Customer ID': 'new_field_missing', 'Customer Name': 'new_field_missing' },
		],
		[
			'a new appointment with missing fields',
			{ title: '', customer_name: null, start_time: '' },
			{
				'Start Time': 'new_field_missing',
				Title: 'new_field_missing',
				'Customer Name': 'customer_field_missing',
			},
		],
		[
			'several fields at once',
			{ title: '', price: 'x', start_time: 'soon' },
			{ 'Start Time': 'value_invalid', Price: 'value_invalid', Title: 'new_field_missing' },
		],
		['an update of one field of the customer', { ...NO_CUSTOMER, customer_phone: '555' }, NO_PART, UPDATE],
		[
			'an update of a nested customer',
			{ ...NO_CUSTOMER, customer: { email: 'c@example.com' } },
			NO_PART,
			UPDATE,
		],
		[
			"an update with the customer's ID alone",
			{ customer_name: '' },
			{ 'Customer Name': 'customer_field_missing' },
			UPDATE,
		],
		[
			"an update with the customer's name alone",
			{ customer_id: '' },
			{ 'Customer ID': 'customer_field_missing' },
			UPDATE,
		],
		[
			"an update without an event ID or the customer's name",
			{ event_id: '', customer_name: '' },
			{ 'Event ID': 'field_missing', 'Customer Name': 'customer_field_missing' },
			UPDATE,
		],
	])(
		'refuses %s before anything is sent, naming the field and the item',
		async (_name, change, refused, parameters = {}) => {
			const { error } = await run(automatic(parameters), CREATE, { ...CREATE, ...change });
			const causes = Object.entries(refused).map(([field, code]) => ({ code, field }));
			const { event_id: eventId = 'crm-1' } = change;
			expect(error?.context?.details).toEqual({
				...(causes.length > 1 ? { code: 'fields_refused', causes } : causes[0]),
				retryable: false,
				...(eventId !== '' && { eventId }),
			});
			expect(service.seen).toEqual([]);
		},
	);

	test('keeps the headline short, lists everything missing and names the columns of the input', async () => {
		const { error } = await run(automatic(), {
			id: 'crm-1',
			owner: 'ana@example.com',
			title: 'Roof inspection',
		});
		expect(error?.message).toBe('Event ID and 5 more fields are missing');
		expect(error?.description).toBe(
			'Missing: Event ID, User Email, Start Time, End Time, Customer ID, Customer Name. ' +
				'Every request needs it: check the expression that returns it. ' +
				'To change an existing appointment, choose the Update operation and send everyone who should attend: it removes the others. ' +
				'Expected columns: event_id, user_email, start_time, end_time, customer_id, customer_name. Columns of the input: id, owner, title.',
		);
	});

	test('says that an input has no columns', async () => {
		const { error } = await run(automatic(), {});
		expect(error?.description).toMatch(/Columns of the input: none\.$/);
	});

	test('does not mention columns when the fields are mapped by hand', async () => {
		const { error } = await run(byHand({ ...CREATE, event_id: '', price: 'x' }));
		expect(error?.message).toBe('Price and Event ID cannot be sent');
		expect(error?.description).toBe(
			'Price must be a number (it is "x"). Use a number such as 1200.5, without currency or thousands separators. ' +
				'Missing: Event ID. Every request needs it: check the expression that returns it.',
		);
	});
});
