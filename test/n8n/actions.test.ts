import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../harness/credentials';
import { detailsOf, errorOf, itemsOf } from '../../harness/n8n/execution';
import { workflowNode, type WorkflowFile } from '../../harness/n8n/workflowFile';
import { activeUsers } from '../../harness/sendAppointment';
import { mappedByHand } from '../support/columns';
import { CREDENTIALS, exportWorkflow, fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { progress } from '../support/n8n';
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

	describe('where words were said', () => {
		const RANGE = { fromDate: '2026-06-01T00:00:00Z', toDate: '2026-06-02T00:00:00Z' };
		const inserted: string[] = [];
		/** Adds a conversation for each of these transcripts, the rep's turn first; the first is the oldest. */
		const tell = (transcripts: string[][]) => {
			sandbox.control.removeConversations(...inserted.splice(0));
			const [userEmail] = activeUsers(sandbox);
			const ids = transcripts.flatMap((said, index) =>
				sandbox.control.insertConversations({
					said,
					userEmail,
					date: new Date(Date.UTC(2026, 5, 1, 1, index)).toISOString(),
				}),
			);
			inserted.push(...ids);
			return ids;
		};
		afterEach(() => void sandbox.faults.clear());
		afterAll(() => sandbox.control.removeConversations(...inserted));
		const search = async (filters: INodeParameters, more: INodeParameters = {}) => {
			const parameters: INodeParameters = { ...RANGE, rowsFor: 'passages', filters, ...more };
			const execution = await n8n.client.run(exportWorkflow(parameters));
			expect(errorOf(execution)).toBeUndefined();
			const [{ hints = [] }] = execution.data!.resultData.runData[NODE];
			return { items: itemsOf(execution), hints: hints.map(({ message }) => message) };
		};

		/** How each word can be spelled; the last one contains the first. */
		const SPELLINGS = [['price', 'PRICE,', '“Price”'], ['café', 'CAFE\u0301!'], ['roof'], ['prices']];
		const word = fc.nat(SPELLINGS.length - 1);
		const turn = fc.array(fc.tuple(word, fc.nat()), { minLength: 1, maxLength: 5 });
		const transcripts = fc.array(fc.array(turn, { minLength: 2, maxLength: 6 }), {
			minLength: 10,
			maxLength: 30,
		});
		const query = fc.record({
			words: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
			isPhrase: fc.boolean(),
			saidBy: fc.constantFrom(undefined, 'rep', 'others'),
		});

		test('finds a turn if and only if the words were said in it, with who said it, when and what surrounds it', async () => {
			await fc.assert(
				fc.asyncProperty(transcripts, query, async (drawn, { words, isPhrase, saidBy }) => {
					const told = drawn.map((turns) =>
						turns.map((one) =>
							one.map(([index, way]) => SPELLINGS[index][way % SPELLINGS[index].length]).join(' '),
						),
					);
					const ids = tell(told);
					const has = (said: number[]) =>
						isPhrase
							? said.some((_, at) => words.every((index, more) => said[at + more] === index))
							: words.every((index) => said.includes(index));
					const expected = drawn.flatMap((turns, index) =>
						turns.flatMap((one, at) => {
							const isRep = at % 2 === 0;
							if (!has(one.map(([spoken]) => spoken)) || (saidBy && isRep !== (saidBy === 'rep'))) return [];
							const start = turns.slice(0, at).flat().length;
							const texts = told[index];
							return {
								...{ rowKey: `${ids[index]}/turns/${at + 1}`, conversationId: ids[index], isRep, start },
								...{ end: start + one.length, text: texts[at], transcriptError: null },
								...{ before: texts[at - 1] ?? null, after: texts[at + 1] ?? null },
							};
						}),
					);
					const entered = words.map((index) => SPELLINGS[index][0]).join(' ');
					const { items, hints } = await search({
						said: isPhrase ? `"${entered}"` : entered,
						...(saidBy && { saidBy }),
					});
					const byKey = (one: IDataObject, other: IDataObject) =>
						String(one.rowKey) < String(other.rowKey) ? -1 : 1;
					expect(items.map(({ json }) => json).sort(byKey)).toEqual(
						expected.sort(byKey).map((row) => expect.objectContaining(row) as unknown),
					);
					const having = new Set(expected.map(({ conversationId }) => conversationId)).size;
					expect(hints.join('\n')).toContain(
						`Searched the transcripts of ${told.length} of ${told.length} conversations`,
					);
					expect(hints.join('\n')).toContain(`: ${having} have `);
				}),
				{ numRuns: 4, endOnFailure: true },
			);
		});

		test('one that cannot be searched is a row that says why, in rows and in files, and is never left out', async () => {
			const ids = tell([['the price'], ['the roof'], ['the price'], ['price', 'no', 'price']]);
			const fault = { kind: 'htmlPage', status: 404, path: `/transcripts/${ids[2]}.json` } as const;
			sandbox.faults.add(fault);
			const passages = [
				[ids[3], 'price'],
				[ids[3], 'price'],
				[ids[2], null],
				[ids[0], 'the price'],
			];
			const file = { outputAs: 'file', fileFormat: 'ndjson', fileOptions: { gzip: true } };
			const [{ items, hints }, narrowed, written] = [
				await search({ said: 'price' }),
				await search({ said: 'price' }, { rowsFor: 'conversations' }),
				await search({ said: 'price' }, file),
			];
			const told = (rows: IDataObject[]) => rows.map(({ conversationId, text }) => [conversationId, text]);
			const failed = (rows: IDataObject[]) =>
				rows.flatMap(({ conversationId, transcriptError }) =>
					transcriptError === null ? [] : [[conversationId, transcriptError]],
				);
			const why = [[ids[2], expect.stringMatching(/^The transcript could not be downloaded/)]];
			const rows = items.map(({ json }) => json);
			expect([told(rows), failed(rows)]).toEqual([passages, why]);
			expect(hints).toEqual([
				'1 of 4 transcripts could not be read: see transcriptError.',
				expect.stringMatching(
					/^Searched the transcripts of 4 of 4 conversations .*, with a request each: 2 have "price" \(4 rows\)\.$/,
				),
			]);
			const conversations = narrowed.items.map(({ json }) => json);
			expect(conversations.map(({ conversationId }) => conversationId)).toEqual([ids[3], ids[2], ids[0]]);
			expect(failed(conversations)).toEqual(why);
			const [{ json, binary }] = written.items;
			const lines = gunzipSync(await n8n.client.fileOf(binary!.data))
				.toString()
				.trimEnd()
				.split('\n');
			const inFile = lines.map((line) => JSON.parse(line) as IDataObject);
			expect([told(inFile), failed(inFile)]).toEqual([passages, why]);
			expect(json).toMatchObject({ rows: 4, searchedTranscripts: 4, failedTranscripts: 1, complete: true });
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

		/** Starts a workflow, stops it after its first request, and returns the milliseconds until it has ended. */
		const stopAfterRequest = async (workflow: WorkflowFile) => {
			const execution = await n8n.client.start(workflow);
			await service.waitForRequests(1);
			const stoppedAt = Date.now();
			await n8n.client.stopExecution(execution);
			expect((await n8n.client.waitForEnd(execution)).status).toBe('canceled');
			return Date.now() - stoppedAt;
		};

		test('20,000 rows that are being read end within a second after they are stopped', async () => {
			await useService();
			const emails = { user_email: 'ana@example.com', attendee_emails: 'ben@example.com' };
			const columns = mappedByHand({ event_id: '={{ $json.id }}', ...emails });
			const { nodes, connections, ...workflow } = fedWorkflow(
				'Array.from({ length: 20000 }, (_, index) => ({ id: index }))',
				nodeWorkflow('conversationIntelligenceAppointments', { operation: 'update', columns }),
			);
			const request = { url: service.url, options: {} };
			const reached: INode = {
				...workflowNode('Reached', 'n8n-nodes-base.httpRequest', 4.2, request),
				// The highest node runs first, just before the appointments node.
				position: [0, -1000],
				executeOnce: true,
			};
			const branches = [['Reached', NODE].map((name) => ({ node: name, type: 'main' as const, index: 0 }))];
			const stopped = async (own: Partial<INode>) => {
				service.respond([{ status: 200, body: 'OK' }]);
				return await stopAfterRequest({
					...workflow,
					nodes: [...nodes.map((node) => (node.name === NODE ? { ...node, ...own } : node)), reached],
					connections: { ...connections, Rows: { main: branches } },
				});
			};
			// n8n itself takes a second or more to save the rows: its own Wait node says how long.
			const parameters = { amount: 60, unit: 'seconds' };
			const wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters, credentials: undefined };
			const times = { wait: Infinity, update: Infinity };
			for (let round = 0; round < 3; round++) {
				times.wait = Math.min(times.wait, await stopped(wait));
				times.update = Math.min(times.update, await stopped({}));
			}
			progress(`Stopped after ${times.update} ms; a Wait node in its place after ${times.wait} ms`);
			expect(times.update - times.wait).toBeLessThan(1000);
		});
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
