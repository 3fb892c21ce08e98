import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startAppointmentService, type AppointmentService } from './appointmentService';

/** Runs with the sandbox, which decides what an update needs. */
describe('Update', () => {
	let testService: AppointmentService;

	beforeAll(async () => (testService = await startAppointmentService()));
	afterAll(async () => await testService.close());

	const UPDATE: INodeParameters = { operation: 'update' };
	/** Creates the appointment and forgets that request. */
	const book = async (eventId: string, more?: IDataObject) => {
		expect((await testService.upsert([testService.appointment(eventId, more)])).error).toBeUndefined();
		testService.sandbox.requests.reset();
		return testService.stored(eventId)!;
	};
	const change = (eventId: string, more: IDataObject = {}): IDataObject => ({
		event_id: eventId,
		user_email: testService.people[0],
		...more,
	});

	// D2-RULE-03
	test('needs only the event ID and the owner', async () => {
		const before = await book('u-1');
		const { error } = await testService.upsert([change('u-1')], UPDATE);
		expect(error).toBeUndefined();
		expect(testService.stored('u-1')).toStrictEqual({ ...before, updatedAt: expect.any(String) });
	});

	// D2-CUSTOMER-01..05
	test('replaces the stored customer with the one that is sent', async () => {
		await book('u-2', { customer_email: 'old@example.com' });
		const before = testService.stored('u-2')!;
		const customer = { id: 'c-2', name: 'Red Door Ltd', phone: '555', address: '1 Main St' };
		const { error } = await testService.upsert([change('u-2', { customer })], UPDATE);
		expect(error).toBeUndefined();
		// Strictly equal, so the email of the earlier customer is gone.
		expect(testService.stored('u-2')).toStrictEqual({ ...before, customer, updatedAt: expect.any(String) });
	});

	// D2-ERR-04, D2-CUSTOMER-01, D2-CUSTOMER-02
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
		'refuses a customer of %s before anything is sent, as the service would',
		async (_name, columns, message) => {
			const before = await book('u-3');
			const whole = { customer_id: 'c-1', customer_name: 'Blue Door Ltd' };
			const { error } = await testService.upsert([change('u-3', whole), change('u-3', columns)], UPDATE);
			expect(error?.message).toBe(`${message} (Event ID "u-3")`);
			expect(error?.description).toMatch(
				/^A customer needs its ID and name: fill both, or leave all customer fields empty\. Expected columns/,
			);
			expect(testService.sandbox.requests.list()).toEqual([]);
			expect(testService.stored('u-3')).toEqual(before);
		},
	);

	test('refuses a missing event ID together with an incomplete customer, with the advice for both', async () => {
		const { error } = await testService.upsert([change('', { customer_id: 'c-2' })], UPDATE);
		expect(error?.message).toBe('Event ID and Customer Name are missing');
		expect(error?.description).toMatch(
			/^Every request needs Event ID and User Email\. A customer needs its ID and name: fill both/,
		);
	});

	// D2-APPT-12
	test('refuses a Media URL without its Recording Type before anything is sent, as the service would', async () => {
		await book('u-4');
		const { error } = await testService.upsert(
			[change('u-4', { media_url: 'https://m.example.com/a' })],
			UPDATE,
		);
		expect(error?.message).toBe('Recording Type is missing (Event ID "u-4")');
		expect(testService.sandbox.requests.list()).toEqual([]);
	});

	test.each<[string, IDataObject, RegExp]>([
		['an incomplete customer', { customer: { phone: '555' } }, /customer/],
		['a Media URL without its Recording Type', { media_url: 'https://m.example.com/a' }, /recording_type/],
	])('is refused by the service itself with %s', async (_name, body, words) => {
		await book('u-5');
		const response = await fetch(`${testService.sandbox.crmUrl}/custom/appointment`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': testService.sandbox.keys.organization },
			body: JSON.stringify(change('u-5', body)),
		});
		expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(words)]);
	});
});
