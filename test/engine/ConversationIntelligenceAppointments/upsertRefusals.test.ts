import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { automatic, byHand, CREATE, processingService } from './mapping';

describe('Create or Update', () => {
	const { service, run } = processingService();

	const noList = (given: string) => `Attendee Emails must be a list of email addresses (it is ${given})`;
	const MEDIA = { media_url: 'https://m.example.com/a' };
	// D2-BODY-01..03, D2-ERR-03, D2-ERR-06..09
	test.each<[string, IDataObject, INodeParameters, string, RegExp]>([
		['a missing owner', { user_email: '' }, {}, 'User Email is missing', /needs Event ID and User Email/],
		['a missing event ID', { event_id: '' }, {}, 'Event ID is missing', /needs Event ID/],
		[
			'an event ID that is none',
			{ event_id: 'null' },
			{},
			'Event ID must be an ID (it is "null")',
			/expression/,
		],
		[
			'a customer ID that is none',
			{ customer_id: 'NaN' },
			{},
			'Customer ID must be an ID (it is "NaN")',
			/expression/,
		],
		[
			'a blank attendee',
			{ attendee_emails: ['a@example.com', ' '] },
			{},
			noList('["a@example.com"," "]'),
			/without blank entries/,
		],
		[
			'a name without an address',
			{ attendee_emails: 'b@example.com, Bob' },
			{},
			'Attendee "Bob" is not an email address',
			/bob@example\.com/,
		],
		[
			'attendees with a recording',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'CALL_AUDIO' },
			{},
			'Attendee Emails and Media URL cannot be sent together',
			/Leave one of the two empty/,
		],
		[
			'a recording without its type',
			MEDIA,
			{},
			'Recording Type is missing',
			/A Media URL needs one of CALL_AUDIO/,
		],
		[
			'attendees with a recording of an unknown type',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'call' },
			{},
			'Attendee Emails and Recording Type cannot be sent',
			/Expected columns: attendee_emails, recording_type\. Columns of the input/,
		],
		[
			'attendees with a recording of a place that is missing',
			{ ...MEDIA, attendee_emails: 'b@example.com', recording_type: 'CALL_AUDIO_WITH_LOCATION' },
			{},
			'Attendee Emails and Location cannot be sent',
			/Expected columns: attendee_emails, location\. Columns of the input/,
		],
		[
			'an unknown recording type',
			{ ...MEDIA, recording_type: 'call' },
			{},
			'Recording Type must be one of CALL_AUDIO, APPOINTMENT_AUDIO, CALL_AUDIO_WITH_LOCATION (it is "call")',
			/CALL_AUDIO, APPOINTMENT_AUDIO/,
		],
		[
			'a missing location',
			{ ...MEDIA, recording_type: 'CALL_AUDIO_WITH_LOCATION' },
			{},
			'Location is missing',
			/CALL_AUDIO_WITH_LOCATION needs it/,
		],
		[
			'a formatted price',
			{ price: '$1,200.50' },
			{},
			'Price must be a number (it is "$1,200.50")',
			/1200\.5/,
		],
		[
			'a time without a date',
			{ start_time: '08:30' },
			{},
			'Start Time must be a date and time (it is "08:30")',
			/ISO date/,
		],
		[
			'a date that does not exist',
			{ end_time: '2026-02-30' },
			{},
			'End Time must be a date and time (it is "2026-02-30")',
			/ISO date/,
		],
		[
			'a number that JSON lacks',
			{ custom_fields: { share: NaN } },
			{},
			'Custom Fields must not contain NaN',
			/Correct the expression/,
		],
		[
			'a title that is a list',
			{ title: ['a'] },
			{},
			'Title must be text or a number (it is ["a"])',
			/single value/,
		],
		...['BST', 'IST', 'EST', 'local'].map(
			(timeZone): [string, IDataObject, INodeParameters, string, RegExp] => [
				`the abbreviation ${timeZone} as time zone`,
				{},
				{ options: { timeZone } },
				`Time Zone must be the IANA name of a time zone (it is "${timeZone}")`,
				/Europe\/Berlin/,
			],
		),
		[
			'an unknown time zone',
			{},
			{ options: { timeZone: 'Mars/Olympus' } },
			'Time Zone must be the IANA name of a time zone (it is "Mars/Olympus")',
			/IANA name/,
		],
		[
			'a new appointment without a customer',
			{ customer_id: '', customer_name: '' },
			{},
			'Customer ID and Customer Name are missing',
			/^To change an existing appointment, choose the Update operation: it needs only Event ID and User Email\. Expected/,
		],
		[
			'a new appointment with missing fields',
			{ title: '', customer_name: null, start_time: '' },
			{},
			'Start Time, Title and Customer Name are missing',
			/^To change an existing appointment, choose the Update operation: .* A customer needs its ID and name/,
		],
		[
			'several fields at once',
			{ title: '', price: 'x', start_time: 'soon' },
			{},
			'Start Time, Price and Title cannot be sent',
			/^Start Time must be .*"soon"\)\. .*Price must be a number \(it is "x"\)\. .*Title is missing\./,
		],
	])(
		'refuses %s before anything is sent, naming the field and the item',
		async (_name, change, parameters, message, advice) => {
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
