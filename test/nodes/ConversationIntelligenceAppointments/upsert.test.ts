import type { INodeParameters } from 'n8n-workflow';
import { mappedByHand } from '../../support/columns';
import { automatic, byHand, CREATE, OWNER, processingService, REPORTED, SENT } from './mapping';

describe('Create or Update', () => {
	const { service, run, bodies } = processingService();

	// D2-APPT-07, D2-CUSTOMER-01..05
	test('nests the customer and sends times in UTC when fields are mapped by hand', async () => {
		const result = await run(byHand(CREATE));
		expect(result.error).toBeUndefined();
		expect(bodies()).toEqual([SENT]);
		const json = { ...OWNER, status: 200, response: 'Processed', sent: REPORTED, warnings: [] };
		expect(result.items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	test('shows what it would send without sending it', async () => {
		const result = await run(byHand(CREATE, { options: { previewOnly: true } }));
		expect(result.items[0].json).toEqual({ ...OWNER, preview: true, sent: REPORTED, warnings: [] });
		expect(service.seen).toEqual([]);
	});

	test('maps a flat or nested customer automatically, and empty flat text never replaces a nested value', async () => {
		const { customer_id, customer_name, ...rest } = CREATE;
		const customer = { id: customer_id, name: customer_name, phone: '1' };
		const nested = { ...rest, customer };
		const result = await run(
			automatic({ options: { concurrency: 1 } }),
			{ ...nested, event_id: 'a' },
			{ ...CREATE, event_id: 'b' },
			{ ...nested, event_id: 'c', customer_phone: '', customer_name: ' ' },
			{ ...nested, event_id: 'd', customer_phone: '2' },
		);
		expect(result.error).toBeUndefined();
		expect(bodies().map((body) => [body?.event_id, body?.customer])).toEqual([
			['a', customer],
			['b', SENT.customer],
			['c', customer],
			['d', { ...customer, phone: '2' }],
		]);
	});

	test('finds columns by the labels of the panel, unless one has the name of the field', async () => {
		const { event_id, user_email, title, ...rest } = CREATE;
		const labelled = { ...rest, 'Event - ID': event_id, rep_email: user_email, Title: title, Outcome: 'Won' };
		await run(automatic(), labelled);
		await run(byHand({ ...labelled, title: 'Own name' }));
		const sent = { ...SENT, result: 'Won' };
		expect(bodies()).toEqual([sent, { ...sent, title: 'Own name' }]);
	});

	test("reads mapped values itself, not by n8n's conversion of the fields' types", async () => {
		const value = { ...CREATE, start_time: '2026-07-01 09:00:00', attendee_emails: ['b@example.com'] };
		const types = { start_time: 'dateTime', attendee_emails: 'string' };
		const schema = Object.entries(types).map(([id, type]) => ({ id, type, displayName: id, display: true }));
		const columns = { ...mappedByHand(value), schema } as INodeParameters;
		await run(byHand({}, { columns, options: { timeZone: 'Europe/Berlin' } }));
		const sent = { start_time: '2026-07-01 07:00:00', attendee_emails: ['b@example.com'] };
		expect(bodies()).toMatchObject([sent]);
	});

	// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-RULE-02
	test('sends every field of the API, those that create something without the spaces around them', async () => {
		const texts = { result: 'Sold', type: 'Visit', lead_source: 'Web', location: 'Denver' };
		const customer = { email: 'c@example.com', phone: '555', address: '1 Main St' };
		const others = {
			attendee_emails: ['b@example.com'],
			price: 12.5,
			recording_type: 'CALL_AUDIO',
			custom_fields: { a: 1 },
		};
		const row = {
			...CREATE,
			...texts,
			...others,
			customer_email: customer.email,
			customer_phone: customer.phone,
			customer_address: customer.address,
		};
		const media_url = 'https://media.example.com/a.mp3';
		await run(byHand(row));
		const spaced = { result: ' Sold \n', type: '\tVisit', lead_source: 'Web ', attendee_emails: [] };
		await run(automatic(), { ...row, ...spaced, media_url });
		const expected = { ...SENT, ...texts, ...others, customer: { ...SENT.customer, ...customer } };
		expect(bodies()).toEqual([expected, { ...expected, attendee_emails: [], media_url }]);
	});

	// D2-APPT-11..13, D2-TYPE-01..03, D2-DOES-02
	test('sends the type and place of a recording from a table only with its Media URL', async () => {
		const kind = { recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Denver' };
		const recording = { media_url: 'https://media.example.com/a.mp3?sig=1%2F2', ...kind };
		await run(automatic(), { ...CREATE, ...recording, attendee_emails: '' });
		await run(automatic(), { ...CREATE, ...kind });
		await run(byHand({ ...CREATE, ...kind }));
		const alone = { ...SENT, ...recording, attendee_emails: undefined };
		expect(bodies()).toEqual([alone, SENT, { ...SENT, ...kind }]);
	});

	// D2-RULE-03
	test('leaves out a field that is empty text, null or spaces', async () => {
		const value = {
			...OWNER,
			start_time: '',
			title: ' ',
			result: ' \n ',
			type: '',
			price: null,
			customer_phone: '',
			attendee_emails: ['b@example.com'],
			custom_fields: '',
		};
		await run(byHand(value, { operation: 'update' }));
		expect(bodies()).toEqual([{ ...OWNER, attendee_emails: ['b@example.com'] }]);
	});
});
