import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { automatic, byHand, CREATE, processingService } from './mapping';

describe('Create or Update', () => {
	const { service, run } = processingService();

	const MEDIA = { media_url: 'https://m.example.com/a' };
	const LOCATED = { ...MEDIA, recording_type: 'CALL_AUDIO_WITH_LOCATION' };
	const UPDATE = { operation: 'update' };
	const NO_CUSTOMER = { customer_id: '', customer_name: '' };
	const NO_PART =
		/^A customer needs its ID and name: fill both, or leave all customer fields empty\. Expected columns/;
	const CREATES = 'To change an existing appointment, choose the Update operation: it needs only Event ID';

	// D2-BODY-01, D2-BODY-03, D2-ERR-03..04, D2-ERR-06..07, D2-ERR-09, D2-APPT-12, D2-CUSTOMER-01..02
	test.each<[string, IDataObject, string, RegExp, INodeParameters?]>([
		['a missing owner', { user_email: '' }, 'User Email is missing', /needs Event ID and User Email/],
		['a missing event ID', { event_id: '' }, 'Event ID is missing', /needs Event ID/],
		['an event ID that is none', { event_id: 'null' }, 'Event ID must be an ID (it is "null")', /expression/],
		[
			'a customer ID that is none',
			{ customer_id: 'NaN' },
			'Customer ID must be an ID (it is "NaN")',
			/expression/,
		],
		[
			'attendees with a recording',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'CALL_AUDIO' },
			'Attendee Emails and Media URL cannot be sent together',
			/Leave one of the two empty/,
		],
		[
			'a recording without its type',
			MEDIA,
			'Recording Type is missing',
			/A Media URL needs one of CALL_AUDIO/,
		],
		[
			'attendees with a recording of an unknown type',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'call' },
			'Attendee Emails and Recording Type cannot be sent',
			/Expected columns: attendee_emails, recording_type\. Columns of the input/,
		],
		[
			'attendees with a recording of a place that is missing',
			{ ...LOCATED, attendee_emails: 'b@example.com' },
			'Attendee Emails and Location cannot be sent',
			/Expected columns: attendee_emails, location\. Columns of the input/,
		],
		[
			'an unknown recording type',
			{ ...MEDIA, recording_type: 'call' },
			'Recording Type must be one of CALL_AUDIO, APPOINTMENT_AUDIO, CALL_AUDIO_WITH_LOCATION (it is "call")',
			/CALL_AUDIO, APPOINTMENT_AUDIO/,
		],
		['a missing location', LOCATED, 'Location is missing', /CALL_AUDIO_WITH_LOCATION needs it/],
		[
			'a number that JSON lacks',
			{ custom_fields: { share: NaN } },
			'Custom Fields must not contain NaN',
			/Correct the expression/,
		],
		[
			'a title that is a list',
			{ title: ['a'] },
			'Title must be text or a number (it is ["a"])',
			/single value/,
		],
		// Its other names are those of test/unit/shared/time/appointmentTime.test.ts.
		[
			'the abbreviation EST as time zone',
			{},
			'Time Zone must be the IANA name of a time zone (it is "EST")',
			/Europe\/Berlin/,
			{ options: { timeZone: 'EST' } },
		],
		[
			'a new appointment without a customer',
			NO_CUSTOMER,
			'Customer ID and Customer Name are missing',
			new RegExp(`^${CREATES} and User Email\\. Expected`),
		],
		[
			'a new appointment with missing fields',
			{ title: '', customer_name: null, start_time: '' },
			'Start Time, Title and Customer Name are missing',
			new RegExp(`^${CREATES}.* A customer needs its ID and name`),
		],
		[
			'several fields at once',
			{ title: '', price: 'x', start_time: 'soon' },
			'Start Time, Price and Title cannot be sent',
			/^Start Time must be .*"soon"\)\. .*Price must be a number \(it is "x"\)\. .*Title is missing\./,
		],
		[
			'an update of one field of the customer',
			{ ...NO_CUSTOMER, customer_phone: '555' },
			'Customer ID and Customer Name are missing',
			NO_PART,
			UPDATE,
		],
		[
			'an update of a nested customer',
			{ ...NO_CUSTOMER, customer: { email: 'c@example.com' } },
			'Customer ID and Customer Name are missing',
			NO_PART,
			UPDATE,
		],
		[
			"an update with the customer's ID alone",
			{ customer_name: '' },
			'Customer Name is missing',
			NO_PART,
			UPDATE,
		],
		[
			"an update with the customer's name alone",
			{ customer_id: '' },
			'Customer ID is missing',
			NO_PART,
			UPDATE,
		],
		[
			"an update without an event ID or the customer's name",
			{ event_id: '', customer_name: '' },
			'Event ID and Customer Name are missing',
			/^Every request needs Event ID and User Email\. A customer needs its ID and name: fill both/,
			UPDATE,
		],
	])(
		'refuses %s before anything is sent, naming the field and the item',
		async (_name, change, message, advice, parameters = {}) => {
			const result = await run(automatic(parameters), CREATE, { ...CREATE, ...change });
			const { event_id: eventId = 'crm-1' } = change;
			const id = eventId === '' ? '' : ` (Event ID ${JSON.stringify(eventId)})`;
			// An option applies to every item, so both are unusable.
			const isOption = Object.keys(change).length === 0;
			expect(result.error?.message).toBe(
				isOption ? `2 of 2 items cannot be used: ${message} (Event ID "crm-1")` : `${message}${id}`,
			);
			expect(result.error?.description).toMatch(advice);
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
				'To change an existing appointment, choose the Update operation: it needs only Event ID and User Email. ' +
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
				'Event ID is missing. Every request needs Event ID and User Email.',
		);
	});
});
