import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	automatic,
	byHand,
	CREATE,
	OWNER,
	processingService,
	REPORTED,
	runAppointments,
	SENT,
} from './mapping';

describe('Create or Update', () => {
	const { service, engine, run, bodies } = processingService();

	// D2-APPT-07, D2-CUSTOMER-01..05
	test('nests the customer and sends times in UTC when fields are mapped by hand', async () => {
		const result = await run(byHand(CREATE));
		expect(result.error).toBeUndefined();
		expect(bodies()).toEqual([SENT]);
		expect(result.items).toEqual([
			{
				json: {
					...OWNER,
					status: 200,
					response: 'Processed',
					sent: REPORTED,
					warnings: [],
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('maps a flat or nested customer automatically, and empty flat text never replaces a nested value', async () => {
		const { customer_id, customer_name, ...rest } = CREATE;
		const customer = { id: customer_id, name: customer_name, phone: '1' };
		const nested = { ...rest, customer };
		const result = await run(
			automatic(),
			nested,
			CREATE,
			{ ...nested, customer_phone: '', customer_name: ' ' },
			{ ...nested, customer_phone: '2' },
		);
		expect(result.error).toBeUndefined();
		expect(service.seen.map(({ body }) => body?.customer)).toEqual([
			customer,
			SENT.customer,
			customer,
			{ ...customer, phone: '2' },
		]);
	});

	test('names the unknown columns of all items in one hint, including nested ones', async () => {
		const { hints } = await run(
			automatic(),
			{ ...CREATE, stage: 'won' },
			{ ...CREATE, attendees: 'b@example.com', stage: null },
			{ ...CREATE, customer: { tier: 1 } },
			{ ...CREATE, customer: 'Blue Door' },
		);
		expect(hints[0]).toEqual({
			message:
				'Not sent, because appointments have no such field: stage, attendees, customer.tier. Rename these columns, or send them in custom_fields.',
			location: 'outputPane',
			type: 'warning',
		});
		expect(hints.filter(({ message }) => message.includes('no such field'))).toHaveLength(1);
	});

	test.each([
		[20, ''],
		[21, ' and 1 more'],
		[23, ' and 3 more'],
	])('names at most 20 of %i unknown columns and counts the others', async (length, more) => {
		const columns = Array.from({ length }, (_, n) => `extra ${n + 1}`);
		const extra = Object.fromEntries(columns.map((name) => [name, 'x']));
		const { hints } = await run(automatic(), { ...CREATE, ...extra });
		expect(hints[0].message).toContain(`: ${columns.slice(0, 20).join(', ')}${more}. Rename`);
	});

	test('does not call a column unknown that has no value', async () => {
		const { hints } = await run(automatic(), { ...CREATE, stage: undefined });
		expect(hints.map(({ message }) => message)).not.toContainEqual(expect.stringContaining('no such field'));
	});

	test("reads mapped values itself, not by n8n's conversion of the fields' types", async () => {
		const field = (id: string, type: string) => ({
			id,
			type,
			displayName: id,
			required: false,
			display: true,
		});
		const value = { ...CREATE, start_time: '2026-07-01 09:00:00', attendee_emails: ['b@example.com'] };
		const schema = [field('start_time', 'dateTime'), field('attendee_emails', 'string')];
		const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
		const result = await run(
			byHand(value, { columns, options: { timeZone: 'Europe/Berlin' } } as INodeParameters),
		);
		expect(result.error).toBeUndefined();
		const { start_time, attendee_emails } = service.seen[0].body!;
		expect({ start_time, attendee_emails }).toEqual({
			start_time: '2026-07-01 07:00:00',
			attendee_emails: ['b@example.com'],
		});
	});

	test('names the customer fields that were not sent in a hint, unless no customer was sent', async () => {
		const email = { customer_email: 'c@example.com' };
		const whole = { ...email, customer_phone: '5', customer_address: 'A' };
		const hintsOf = async (...rows: IDataObject[]) => {
			const given = rows.map((row) => ({ ...row, attendee_emails: 'b@example.com' }));
			const { hints } = await run(automatic({ operation: 'update' }), ...given);
			return hints.map(({ message }) => message).join();
		};
		expect(await hintsOf({ ...CREATE, ...email }, { ...CREATE, ...whole, event_id: 'crm-2' })).toBe(
			'The customer is sent without Customer Phone, Customer Address: on an existing appointment, the service may erase them. Send the whole customer to keep them.',
		);
		expect(await hintsOf({ ...CREATE, ...whole }, { ...OWNER, event_id: 'crm-3' })).toBe('');
	});

	test('sends an end before its start unchanged and names the items in a hint', async () => {
		const back = { start_time: '2026-03-01T10:00:00+02:00', end_time: '2026-03-01T09:00:00+01:00' };
		const { hints } = await run(
			automatic(),
			{ ...CREATE, ...back },
			{ ...CREATE, end_time: '2026-03-01T08:00:00+01:00' },
			CREATE,
			{ ...CREATE, end_time: '2025-03-01T08:00:00+01:00' },
		);
		const messages = hints.map(({ message }) => message);
		expect(messages).toContain(
			'End Time is before Start Time [Item 1, 3]. Check both times: they are sent unchanged.',
		);
		expect(service.seen[1].body).toEqual({ ...SENT, end_time: '2026-03-01 07:00:00' });
	});

	// D2-APPT-01..15, D2-CUSTOMER-01..05
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

	test('evaluates expressions of the mapping for each item', async () => {
		const value = {
			event_id: '={{ $json.id }}',
			user_email: 'ana@example.com',
			result: '={{ $json.outcome }}',
		};
		await run(byHand(value, { operation: 'update' }), { id: 'a', outcome: 'Sold' }, { id: 7, outcome: null });
		expect(bodies()).toEqual([
			{ event_id: 'a', user_email: 'ana@example.com', result: 'Sold' },
			{ event_id: '7', user_email: 'ana@example.com' },
		]);
	});

	// D2-RULE-03
	test('leaves out a field that is empty text, null or spaces', async () => {
		const value = {
			...OWNER,
			title: ' ',
			result: ' \n ',
			type: '',
			price: null,
			customer_phone: '',
			lead_source: '',
			attendee_emails: '',
			custom_fields: '',
		};
		await run(byHand(value, { operation: 'update' }));
		expect(bodies()).toEqual([OWNER]);
	});

	test('does not clear a field whose column was left out, because it has a value', async () => {
		const options = { fieldsToClear: ['type'] };
		await run(automatic({ operation: 'update', options }), { ...OWNER, type: 'Visit', deal_stage: 'won' });
		expect(bodies()).toEqual([OWNER]);
	});

	test('sends Fields to Clear as empty text, but customer fields only with a customer', async () => {
		const fieldsToClear = ['lead_source', 'type', 'customer_phone'];
		const owner = { ...OWNER, type: 'Visit' };
		const customer = { id: 'c-1', name: 'Blue Door Ltd' };
		const result = await run(automatic({ operation: 'update', options: { fieldsToClear } }), owner, {
			...owner,
			customer,
		});
		expect(result.error).toBeUndefined();
		expect(bodies()).toEqual([
			{ ...owner, lead_source: '' },
			{ ...owner, lead_source: '', customer: { ...customer, phone: '' } },
		]);
		expect(result.items.map(({ json }) => json.warnings)).toEqual([
			expect.arrayContaining([
				'Fields to Clear leaves Customer Phone unchanged, because no customer is sent. Send the whole customer, too: parts left out may be erased.',
			]),
			expect.not.arrayContaining([expect.stringContaining('Fields to Clear')]),
		]);
	});

	test.each<[string, string, IDataObject]>([
		['one name', '={{ "lead_source" }}', { lead_source: '' }],
		['a list', '={{ ["lead_source", "type"] }}', { lead_source: '', type: '' }],
	])('takes %s from an expression of Fields to Clear', async (_name, fieldsToClear, cleared) => {
		const mapped = automatic({ operation: 'update', options: { fieldsToClear } });
		const result = await run(mapped, OWNER);
		expect(result.error).toBeUndefined();
		expect(bodies()).toEqual([{ ...OWNER, ...cleared }]);
	});

	// test/nodes/ConversationIntelligenceAppointments/mapping/attendees.test.ts holds every other form.
	const ownerOnly = { options: { ownerOnly: true } };
	test.each<[string, unknown, INodeParameters, unknown]>([
		['a list', ['b@example.com', ' c@example.com'], {}, ['b@example.com', 'c@example.com']],
		['an explicit empty list', [], {}, []],
		['Owner Only', 'b@example.com', ownerOnly, []],
		['Owner Only, whatever is mapped', 'Bob', ownerOnly, []],
		['blank text', ' , ', {}, undefined],
	])('takes attendees as %s', async (_name, attendee_emails, parameters, expected) => {
		const row = { ...CREATE, attendee_emails } as IDataObject;
		for (const mapped of [byHand(row, parameters), automatic(parameters)]) {
			service.respond(() => ({ status: 200 }));
			const result = await run(mapped, row);
			expect(result.error).toBeUndefined();
			expect(service.seen[0].body?.attendee_emails).toEqual(expected);
		}
	});

	// D2-APPT-11..13
	test('sends a mapped recording, and names recording columns in a hint if there is no Media URL', async () => {
		const kind = { recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Denver' };
		const recording = { media_url: 'https://media.example.com/a.mp3?sig=1%2F2', ...kind };
		await run(byHand({ ...CREATE, ...recording }));
		const { hints } = await run(
			automatic(),
			{ ...CREATE, ...recording },
			{ ...CREATE, ...kind },
			{ ...CREATE, location: '' },
		);
		const whole = { ...SENT, ...recording };
		expect(bodies()).toEqual([whole, whole, SENT, SENT]);
		expect(hints.map(({ message }) => message)).toContain(
			'Not sent, because media_url is empty: recording_type, location.',
		);
	});

	test("reads times without an offset in the workflow's time zone, or in the Time Zone of the options", async () => {
		const value = { ...CREATE, start_time: '2026-07-01 09:00:00', end_time: '2026-07-01T10:00' };
		const zones = [byHand(value), byHand(value, { options: { timeZone: ' UTC ' } })];
		for (const mapped of zones) await runAppointments(engine, mapped, [{}], { timezone: 'Europe/Berlin' });
		expect(service.seen.map(({ body }) => [body?.start_time, body?.end_time])).toEqual([
			['2026-07-01 07:00:00', '2026-07-01 08:00:00'],
			['2026-07-01 09:00:00', '2026-07-01 10:00:00'],
		]);
	});

	test('shows what it would send without sending it', async () => {
		const result = await run(byHand(CREATE, { options: { previewOnly: true } }));
		expect(result.items[0].json).toEqual({ ...OWNER, preview: true, sent: REPORTED, warnings: [] });
		expect(service.seen).toEqual([]);
	});
});
