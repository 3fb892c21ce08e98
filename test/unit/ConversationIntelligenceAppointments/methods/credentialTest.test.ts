import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

interface Answer {
	status: number;
	body: string;
}

/** Stands in for the engine's helper: fetch, with the same face. */
const context = {
	helpers: {
		async request({
			uri,
			method,
			headers,
			body,
		}: {
			uri: string;
			method: string;
			headers: Record<string, string>;
			body: string;
		}) {
			const response = await fetch(uri, { method, headers, body, redirect: 'manual' });
			return { statusCode: response.status, body: await response.text() };
		},
	},
} as unknown as ICredentialTestFunctions;

describe('the test of the CRM Appointment API credential', () => {
	let server: Server;
	let answer: Answer;
	let seen: Array<{ method?: string; url?: string; key?: unknown; body: string }>;

	beforeAll(async () => {
		server = createServer((request, response) => {
			let body = '';
			request.on('data', (chunk) => (body += chunk));
			request.on('end', () => {
				seen.push({ method: request.method, url: request.url, key: request.headers['x-api-key'], body });
				response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => await new Promise((resolve) => server.close(resolve)));
	beforeEach(() => (seen = []));

	const run = async (data: Record<string, string> = {}) => {
		const { port } = server.address() as AddressInfo;
		const test = new ConversationIntelligenceAppointments().methods.credentialTest.crmAppointmentApiTest;
		return await test.call(context, {
			id: '1',
			name: 'key',
			type: 'crmAppointmentApi',
			data: { baseUrl: `http://127.0.0.1:${port}/crm/`, apiKey: ' key-1 ', ...data },
		});
	};

	test('[D2-BODY-06] accepts what the match endpoint says to an empty body, and sends nothing that could change anything', async () => {
		answer = { status: 400, body: 'Missing some required parameters in the body' };
		await expect(run()).resolves.toMatchObject({ status: 'OK' });
		expect(seen).toEqual([
			{ method: 'POST', url: '/crm/custom/appointment/match', key: 'key-1', body: '{}' },
		]);
	});

	test.each<[string, Answer, RegExp]>([
		['an unknown key', { status: 403, body: 'Forbidden' }, /does not recognize the API Key \(status 403\)/],
		['a key without an organization', { status: 422, body: '' }, /not mapped to an active organization/],
		[
			'another address',
			{ status: 404, body: '{"message":"No matching route"}' },
			/Base URL does not lead to/,
		],
		['another 400', { status: 400, body: 'Bad Request' }, /Base URL does not lead to/],
		['a web page', { status: 200, body: '<html></html>' }, /Base URL does not lead to/],
		['a busy service', { status: 429, body: '' }, /Try the test again later/],
	])('tells of %s', async (_name, given, message) => {
		answer = given;
		await expect(run()).resolves.toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	test('refuses a pasted Bearer prefix before anything is sent', async () => {
		await expect(run({ apiKey: 'Bearer key-1' })).resolves.toMatchObject({ status: 'Error' });
		expect(seen).toEqual([]);
	});
});
