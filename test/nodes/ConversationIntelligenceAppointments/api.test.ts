import type { ICredentialTestFunctions } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../nodes/ConversationIntelligenceAppointments/api';

const MISSING = 'Missing some required parameters in the body';

/** What the Test button shows for a response of the service. */
async function shownFor(
	statusCode: number,
	body: string,
	request: (options: object) => Promise<object> = async () => ({ statusCode, body }),
): Promise<string> {
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const data = { baseUrl: 'https://crm.example.com', apiKey: 'some-key' };
	const { message } = await crmAppointmentApiTest.call(context, { id: '1', name: 'Key', type: 'any', data });
	return message;
}

test('the test is an empty match request with the key in x-api-key', async () => {
	const request = jest.fn(async () => ({ statusCode: 400, body: MISSING }));
	await shownFor(400, MISSING, request);
	expect(request).toHaveBeenCalledTimes(1);
	expect(request).toHaveBeenCalledWith(
		expect.objectContaining({
			method: 'POST',
			uri: 'https://crm.example.com/custom/appointment/match',
			headers: expect.objectContaining({ 'x-api-key': 'some-key' }),
			body: '{}',
		}),
	);
});

test.each([
	[400, MISSING, /^Connection successful$/],
	[400, 'Bad gateway', /^No CRM Appointment API answers at the Base URL \(status 400\)/],
	[200, MISSING, /^No CRM Appointment API answers at the Base URL \(status 200\)/],
])('the response %i "%s" says whether the connection works', async (status, body, message) => {
	expect(await shownFor(status, body)).toMatch(message);
});
