import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { INPUT_ERRORS } from '../../../nodes/ConversationIntelligenceAppointments/errors';
import { fieldError } from '../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { automatic, byHand, CREATE, DELETE, processingService } from './mapping';

test.each(Object.keys(INPUT_ERRORS) as Array<keyof typeof INPUT_ERRORS>)(
	'the texts of %s name the field or the value, and say what to do',
	(code) => {
		const { message, description, details } = fieldError(code, 'Some Field', '{value}\n');
		expect(message).toMatch(/Some Field|"\{value\}\\n"/);
		expect(description).toMatch(/\.$/);
		expect(`${message} ${description}`).not.toMatch(/\{(?!value\}\\n|"region")/);
		expect(details).toEqual({ code, retryable: false, field: 'Some Field' });
	},
);

describe('Create or Update', () => {
	const { service, run } = processingService();

	const UPDATE = { operation: 'update' };
	const NO_CUSTOMER = { customer_id: '', customer_name: '' };
	const NO_PART = { 'Customer ID': 'customer_field_missing', 'Customer Name': 'customer_field_missing' };

	test.each<[string, IDataObject, Record<string, string>, INodeParameters?]>([
		['a customer ID that is none', { customer_id: 'NaN' }, { 'Customer ID': 'id_invalid' }],
		['a start in EST', {}, { 'Time Zone': 'time_zone_invalid' }, { options: { timeZone: 'EST' } }],
		[
			'several fields at once',
			{ title: '', price: 'x', start_time: 'soon', customer_name: null },
			{
				'Start Time': 'time_invalid',
				Price: 'price_invalid',
				Title: 'new_field_missing',
				'Customer Name': 'customer_field_missing',
			},
		],
		['an update of one field of the customer', { ...NO_CUSTOMER, customer: { phone: '5' } }, NO_PART, UPDATE],
	])('refuses %s before anything is sent', async (_name, change, refused, parameters = {}) => {
		const { error } = await run(automatic(parameters), { ...CREATE, ...change });
		const causes = Object.entries(refused).map(([field, code]) => ({ code, field }));
		const isMissing = causes.every(({ code }) => code.endsWith('_missing'));
		const several = { code: isMissing ? 'required_fields_missing' : 'fields_refused', causes };
		const { event_id: eventId = CREATE.event_id } = change;
		expect(error?.context?.details).toEqual({
			...(causes.length > 1 ? several : causes[0]),
			retryable: false,
			item: 0,
			...(eventId !== '' && { eventId }),
		});
		// Where the message says what a value is, it has one.
		expect(error?.message).not.toContain('empty');
		const namesColumns = causes.some(({ code }) => code.endsWith('_missing'));
		expect(error?.description?.includes('Columns of the input')).toBe(namesColumns);
		expect(service.seen).toEqual([]);
	});

	test('keeps the headline short, lists everything and names the columns of the input', async () => {
		const { error } = await run(automatic(), { id: 'crm-1', price: 'x', title: 'Roof inspection' });
		expect(error?.message).toBe('Price and 6 more fields cannot be sent');
		expect(error?.description).toMatch(
			/^Price must be .*<br \/>Event ID is missing\.<br \/>Rep Email is missing\. Every .* A new appointment needs Start Time and 3 more fields\. .*<br \/>Columns of the input: id, price, title\.$/,
		);
		expect(error?.description?.match(/Every request needs it/g)).toHaveLength(1);
		const one = await run(automatic(), { ...CREATE, title: '' });
		expect(one.error?.message).toBe('Title is missing (Event ID "crm-1")');
		expect(one.error?.description).toMatch(/\. Columns of the input: event_id, /);
		expect((await run(automatic(), {})).error?.description).toMatch(/Columns of the input: none\.$/);
	});

	test('does not mention columns when the fields are mapped by hand', async () => {
		const { error } = await run(byHand({ ...CREATE, event_id: '', user_email: '', title: '' }));
		expect(error?.message).toBe('Event ID, Rep Email and Title are missing');
		expect(error?.description).toMatch(
			/<br \/>Title is missing\. A new appointment needs Title\. [^C]*Update\.$/,
		);
		const four = await run(byHand({ ...CREATE, event_id: '', user_email: '', title: '', start_time: '' }));
		expect(four.error?.message).toBe('Event ID and 3 more fields are missing');
	});

	// n8n's toast shows the message of an error as HTML.
	test('contains no tag in any text of an error, whatever the row and the service have', async () => {
		const TAG = `<a href="https://evil.example" style='position:fixed;inset:0'>Session expired</a>`;
		const hostile = fc.array(
			fc.constantFrom(TAG, '<', '</p>', '&lt;', '2026-03-01', 'a@b.example', ' ', '<!--'),
		);
		const values = fc.dictionary(
			fc.constantFrom(...Object.keys(CREATE), 'price', 'media_url', 'custom_fields', 'owner', TAG),
			hostile.map((parts) => parts.join('')),
			{ minKeys: 1 },
		);
		const operation = fc.constantFrom(automatic(), automatic(UPDATE), {
			...DELETE,
			eventId: '={{ $json.event_id }}',
		});
		await fc.assert(
			fc.asyncProperty(
				operation,
				values,
				fc.constantFrom(400, 403, 404, 422, 451),
				async (parameters, row, status) => {
					service.respond([{ status, body: `No ${TAG}` }]);
					const { error, hints } = await run(parameters, { ...CREATE, ...row });
					const texts = [error?.message, error?.description, ...hints.map(({ message }) => message)];
					expect(texts.filter((text) => /<(?!br \/>)[a-z/!?]/i.test(text ?? ''))).toEqual([]);
					expect(error?.context?.details).toMatchObject({ retryable: false });
				},
			),
		);
	});
});
