import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from './credentialFields';
import { judgeTest, sendTestRequest } from './credentialTest';

/** Ends long ago, so the harmless read behind the test has next to nothing to answer with. */
const TINY_RANGE = { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z' };

/**
 * Tests the export credential with one read of an empty range, and says whether the key or the address is wrong.
 *
 * @param credential as entered, also unsaved
 */
export async function conversationExportApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { baseUrl, apiKey } = credential.data ?? {};
	return await judgeTest(
		async () =>
			await sendTestRequest(this, {
				url: `${cleanBaseUrl(baseUrl)}/export/conversations`,
				headers: { authorization: cleanApiKey(apiKey) },
				body: { ...TINY_RANGE, page: 1, limit: 1 },
			}),
		{
			accepts: ({ status, body }) => status === 200 && body.includes('"totalConversations"'),
			rejectsKey: ({ status }) => status === 401,
			expected: 'the Data Export API',
		},
	);
}
