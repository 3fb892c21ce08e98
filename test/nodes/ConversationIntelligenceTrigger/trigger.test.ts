import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { createEngine, type Engine } from '../../support/engine';
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

			test.each(['Ben@example.com', 'ana@example.com', null])(
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

		test('requires a signature and shows repeats while the editor listens', async () => {
			const event = processedEvent();
			expect(await receive(event, { mode: 'manual', secret: 'guess' })).toMatchObject({ status: 401 });
			expect(await receive(event, { mode: 'manual' })).toMatchObject({ starts: true });
			expect(await receive(event, { mode: 'manual' })).toMatchObject({ starts: true });
		});
	});
});
