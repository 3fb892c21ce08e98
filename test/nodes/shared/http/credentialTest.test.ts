import type { ICredentialTestFunctions } from 'n8n-workflow';
import { crmAppointmentApiTest } from '../../../../nodes/ConversationIntelligenceAppointments/api';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/endpoints';
import { CREDENTIAL, failed, KEY } from './scriptedService';

/** Runs the test of a credential, whose one request gets a response or fails like this. */
async function run(
	response: { statusCode: number; body?: unknown } | Error,
	data: typeof CREDENTIAL | null = CREDENTIAL,
	test = conversationExportApiTest,
) {
	const sent: unknown[] = [];
	const request = async (options: unknown) => {
		sent.push(options);
		if (response instanceof Error) throw response;
		return response;
	};
	const context = { helpers: { request } } as Partial<ICredentialTestFunctions> as ICredentialTestFunctions;
	const credential = { id: '1', name: 'My key', type: 'any', data: data ?? undefined };
	const result = await test.call(context, credential);
	return { result, sent };
}

const refused = (message: string) => ({ status: 'Error', message });

describe('The test of a credential', () => {
	test('reads a second of the year 2000 with the cleaned key and address, and follows no redirect', async () => {
		const { result, sent } = await run({ statusCode: 200, body: { totalConversations: 0 } });
		expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(sent).toStrictEqual([
			{
				method: 'POST',
				uri: 'https://api.example.com/v1/export/conversations',
				headers: { accept: '*/*', 'content-type': 'application/json', authorization: KEY },
				body: '{"fromDate":"2000-01-01T00:00:00Z","toDate":"2000-01-01T00:00:01Z","page":1,"limit":1}',
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				followAllRedirects: false,
				timeout: 15_000,
			},
		]);
	});

	test('blames an endpoint in the Base URL for 403, which a gateway answers whatever the key, but not for 401', async () => {
		const data = { ...CREDENTIAL, baseUrl: 'https://api.example.com/custom/appointment' };
		const { message } = (await run({ statusCode: 403 }, data, crmAppointmentApiTest)).result;
		expect(message).toMatch(/\(status 403\)\. Leave out \/custom\/appointment\.$/);
		expect((await run({ statusCode: 401 }, data)).result.message).toMatch(/not recognize the API Key/);
	});

	test.each([429, 500, 503])('says with status %i to try again later', async (statusCode) => {
		expect((await run({ statusCode })).result).toEqual(
			refused(`The service cannot answer right now (status ${statusCode}). Try the test again later.`),
		);
	});

	test.each([
		...[302, 403, 404, 428, 430, 499].map((statusCode) => ({ statusCode })),
		{ statusCode: 201, body: '{"totalConversations":0}' },
		{ statusCode: 200, body: '<html>totalConversations</html>' },
		{ statusCode: 200 },
	])('blames the address for the response %j', async (response) => {
		const { statusCode } = response;
		expect((await run(response)).result).toEqual(
			refused(
				`No Conversation Export API answers at the Base URL (status ${statusCode}). Check the address.`,
			),
		);
	});

	test.each([
		['localhost', 'Try http:// instead of https://.'],
		['10.0.0.5', 'Try http:// instead of https://.'],
		['sandbox:8790', 'Try http:// instead of https://.'],
		['api.example.com', 'It does not answer with HTTPS: check the address.'],
		['8.8.8.8', 'It does not answer with HTTPS: check the address.'],
	])('advises on %s, which answers without TLS: %s', async (host, advice) => {
		const failure = Object.assign(new Error('wrong version number'), { code: 'EPROTO' });
		expect((await run(failure, { ...CREDENTIAL, baseUrl: `https://${host}` })).result).toEqual(
			refused(`The Base URL cannot be reached (EPROTO). ${advice}`),
		);
	});

	test('sends nothing without fields', async () => {
		const { result, sent } = await run({ statusCode: 200 }, null);
		expect(result).toEqual(
			refused(
				'The Base URL of the credential is empty. Enter the address of the service, e.g. https://api.example.com.',
			),
		);
		expect(sent).toEqual([]);
	});

	test.each([
		[
			'shows nothing of a failure without a system code',
			new Error(`failed with ${KEY}`),
			'The Base URL cannot be reached (no response). Check the address.',
		],
		[
			'names a certificate that is not accepted',
			failed('CERT_HAS_EXPIRED'),
			'The certificate of the Base URL is not accepted (CERT_HAS_EXPIRED). Renew it, or let this n8n trust its issuer.',
		],
	])('%s', async (_rule, failure, message) => {
		expect((await run(failure)).result).toEqual(refused(message));
	});
});
