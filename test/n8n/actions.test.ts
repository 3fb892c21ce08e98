import { gunzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../harness/credentials';
import { detailsOf, errorOf, itemsOf } from '../../harness/n8n/execution';
import { activeUsers } from '../../harness/sendAppointment';
import { mappedByHand } from '../support/columns';
import { CREDENTIALS, exportWorkflow, fedWorkflow, nodeWorkflow } from '../support/exportWorkflow';
import { ScriptedServer, type ScriptedResponse } from '../support/scriptedServer';
import { useServers, useTestbed } from '../support/testbed';

const KEY = 'the-key-of-the-service';
const WRONG_KEY = 'a-key-that-the-service-does-not-know';

/** n8n drops such keys of a body that is an object. */
const CUSTOM = '{"constructor":"a","prototype":{"constructor":"ü"}}';

jest.setTimeout(120_000);

describe('The action nodes in a real n8n, from the packed tarball', () => {
	const { sandbox, n8n } = useTestbed({ conversations: 2501 });
	const [service, other] = useServers(new ScriptedServer(), new ScriptedServer());
	// Some tests change the credentials.
	beforeEach(async () => {
		await saveSandboxCredentials(n8n.client, sandbox);
		sandbox.requests.reset();
	});

	/** Lets both credentials name the scripted service. */
	const useService = async () => {
		for (const type of Object.values(CREDENTIALS)) {
			await n8n.client.saveCredential(type, { baseUrl: service.url, apiKey: KEY });
		}
	};

	// D1-EXP-02
	test('a compressed file in the binary store contains each of 2,501 conversations once, with 51 requests', async () => {
		const file = { outputAs: 'file', fileFormat: 'ndjson', fileOptions: { gzip: true } };
		const execution = await n8n.client.run(exportWorkflow(file));

		expect(errorOf(execution)).toBeUndefined();
		const [{ json, binary }] = itemsOf(execution);
		const lines = gunzipSync(await n8n.client.fileOf(binary!.data))
			.toString()
			.trimEnd()
			.split('\n');
		const ids = new Set(lines.map((line) => JSON.parse(line).conversationId));
		expect(json).toMatchObject({ rows: 2501, pages: 51, requests: 51 });
		expect([lines.length, ids.size]).toEqual([2501, 2501]);
		expect(sandbox.requests.list()).toHaveLength(51);
	});

	// D2-RULE-01
	test('times from expressions, literals and Luxon dates are sent in UTC, and custom fields with every key', async () => {
		const [owner] = activeUsers(sandbox);
		const columns = mappedByHand({
			event_id: 'times',
			user_email: owner,
			start_time: '={{ DateTime.fromISO("2026-03-01T08:30:00", { zone: "Europe/Berlin" }) }}',
			end_time: '2026-03-01T02:30:00',
			title: '={{ $json.title }}',
			customer_id: '={{ 7 }}',
			customer_name: 'Blue Door Ltd',
			attendee_emails: '={{ [$json.owner] }}',
			custom_fields: CUSTOM,
		});
		const node = nodeWorkflow('conversationIntelligenceAppointments', { operation: 'upsert', columns });
		const settings = { executionOrder: 'v1', timezone: 'America/Denver' } as const;
		const execution = await n8n.client.run({ ...fedWorkflow([{ title: 'T', owner }], node), settings });

		expect(errorOf(execution)).toBeUndefined();
		const [{ custom_fields, ...stored }] = sandbox.control.appointments();
		expect(JSON.stringify(custom_fields)).toBe(CUSTOM);
		// The workflow's time zone is seven hours behind UTC.
		expect(stored).toMatchObject({
			...{ start_time: '2026-03-01 07:30:00', end_time: '2026-03-01 09:30:00', title: 'T' },
			...{ customer: { id: '7', name: 'Blue Door Ltd' }, attendees: [owner] },
		});
	});

	describe('while the service is slow', () => {
		const ID = '00000000-0000-4000-8000-000000000001';
		const PAGE = JSON.stringify({ conversations: [{ conversationId: ID }], totalConversations: 1 });

		test('a response is awaited for more than a minute, and a body that stalls is requested again after one', async () => {
			await useService();
			const known = new Set<string>();
			service.respond(({ url }): ScriptedResponse => {
				if (url === '/export/users')
					return { status: 200, body: '{"totalUsers":0,"users":[]}', delayMs: 65_000 };
				const single = JSON.stringify({ conversationId: ID, audioUrl: `${service.url}/audio?signature=x` });
				if (url.endsWith(ID)) return { status: 200, body: single };
				const body = url.startsWith('/audio') ? 'sound' : PAGE;
				if (known.has(url)) return { status: 200, body };
				known.add(url);
				return (_request, response) => {
					response.writeHead(200, { 'content-type': 'application/octet-stream' });
					response.write(body.slice(0, 3));
				};
			});
			const runs = [{}, { operation: 'downloadAudio', conversationId: ID }, { resource: 'user' }];
			const [list, audio, users] = await Promise.all(
				runs.map(async (parameters) => await n8n.client.run(exportWorkflow(parameters))),
			);

			expect([list, audio, users].map(errorOf)).toEqual([undefined, undefined, undefined]);
			expect(itemsOf(list)[0].json.conversationId).toBe(ID);
			expect(itemsOf(audio)[0].binary).toHaveProperty('data');
			const sent = (path: string) => service.seen.filter(({ url }) => url.startsWith(path)).length;
			expect(['/export/conversations', '/audio', '/export/users'].map(sent)).toEqual([3, 2, 1]);
		}, 180_000);
	});

	describe('the credentials', () => {
		/** What the editor's Test button shows. */
		const pressTest = async (type: string, data: Record<string, string>) => {
			const id = await n8n.client.saveCredential(type, data);
			const credentials = { id, name: `${type} of the playground`, type, data };
			const path = '/credentials/test';
			return await n8n.client.session.rest<Record<string, string>>('POST', path, { credentials });
		};

		test.each([
			['conversationExportApi', 'exportUrl'],
			['crmAppointmentApi', 'crmUrl'],
		] as const)('the Test button of %s tells a wrong key from a wrong address', async (type, address) => {
			const apiKey = sandbox.keys.organization;
			const good = await pressTest(type, { baseUrl: sandbox[address], apiKey });
			const badKey = await pressTest(type, { baseUrl: sandbox[address], apiKey: WRONG_KEY });
			const badUrl = await pressTest(type, { baseUrl: sandbox.url, apiKey });

			expect(good).toEqual({ status: 'OK', message: 'Connection successful' });
			expect(badKey).toEqual({ status: 'Error', message: expect.stringContaining('API Key') });
			expect(badUrl).toEqual({ status: 'Error', message: expect.stringContaining('Base URL') });
			// Creating or changing an appointment is a POST to this path.
			const paths = sandbox.requests.list().map(({ path }) => path);
			expect(paths).not.toContain('/crm/custom/appointment');
		});

		test.each(['conversationIntelligence', 'conversationIntelligenceAppointments'] as const)(
			'used by HTTP Request, the key of %s goes to the Base URL alone, whatever the address, a redirect or a proxy',
			async (node) => {
				other.respond([{ status: 200, body: '{}' }]);
				const type = CREDENTIALS[node];
				await n8n.client.saveCredential(type, { baseUrl: `${service.url}/v1`, apiKey: KEY });
				const redirect = { status: 302, headers: { location: `${other.url}/v1/stolen` } };
				service.respond(({ url }) => (url.includes('redirect') ? redirect : { status: 200, body: '{}' }));
				const request = async (url: string, more: INodeParameters = {}) => {
					const own = { authentication: 'predefinedCredentialType', nodeCredentialType: type };
					const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
					return errorOf(await n8n.client.run(nodeWorkflow(node, { url, ...own, ...more }, http)));
				};

				const parameters = [{ name: 'HoST', value: 'evil.example' }];
				const headers = { sendHeaders: true, headerParameters: { parameters } };
				expect(await request(`${service.url}/v1/any`, headers)).toBeUndefined();
				expect(service.seen[0].headers.host).toBe(service.url.slice(7));
				expect(await request(`${service.url}/v1/any`, { options: { proxy: other.url } })).toBeUndefined();
				expect(await request(`${service.url}/v1/redirect`)).toMatchObject({ httpCode: '302' });
				const { message, description } = (await request(`${other.url}/v1/any`))!;
				const refusal = /is not sent to http:.* only to the credential's Base URL/;
				expect(`${message} ${description}`).toMatch(refusal);
				const carriers = service.seen.map(({ headers }) => headers.authorization ?? headers['x-api-key']);
				expect(carriers).toEqual([KEY, KEY, KEY]);
				expect(other.seen).toEqual([]);
			},
		);
	});

	// Runs last: by now n8n has logged failures of every kind.
	test('neither the log nor a saved execution contains a key', async () => {
		await saveSandboxCredentials(n8n.client, sandbox, WRONG_KEY);
		const refused = await n8n.client.run(exportWorkflow());

		expect(detailsOf(refused)).toMatchObject({ code: 'api_key_unknown' });
		// The escapes of .NET.
		const apiKey = 'AbC+def/0123456789==';
		const message = `{"message":"Unknown: ${apiKey.replaceAll('+', '\\u002B').replaceAll('=', '\\u003D')}"}`;
		service.respond([{ status: 401, body: message }]);
		await n8n.client.saveCredential(CREDENTIALS.conversationIntelligence, { baseUrl: service.url, apiKey });
		const echoed = await n8n.client.run(exportWorkflow());
		expect(detailsOf(echoed)).toMatchObject({ response: 'Unknown: ***' });
		for (const text of [n8n.log, JSON.stringify([refused, echoed])]) {
			for (const key of [KEY, apiKey, 'def/0123456789', WRONG_KEY, sandbox.keys.organization])
				expect(text).not.toContain(key);
		}
		expect(n8n.log).toMatch(/Editor is now accessible/);
	});
});
