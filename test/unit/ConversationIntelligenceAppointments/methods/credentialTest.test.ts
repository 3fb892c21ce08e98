import type { ICredentialTestFunctions } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/methods/credentialTest';

const MISSING = 'Missing some required parameters in the body';

/** What the Test button shows for an answer of the service. */
async function shownFor(statusCode: number, body: string): Promise<string> {
	const request = async () => ({ statusCode, body });
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const data = { baseUrl: 'https://crm.example.com', apiKey: 'some-key' };
	const { message } = await crmAppointmentApiTest.call(context, { id: '1', name: 'Key', type: 'any', data });
	return message;
}

test.each([
	[400, MISSING, /^Connection successful$/],
	[400, 'Bad gateway', /^No CRM Appointment API answers at the Base URL \(status 400\)/],
	[200, MISSING, /^No CRM Appointment API answers at the Base URL \(status 200\)/],
	[403, 'Forbidden', /^The service does not recognize the API Key \(status 403\)/],
	[422, '', /not mapped to an active organization \(status 422\)/],
])('the answer %i "%s" is shown as %s', async (status, body, message) => {
	expect(await shownFor(status, body)).toMatch(message);
});
