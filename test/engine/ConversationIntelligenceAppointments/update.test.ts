import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openDesk, type AppointmentDesk } from './desk';

/** Against the service, because it is the one that says what an update must hold. */
describe('Appointment: Update', () => {
	let desk: AppointmentDesk;

	beforeAll(async () => (desk = await openDesk()));
	afterAll(async () => await desk.close());

	const UPDATE: INodeParameters = { operation: 'update' };
	/** Creates the appointment and forgets the request that did so. */
	const book = async (eventId: string, more?: IDataObject) => {
		expect((await desk.upsert([desk.appointment(eventId, more)])).error).toBeUndefined();
		desk.sandbox.requests.reset();
		return desk.stored(eventId)!;
	};
	const change = (eventId: string, more: IDataObject = {}): IDataObject => ({
		event_id: eventId,
		user_email: desk.people[0],
		...more,
	});

	test('[D2-RULE-03] Update asks for nothing but the event ID and the owner', async () => {
		const before = await book('u-1');
		const { error } = await desk.upsert([change('u-1')], UPDATE);
		expect(error).toBeUndefined();
		const after = desk.stored('u-1')!;
		expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
	});

	test('[D2-CUSTOMER-01..05] a whole customer replaces the one on file', async () => {
		await book('u-2', { customer_email: 'old@example.com' });
		const before = desk.stored('u-2')!;
		const customer = { id: 'c-2', name: 'Red Door Ltd', phone: '555', address: '1 Main St' };
		const { error } = await desk.upsert([change('u-2', { customer })], UPDATE);
		expect(error).toBeUndefined();
		const after = desk.stored('u-2')!;
		// Strictly: the email of the earlier customer is gone.
		expect(after).toEqual({ ...before, customer, updatedAt: after.updatedAt });
	});

	test.each<[string, IDataObject, string]>([
		['one field', { customer_phone: '555' }, 'Customer ID and Customer Name are missing'],
		[
			'a nested object',
			{ customer: { email: 'c@example.com' } },
			'Customer ID and Customer Name are missing',
		],
		['the ID alone', { customer_id: 'c-2' }, 'Customer Name is missing'],
		['the name alone', { customer_name: 'Red Door Ltd' }, 'Customer ID is missing'],
	])(
		'[D2-ERR-04] [D2-CUSTOMER-01] [D2-CUSTOMER-02] refuses a customer of %s, as the service would, before anything is sent',
		async (_name, columns, message) => {
			const before = await book('u-3');
			const whole = { customer_id: 'c-1', customer_name: 'Blue Door Ltd' };
			const { error } = await desk.upsert([change('u-3', whole), change('u-3', columns)], UPDATE);
			expect(error?.message).toBe(`${message} [Item 1]`);
			expect(error?.description).toMatch(/leave all customer fields empty to keep the customer/);
			expect(desk.sandbox.requests.list()).toEqual([]);
			expect(desk.stored('u-3')).toEqual(before);
		},
	);

	test('[D2-APPT-12] refuses a Media URL without its Recording Type, as the service would, before anything is sent', async () => {
		await book('u-4');
		const { error } = await desk.upsert([change('u-4', { media_url: 'https://m.example.com/a' })], {
			...UPDATE,
			withRecording: true,
		});
		expect(error?.message).toBe('Recording Type is missing [Item 0]');
		expect(desk.sandbox.requests.list()).toEqual([]);
	});

	test.each<[string, IDataObject, RegExp]>([
		['an incomplete customer', { customer: { phone: '555' } }, /customer/],
		['a Media URL without its Recording Type', { media_url: 'https://m.example.com/a' }, /recording_type/],
	])('the service itself refuses an update with %s', async (_name, body, words) => {
		await book('u-5');
		const response = await fetch(`${desk.sandbox.crmUrl}/custom/appointment`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': desk.sandbox.keys.organization },
			body: JSON.stringify(change('u-5', body)),
		});
		expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(words)]);
	});
});
