import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';
import { automatic, CREATE, items } from './mapping';

describe('Appointment: Create or Update', () => {
	let service: ScriptedServer;
	let engine: Engine;

	beforeAll(async () => {
		service = await ScriptedServer.start();
		engine = await createEngine({ crmAppointmentApi: { baseUrl: `${service.url}/crm/`, apiKey: 'key-1' } });
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.answer(() => ({ status: 200, body: 'Processed' })));

	test.each<[string, IDataObject, INodeParameters, string | RegExp]>([
		['no owner', { user_email: '' }, {}, 'user_email must be a non-empty string'],
		['an owner that is no text', { user_email: 5 }, {}, 'user_email must be a non-empty string'],
		['no event ID', { event_id: '' }, {}, 'event_id is required'],
		[
			'a blank attendee',
			{ attendee_emails: ['a@example.com', ' '] },
			{},
			'attendee_emails must be an array of non-empty strings',
		],
		[
			'an attendee that is no text',
			{ attendee_emails: [5] },
			{},
			'attendee_emails must be an array of non-empty strings',
		],
		[
			'broken JSON as attendees',
			{ attendee_emails: '["a@example.com"' },
			{},
			'attendee_emails must be an array of non-empty strings',
		],
		[
			'attendees as an object',
			{ attendee_emails: { a: 1 } },
			{},
			'attendee_emails must be an array of non-empty strings',
		],
		[
			'attendees with a recording',
			{
				attendee_emails: 'b@example.com',
				media_url: 'https://m.example.com/a',
				recording_type: 'CALL_AUDIO',
			},
			{},
			'attendee_emails cannot be combined with media_url',
		],
		[
			'a recording without its type',
			{ media_url: 'https://m.example.com/a' },
			{},
			'recording_type is required with media_url',
		],
		[
			'an unknown recording type',
			{ media_url: 'https://m.example.com/a', recording_type: 'call' },
			{},
			/recording_type must be one of CALL_AUDIO/,
		],
		[
			'a missing location',
			{ media_url: 'https://m.example.com/a', recording_type: 'CALL_AUDIO_WITH_LOCATION' },
			{},
			'location is required when recording_type is CALL_AUDIO_WITH_LOCATION',
		],
		['a formatted price', { price: '$1,200.50' }, {}, /price must be a number.*"\$1,200\.50"/],
		['a time without a date', { start_time: '08:30' }, {}, /start_time is "08:30"/],
		['a date without meaning', { end_time: '2026-02-30' }, {}, /end_time is "2026-02-30"/],
		['custom fields that are a list', { custom_fields: '[1]' }, {}, /custom_fields must be an object/],
		['a title that is a list', { title: ['a'] }, {}, /title must be text/],
		[
			'an unknown zone',
			{},
			{ options: { timeZone: 'Mars/Olympus' } },
			/Time Zone "Mars\/Olympus" is unknown/,
		],
		[
			'a missing customer of a create',
			{ customer_id: '', customer_name: '' },
			{},
			/^customer_id and customer_name are required on create\. Supply .*Update Only/,
		],
		[
			'missing fields of a create',
			{ title: '', customer_name: null, start_time: '' },
			{},
			/start_time is required on create; title is required on create; Customer Name \(customer_name\) is required .*\. Supply .*Update Only/,
		],
	])(
		'[D2-BODY-01..03] [D2-ERR-03] [D2-ERR-06..09] refuses %s, naming the field and the item, before anything is sent',
		async (_name, change, parameters, message) => {
			const run = await engine.runNode('crmAppointment', automatic(parameters), {
				input: items(CREATE, { ...CREATE, ...change }),
			});
			expect(run.error?.message).toMatch(message);
			// An option of the node concerns each item, so the first one reports it.
			expect(run.error?.message).toMatch(Object.keys(change).length > 0 ? /\[Item 1\]$/ : /\[Item 0\]$/);
			expect(service.seen).toEqual([]);
		},
	);
});
