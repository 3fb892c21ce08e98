import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { createEngine, RecordedResponse, type Engine } from '../../support/engine';
import type { WebhookCall } from '../../support/engine/webhookExchange';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';

const TYPE = 'conversationIntelligenceTrigger';
const SECRET = 'the current secret';
const EVENTS = { events: ['conversation_processed'] };

describe('Conversation Intelligence Trigger', () => {
	let engine: Engine;
	const credential = {
		baseUrl: 'http://127.0.0.1:1/data',
		apiKey: 'key-of-the-test',
		signingSecret: SECRET,
	};

	beforeAll(
		async () =>
			(engine = await createEngine([ConversationIntelligenceTrigger], { conversationExportApi: credential })),
	);

	/** Sends one delivery. If the node leaves the response to n8n, responds like n8n. */
	async function receive(
		event: unknown,
		{
			secret = SECRET,
			parameters = {},
			...more
		}: Pick<WebhookCall, 'mode' | 'nodeId' | 'workflowId'> & {
			secret?: string;
			parameters?: INodeParameters;
		} = {},
	) {
		const call = { ...delivery(event, secret), ...more };
		const { result, response } = await engine.webhook(TYPE, { ...EVENTS, ...parameters }, call);
		if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse);
		return {
			status: response.statusCode,
			body: response.body as { status: string; code?: string; message?: string },
			items: result.workflowData?.[0] ?? [],
			starts: result.workflowData !== undefined,
		};
	}

	// D1-SIG-03
	test.each(['webhook', 'manual'] as const)(
		'rejects a delivery with another signature with 401, says why only in the log, and starts nothing (%s)',
		async (mode) => {
			const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
			// A trigger of its own, because one warns once a minute.
			const rejected = await receive(processedEvent(), { secret: 'guess', mode, nodeId: `forged ${mode}` });
			const body = { status: 'rejected' };
			expect(rejected).toEqual({ status: 401, body, items: [], starts: false });
			expect(warn).toHaveBeenLastCalledWith(
				expect.stringContaining(`: Node: rejected a delivery (signature_mismatch): `),
				expect.objectContaining({ nodeName: 'Node' }),
			);
		},
	);

	test('reads the maximum age from the option', async () => {
		const old = { ...processedEvent(), sent_at: new Date(Date.now() - 20 * 60_000).toISOString() };
		const within = (maximumAgeMinutes: number) => ({ parameters: { options: { maximumAgeMinutes } } });
		expect(await receive(old, within(19))).toMatchObject({ status: 401, starts: false });
		expect(await receive(old, within(21))).toMatchObject({ status: 200, starts: true });
	});

	test('reads the signature from the header of the option', async () => {
		const parameters = { ...EVENTS, options: { signatureHeader: 'X-Mine' } };
		const { body, headers } = delivery(processedEvent(), SECRET);
		const { 'x-service-signature': signature, ...others } = headers;
		for (const [header, starts] of Object.entries({ 'x-service-signature': false, 'x-mine': true })) {
			const call = { body, headers: { ...others, [header]: signature } };
			const { result } = await engine.webhook(TYPE, parameters, call);
			expect(result.workflowData !== undefined).toBe(starts);
		}
	});

	test.each([{ options: { maximumAgeMinutes: -1 } }, { events: 7 }, { filters: { users: 7 } }])(
		'responds with 503 to a setting of the wrong type instead of ignoring it: %j',
		async (parameters) => {
			const rejected = await receive(processedEvent(), { parameters });
			expect(rejected).toMatchObject({ status: 503, body: { status: 'rejected' }, starts: false });
		},
	);

	test('evaluates the filter only for a verified delivery, and no other setting at all', async () => {
		const parameters = { filters: { users: '={{ [$json.body.data.user_email] }}' } };
		const event = processedEvent();
		expect(await receive(event, { parameters })).toMatchObject({ status: 200, starts: true });
		const failing = { filters: { users: '={{ $json.body.data.missing.email }}' } };
		expect(await receive(event, { parameters: failing, secret: 'guess' })).toMatchObject({ status: 401 });
		const expression = { events: '={{ ["conversation_processed"] }}' };
		expect(await receive(event, { parameters: expression })).toMatchObject({ status: 503, starts: false });
	});

	test('rejects a body that n8n cannot read, and verifies a missing body as empty bytes', async () => {
		const { headers } = delivery(Buffer.alloc(0), SECRET);
		const tooLarge = { ...delivery(processedEvent(), SECRET), unreadable: new Error('Payload too large') };
		const rejected = await engine.webhook(TYPE, EVENTS, tooLarge);
		expect(rejected.result).toEqual({ noWebhookResponse: true });
		expect(rejected.response).toMatchObject({ statusCode: 400, body: { status: 'rejected' } });
		const empty = await engine.webhook(TYPE, EVENTS, { headers });
		expect(empty.response).toMatchObject({ statusCode: 422, body: { code: 'not_an_envelope' } });
	});

	// D1-SIG-02
	test('verifies whitespace, escapes and other characters byte by byte', async () => {
		const event = processedEvent();
		const texts = [
			JSON.stringify(event, null, '\t'),
			JSON.stringify(event).replace('Roof', '\\u0052oof'),
			JSON.stringify({ ...event, data: { ...event.data, summary: '屋根 🏠 \u2028' } }),
		];
		for (const text of texts) {
			const body = Buffer.from(text.replace(event.data.conversation_id, crypto.randomUUID()));
			expect(await receive(body)).toMatchObject({ status: 200, starts: true });
			const call = { body: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)) };
			const { headers } = delivery(body, SECRET);
			const { response } = await engine.webhook(TYPE, EVENTS, {
				...call,
				headers,
			});
			expect(response.statusCode).toBe(401);
		}
	});

	describe('events', () => {
		test('responds to a test that is not selected with what to select, and starts nothing', async () => {
			const message = expect.stringMatching(/^The signature fits\. Select Test under Trigger On/);
			const body = { status: 'ignored', message };
			expect(await receive(testEvent())).toEqual({ status: 200, body, items: [], starts: false });
		});

		test('does not say that a signature fits when none was checked', async () => {
			const unsigned = await createEngine([ConversationIntelligenceTrigger], {
				conversationExportApi: { ...credential, signingSecret: '' },
			});
			const parameters = { ...EVENTS, options: { allowUnsigned: true } };
			// A node of its own, because the secrets of the other one are remembered for a second.
			const call = { ...delivery(testEvent()), nodeId: 'unsigned' };
			const { result } = await unsigned.webhook(TYPE, parameters, call);
			const message = expect.stringMatching(/^The delivery is not signed\. /);
			expect(result.webhookResponse).toEqual({ status: 'ignored', message });
		});

		test('starts the workflow for each test once Test is selected', async () => {
			const parameters = { events: ['test'] };
			for (let time = 0; time < 2; time++) {
				expect(await receive(testEvent(), { parameters })).toMatchObject({ status: 200, starts: true });
			}
			expect(await receive(processedEvent(), { parameters })).toMatchObject({
				status: 200,
				body: { message: expect.stringContaining('Select Conversation Processed') },
				starts: false,
			});
		});

		test.each(['webhook', 'manual'] as const)(
			'responds to an event of an unknown type with 200, logs the type, and starts nothing (%s)',
			async (mode) => {
				const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
				const event_type = 'line\nbreak'.padEnd(300, '!');
				expect(await receive({ event_type }, { mode, nodeId: `unknown type ${mode}` })).toMatchObject({
					status: 200,
					body: { status: 'ignored' },
					starts: false,
				});
				const type = `${JSON.stringify(event_type).slice(0, 100)}…`;
				expect(warn.mock.calls.map(([line]) => line)).toEqual([
					expect.stringContaining(`: Node: ignored an event of the unknown type ${type}`),
				]);
			},
		);

		describe('with a filter for two users', () => {
			const parameters = {
				filters: { users: ['ben@example.com', 'eve@example.com'] },
				events: ['conversation_processed', 'test'],
			};

			test.each(['ben@example.com', 'eve@example.com'])('starts for %s', async (user_email) => {
				const event = processedEvent(undefined, { user_email });
				expect(await receive(event, { parameters })).toMatchObject({ starts: true });
			});

			test.each(['Ben@example.com', 'ana@example.com', null, undefined])(
				'ignores a conversation of %p, but shows it while the editor listens',
				async (user_email) => {
					const event = processedEvent(undefined, { user_email });
					expect(await receive(event, { parameters })).toMatchObject({
						status: 200,
						body: { status: 'ignored', message: expect.stringContaining('User Names or IDs') },
						starts: false,
					});
					expect(await receive(event, { parameters, mode: 'manual' })).toMatchObject({ starts: true });
				},
			);

			test('starts for tests, whoever they name as user', async () => {
				expect(await receive(testEvent(), { parameters })).toMatchObject({ starts: true });
			});
		});

		// D1-TEST-01
		test('shows a test as a sample with its nulls while the editor listens', async () => {
			const { conversation_id, ...data } = testEvent().data;
			expect(conversation_id).toBeDefined();
			const { items } = await receive({ ...testEvent(), data }, { mode: 'manual' });
			const empty = { dedupeKey: null, transcriptUrlExpiresAt: null };
			expect(items[0].json).toMatchObject({ ...data, ...empty, event_type: 'test', user_id: null });
		});

		test('requires a signature and shows repeats while the editor listens', async () => {
			const event = processedEvent();
			expect(await receive(event, { mode: 'manual', secret: 'guess' })).toMatchObject({ status: 401 });
			expect(await receive(event, { mode: 'manual' })).toMatchObject({ starts: true });
			expect(await receive(event, { mode: 'manual' })).toMatchObject({ starts: true });
		});
	});

	describe('repeats', () => {
		/** Until copies that wait for the first do so: nothing else in their way needs a timer or the network. */
		const reached = async () => await new Promise((resolve) => setImmediate(resolve));

		test.each([{ nodeId: 'another-node' }, { workflowId: 'another-workflow' }])(
			'starts every trigger that receives a conversation, even %j',
			async (other) => {
				const event = processedEvent();
				expect(await receive(event)).toMatchObject({ starts: true });
				expect(await receive(event, other)).toMatchObject({ starts: true });
				expect(await receive(event, other)).toMatchObject({ body: { status: 'repeat' }, starts: false });
			},
		);

		test('lets repeats through when Ignore Repeats is off', async () => {
			const event = processedEvent();
			const parameters = { options: { dropRepeats: false } };
			expect(await receive(event, { parameters })).toMatchObject({ starts: true });
			expect(await receive(event, { parameters })).toMatchObject({ starts: true });
		});

		// D1-WH-01
		test.each([
			['n8n responded with 500', new RecordedResponse(), 500],
			['the sender had hung up before', new RecordedResponse().abort(), 200],
		])('lets a repeat through when the delivery was not acknowledged because %s', async (...row) => {
			const [, response, status] = row;
			const event = processedEvent();
			const { result } = await engine.webhook(TYPE, EVENTS, delivery(event, SECRET), response);
			expect(result.workflowData).toBeDefined();
			response.status(status).end();
			expect(await receive(event)).toMatchObject({ starts: true });
		});

		// D1-WH-01
		test('responds to simultaneous copies only once the first is accepted, and starts one run', async () => {
			const event = processedEvent();
			const first = await engine.webhook(TYPE, EVENTS, delivery(event, SECRET));
			const copies = [receive(event), receive(event)];
			await reached();
			first.response.json({ status: 'accepted' });
			expect(await Promise.all(copies)).toMatchObject([
				{ status: 200, body: { status: 'repeat' } },
				{ status: 200, body: { status: 'repeat' } },
			]);
		});

		test('starts one of several copies when the first is not accepted', async () => {
			const event = processedEvent();
			const first = await engine.webhook(TYPE, EVENTS, delivery(event, SECRET));
			const copies = [receive(event), receive(event), receive(event)];
			await reached();
			first.response.status(500).end();
			const started = (await Promise.all(copies)).filter(({ starts }) => starts);
			expect(started).toHaveLength(1);
		});
	});
});
