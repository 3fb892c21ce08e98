import type { IDataObject, ICredentialTestFunctions } from 'n8n-workflow';
import { conversationExportApiTest } from '../../../../nodes/shared/exportApi/endpoints';
import { credentialTest, type CredentialProbe } from '../../../../nodes/shared/http';
import { CREDENTIAL, failed, KEY } from './scriptedService';

const PROBE: CredentialProbe = {
	type: 'crmAppointmentApi',
	path: '/probe',
	keyHeader: 'x-api-key',
	body: { a: 1 },
	accepts: ({ status, body }) => status === 400 && body === 'Missing',
	unknownKey: 403,
};

/** Runs a test of a credential, whose one request is answered or fails like this. */
async function run(
	response: { statusCode: number; body?: unknown } | Error,
	{ probe, data = CREDENTIAL }: { probe?: CredentialProbe; data?: IDataObject | null } = {},
) {
	const sent: unknown[] = [];
	const request = async (options: unknown) => {
		sent.push(options);
		if (response instanceof Error) throw response;
		return response;
	};
	const context = { helpers: { request } } as Partial<ICredentialTestFunctions> as ICredentialTestFunctions;
	const test = probe ? credentialTest(probe) : conversationExportApiTest;
	const result = await test.call(context, {
		id: '1',
		name: 'My key',
		type: 'any',
		...(data && { data: data as typeof CREDENTIAL }),
	});
	return { result, sent };
}

const refused = (message: string) => ({ status: 'Error', message });

describe('The test of a credential', () => {
	const fixed = {
		method: 'POST',
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		followAllRedirects: false,
		timeout: 15_000,
	};

	test('sends the probe with the cleaned key and address, and follows no redirect', async () => {
		const { result, sent } = await run({ statusCode: 400, body: 'Missing' }, { probe: PROBE });
		expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(sent).toStrictEqual([
			{
				...fixed,
				uri: 'https://api.example.com/v1/probe',
				headers: { accept: '*/*', 'content-type': 'application/json', 'x-api-key': KEY },
				body: '{"a":1}',
			},
		]);
	});

	test('of the export reads a second of the year 2000', async () => {
		const { result, sent } = await run({ statusCode: 200, body: { totalConversations: 0 } });
		expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(sent).toStrictEqual([
			{
				...fixed,
				uri: 'https://api.example.com/v1/export/conversations',
				headers: { accept: '*/*', 'content-type': 'application/json', authorization: KEY },
				body: '{"fromDate":"2000-01-01T00:00:00Z","toDate":"2000-01-01T00:00:01Z","page":1,"limit":1}',
			},
		]);
	});

	test.each([
		['another status', { statusCode: 201, body: '{"totalConversations":0}' }],
		['another body', { statusCode: 200, body: '<html>totalConversations</html>' }],
		['no body', { statusCode: 200 }],
	])('of the export is not passed with %s', async (_, response) => {
		expect((await run(response)).result).toEqual(
			refused(
				`No Conversation Export API answers at the Base URL (status ${response.statusCode}). Check the address.`,
			),
		);
	});

	test('blames an endpoint in the Base URL for 403, which a gateway answers whatever the key, but not for 401', async () => {
		const data = { ...CREDENTIAL, baseUrl: 'https://api.example.com/custom/appointment' };
		const { message } = (await run({ statusCode: 403 }, { probe: PROBE, data })).result;
		expect(message).toMatch(/\(status 403\)\. Leave out \/custom\/appointment\.$/);
		expect((await run({ statusCode: 401 }, { data })).result.message).toMatch(/not recognize the API Key/);
	});

	test.each([429, 500, 503])('says with status %i to try again later', async (statusCode) => {
		expect((await run({ statusCode })).result).toEqual(
			refused(`The service cannot answer right now (status ${statusCode}). Try the test again later.`),
		);
	});

	test.each([302, 403, 404, 428, 430, 499])('blames the address for status %i', async (statusCode) => {
		expect((await run({ statusCode })).result).toEqual(
			refused(
				`No Conversation Export API answers at the Base URL (status ${statusCode}). Check the address.`,
			),
		);
	});

	test.each([
		['https://api.example.com/export', 'Leave out /export.'],
		['https://api.example.com/export/conversations/', 'Leave out /export/conversations.'],
		['https://api.example.com/v1/custom/appointment', 'Leave out /custom/appointment.'],
		['https://api.example.com/exports', 'Check the address.'],
		['https://api.example.com/customers/export-api', 'Check the address.'],
		['https://export.example.com', 'Check the address.'],
	])('advises what to change in the Base URL %s', async (baseUrl, remedy) => {
		const { result } = await run({ statusCode: 404 }, { probe: PROBE, data: { ...CREDENTIAL, baseUrl } });
		expect(result).toEqual(refused(`No CRM Appointment API answers at the Base URL (status 404). ${remedy}`));
	});

	test('uses the own words of the probe where it has some', async () => {
		const explain: CredentialProbe['explain'] = ({ status, body }) =>
			status === 403 ? `Own words about ${body}.` : undefined;
		const probe = { ...PROBE, explain };
		expect((await run({ statusCode: 403, body: 'this' }, { probe })).result).toEqual(
			refused('Own words about this.'),
		);
		expect((await run({ statusCode: 500 }, { probe })).result.message).toMatch(/right now \(status 500\)/);
	});

	test('sends nothing without fields', async () => {
		const { result, sent } = await run({ statusCode: 200 }, { data: null });
		expect(result).toEqual(
			refused(
				'The Base URL of the credential is empty. Enter the address of the service, e.g. https://api.example.com.',
			),
		);
		expect(sent).toEqual([]);
	});

	test('shows nothing of a failure without a system code', async () => {
		expect((await run(new Error(`failed with ${KEY}`))).result).toEqual(
			refused('The Base URL cannot be reached (no response). Check the address.'),
		);
	});

	test('names a certificate that is not accepted', async () => {
		expect((await run(failed('CERT_HAS_EXPIRED'))).result).toEqual(
			refused(
				'The certificate of the Base URL is not accepted (CERT_HAS_EXPIRED). Renew it, or let this n8n trust its issuer.',
			),
		);
	});
});
