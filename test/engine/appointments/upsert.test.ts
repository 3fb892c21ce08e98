import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';
import { automatic, byHand, CREATE, items, SENT } from './mapping';

describe('Appointment: Create or Update', () => {
	let service: ScriptedServer;
	let engine: Engine;

	beforeAll(async () => {
		service = await ScriptedServer.start();
		engine = await createEngine({ crmAppointmentApi: { baseUrl: `${service.url}/crm/`, apiKey: 'key-1' } });
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.answer(() => ({ status: 200, body: 'Processed' })));

	test('[D2-APPT-07] [D2-CUSTOMER-01..05] maps by hand, nests the customer and sends times in UTC', async () => {
		const run = await engine.runNode('crmAppointment', byHand(CREATE));
		expect(run.error).toBeUndefined();
		expect(service.seen.map(({ body }) => body)).toEqual([SENT]);
		expect(service.seen[0]).toMatchObject({
			method: 'POST',
			url: '/crm/custom/appointment',
			headers: { 'x-api-key': 'key-1', accept: 'text/plain', 'content-type': 'application/json' },
		});
		expect(service.seen[0].headers.authorization).toBeUndefined();
		expect(run.items).toEqual([
			{
				json: {
					event_id: 'crm-1',
					user_email: 'ana@example.com',
					status: 200,
					answer: 'Processed',
					sent: SENT,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('maps automatically, with the customer flat or nested, and tells which columns it does not know', async () => {
		const { customer_id, customer_name, ...rest } = CREATE;
		const nested = { ...rest, customer: { id: customer_id, name: customer_name, phone: '' }, stage: 'won' };
		const run = await engine.runNode('crmAppointment', automatic(), { input: items(nested, CREATE) });
		expect(run.error).toBeUndefined();
		expect(service.seen.map(({ body }) => body)).toEqual([SENT, SENT]);
		expect(run.hints.map(({ message }) => message).join()).toContain('stage');
	});

	test('[D2-APPT-01..15] [D2-CUSTOMER-01..05] sends every field of the document', async () => {
		const texts = { result: 'Sold', type: 'Visit', lead_source: 'Web', location: 'Denver' };
		const customer = { email: 'c@example.com', phone: '555', address: '1 Main St' };
		const row = {
			...CREATE,
			...texts,
			attendee_emails: ['b@example.com'],
			price: 12.5,
			recording_type: 'CALL_AUDIO',
			custom_fields: { a: 1 },
			customer_email: customer.email,
			customer_phone: customer.phone,
			customer_address: customer.address,
		};
		await engine.runNode('crmAppointment', automatic(), {
			input: items(row, { ...row, attendee_emails: [], media_url: 'https://media.example.com/a.mp3' }),
		});
		const expected = {
			...SENT,
			...texts,
			attendee_emails: ['b@example.com'],
			price: 12.5,
			recording_type: 'CALL_AUDIO',
			custom_fields: { a: 1 },
			customer: { ...SENT.customer, ...customer },
		};
		expect(service.seen.map(({ body }) => body)).toEqual([
			expected,
			{ ...expected, attendee_emails: [], media_url: 'https://media.example.com/a.mp3' },
		]);
	});

	test('evaluates expressions of the mapping for each item', async () => {
		const value = {
			event_id: '={{ $json.id }}',
			user_email: 'ana@example.com',
			result: '={{ $json.outcome }}',
		};
		await engine.runNode('crmAppointment', byHand(value, { writeMode: 'update' }), {
			input: items({ id: 'a', outcome: 'Sold' }, { id: 7, outcome: null }),
		});
		expect(service.seen.map(({ body }) => body)).toEqual([
			{ event_id: 'a', user_email: 'ana@example.com', result: 'Sold' },
			{ event_id: '7', user_email: 'ana@example.com' },
		]);
	});

	test('[D2-RULE-03] sends only what was set: empty text, null and blanks leave a field out; clearing is a choice', async () => {
		const value = {
			event_id: 'crm-1',
			user_email: 'ana@example.com',
			title: '',
			result: '  ',
			price: null,
			customer_phone: '',
			lead_source: '',
			attendee_emails: '',
			custom_fields: '',
		};
		await engine.runNode('crmAppointment', byHand(value, { writeMode: 'update' }));
		await engine.runNode(
			'crmAppointment',
			byHand(value, { writeMode: 'update', options: { sendEmpty: ['lead_source'] } }),
		);
		expect(service.seen.map(({ body }) => body)).toEqual([
			{ event_id: 'crm-1', user_email: 'ana@example.com' },
			{ event_id: 'crm-1', user_email: 'ana@example.com', lead_source: '' },
		]);
	});

	test.each<[string, IDataObject, INodeParameters, unknown]>([
		[
			'a list',
			{ attendee_emails: ['b@example.com', ' c@example.com'] },
			{},
			['b@example.com', 'c@example.com'],
		],
		[
			'JSON',
			{ attendee_emails: '["b@example.com", "c@example.com"]' },
			{},
			['b@example.com', 'c@example.com'],
		],
		['text', { attendee_emails: 'b@example.com, c@example.com,' }, {}, ['b@example.com', 'c@example.com']],
		['one address', { attendee_emails: 'b@example.com' }, {}, ['b@example.com']],
		['an explicit empty list', { attendee_emails: [] }, {}, []],
		['Owner Only', { attendee_emails: 'b@example.com' }, { attendees: 'ownerOnly' }, []],
		['Leave Out', { attendee_emails: 'b@example.com' }, { attendees: 'omit' }, undefined],
		['blank text', { attendee_emails: ' , ' }, {}, undefined],
	])('takes attendees as %s', async (_name, column, parameters, expected) => {
		for (const mapped of [byHand({ ...CREATE, ...column }, parameters), automatic(parameters)]) {
			service.answer(() => ({ status: 200 }));
			const run = await engine.runNode('crmAppointment', mapped, { input: items({ ...CREATE, ...column }) });
			expect(run.error).toBeUndefined();
			expect(service.seen[0].body?.attendee_emails).toEqual(expected);
		}
	});

	test('[D2-APPT-11..13] sends a recording when the switch is on, and from an input that has one', async () => {
		const recording = {
			media_url: 'https://media.example.com/a.mp3?sig=1%2F2',
			recording_type: 'CALL_AUDIO_WITH_LOCATION',
			location: 'Denver',
		};
		await engine.runNode('crmAppointment', byHand({ ...CREATE, ...recording }, { withRecording: true }));
		await engine.runNode('crmAppointment', byHand({ ...CREATE, ...recording }));
		await engine.runNode('crmAppointment', automatic(), { input: items({ ...CREATE, ...recording }) });
		expect(service.seen.map(({ body }) => body)).toEqual([
			{ ...SENT, ...recording },
			SENT,
			{ ...SENT, ...recording },
		]);
	});

	test('[D2-APPT-15] joins custom fields of the mapping and pairs', async () => {
		const run = await engine.runNode(
			'crmAppointment',
			byHand(
				{ ...CREATE, custom_fields: '{"region": "north", "size": 3}', price: '1200.50' },
				{
					customFields: {
						pairs: [
							{ name: 'size', value: '={{ 2 + 2 }}' },
							{ name: 'note', value: '' },
						],
					},
				},
			),
		);
		expect(run.error).toBeUndefined();
		expect(service.seen[0].body).toEqual({
			...SENT,
			custom_fields: { region: 'north', size: 4 },
			price: 1200.5,
		});
	});

	test("reads times without an offset in the workflow's time zone or the one of the options", async () => {
		const value = { ...CREATE, start_time: '2026-07-01 09:00:00', end_time: '2026-07-01T10:00' };
		const zones = [byHand(value), byHand(value, { options: { timeZone: 'UTC' } })];
		for (const mapped of zones) await engine.runNode('crmAppointment', mapped, { timezone: 'Europe/Berlin' });
		expect(service.seen.map(({ body }) => [body?.start_time, body?.end_time])).toEqual([
			['2026-07-01 07:00:00', '2026-07-01 08:00:00'],
			['2026-07-01 09:00:00', '2026-07-01 10:00:00'],
		]);
	});

	test('shows what it would send without sending it', async () => {
		const run = await engine.runNode('crmAppointment', byHand(CREATE, { options: { previewOnly: true } }));
		expect(run.items[0].json).toEqual({
			event_id: 'crm-1',
			user_email: 'ana@example.com',
			preview: true,
			sent: SENT,
		});
		expect(service.seen).toEqual([]);
	});
});
