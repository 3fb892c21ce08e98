import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from '../../shared/transport';
import { judgeTest, sendTestRequest } from '../../shared/transport/credentialTest';

/** What the match endpoint says to an empty body, before it looks anything up (D2 § Errors, exact bodies). */
const NOTHING_TO_MATCH = 'Missing some required parameters in the body';

/**
 * Tests the appointment credential with a match request that names nothing: it can neither create nor change
 * anything (D2 § Match: all lookups run before any write), and its answer tells key and address apart.
 *
 * @param credential as entered, also unsaved
 */
export async function crmAppointmentApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { baseUrl, apiKey } = credential.data ?? {};
	return await judgeTest(
		async () =>
			await sendTestRequest(this, {
				url: `${cleanBaseUrl(baseUrl)}/custom/appointment/match`,
				headers: { accept: 'text/plain', 'x-api-key': cleanApiKey(apiKey) },
				body: {},
			}),
		{
			accepts: ({ status, body }) => status === 400 && body.includes(NOTHING_TO_MATCH),
			rejectsKey: ({ status }) => status === 403,
			expected: 'the CRM Appointment Ingestion API',
			explain: ({ status }) =>
				status === 422
					? 'The service recognizes the API Key, but it is not mapped to an active organization (status 422). Create a key in the web app of an active organization.'
					: undefined,
		},
	);
}
