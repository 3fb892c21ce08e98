import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import * as fc from 'fast-check';
import type { IDataObject, INodeParameters, IWebhookFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import type { WebhookSettings } from '../../../nodes/ConversationIntelligenceTrigger/triggerParameters';
import { deliveryContent, isDuplicate } from '../../../nodes/ConversationIntelligenceTrigger/receive';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { startReceiver } from '../../../harness/webhook/receiver';
import { startSandbox } from '../../../sandbox';
import { allCases } from '../../support/allPairs';
import { createEngine, type Engine } from '../../support/engine';
import { RecordedResponse, type WebhookCall } from '../../support/engine/triggers';
import { ScriptedServer } from '../../support/scriptedServer';

const TYPE = 'conversationIntelligenceTrigger';
const SECRET = 'the current secret';
const ANA = 'ana@example.com';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CREDENTIAL = { baseUrl: 'http://127.0.0.1:1/data', apiKey: 'key-1', signingSecret: SECRET };

const NODES = [ConversationIntelligenceTrigger];
const engineWith = async (credential: object = {}) =>
	await createEngine(NODES, { conversationExportApi: { ...CREDENTIAL, ...credential } });
let engine: Engine;
let unsigned: Engine;
beforeAll(async () => {
	engine = await engineWith();
	unsigned = await engineWith({ signingSecret: '' });
});

let logged: Array<[line: string, by?: object]>;
beforeEach(() => {
	logged = [];
	for (const level of ['info', 'warn'] as const) {
		const write = jest.spyOn(Container.get(Logger), level);
		write.mockImplementation((...line) => void logged.push(line as [string]));
	}
});
afterEach(() => void jest.useRealTimers());

const signed = (event: unknown, secret = SECRET) => delivery(event, secret);

/** How a trigger handles one delivery. What it leaves to n8n is sent, unless the test has a response of its own. */
async function receive(call: WebhookCall, parameters: INodeParameters = {}, by = engine) {
	const given = { events: ['conversation_processed'], ...parameters };
	const { result, response } = await by.webhook(TYPE, given, call);
	if (!call.response && !result.noWebhookResponse) response.status(200).json(result.webhookResponse);
	const items = result.workflowData?.[0].map(({ json }) => json);
	const body = (response.body ?? result.webhookResponse) as { status: string };
	return { status: response.statusCode, body, items, starts: items !== undefined };
}
const send = async (event: unknown, parameters: INodeParameters = {}, secret = SECRET) =>
	await receive(signed(event, secret), parameters);
/** The status that a sender reads in the body. */
const says = async (...given: Parameters<typeof receive>) => (await receive(...given)).body.status;

/** Sets the monotonic clock. */
const clockAt = (milliseconds: number) => jest.spyOn(performance, 'now').mockReturnValue(milliseconds);

// D1-DOES-04, D1-EVENT-01..03, D1-SIG-01, D1-SIG-05, D1-HDR-05, D1-ENVELOPE-04, D1-SUB-06, D1-TEST-01..04
test('each processed conversation and Send test come by one signed POST, and start the workflow if selected', async () => {
	const sandbox = await startSandbox({ conversations: 5, webhookRetryDelaysMs: [] });
	const receiver = await startReceiver();
	const customHeaders = { 'X-Receiver': 'receiver-token' };
	const url = `${receiver.url}/hook`;
	const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SECRET, customHeaders });
	const ids = sandbox.control.insertConversations({ count: 2, announce: true });
	await sandbox.webhooks.sendTest(subscription);
	const delivered = await receiver.got(3);
	await sandbox.close();
	await receiver.close();

	const by = await engineWith({ receiverHeaderName: 'X-Receiver', receiverHeaderSecret: 'receiver-token' });
	const started: IDataObject[] = [];
	for (const { method, raw: body, headers } of delivered) {
		expect(method).toBe(engine.nodeType(TYPE).description.webhooks![0].httpMethod);
		const call = { body, headers: headers as Record<string, string>, node: { id: 'end to end' } };
		for (const lacking of ['x-service-signature', 'x-receiver']) {
			const rest = Object.entries(call.headers).filter(([name]) => name !== lacking);
			const rejected = await receive({ ...call, headers: Object.fromEntries(rest) }, {}, by);
			expect(rejected).toMatchObject({ status: 401, starts: false });
		}
		const { status, items = [] } = await receive(call, {}, by);
		expect(status).toBe(200);
		started.push(...items.map(({ data }) => data as IDataObject));
		const both = { events: ['conversation_processed', 'test'], options: { acceptDuplicates: true } };
		expect(await receive(call, both, by)).toMatchObject({ status: 200, starts: true });
	}
	expect(started.map(({ conversation_id }) => conversation_id).sort()).toEqual(ids.sort());
});

const CASES = allCases({
	type: ['conversation_processed', 'test', 'unknown'] as Array<'conversation_processed' | 'test' | 'unknown'>,
	rep: [ANA, 'Ana@example.com', null],
	events: [['conversation_processed'], ['test'], ['conversation_processed', 'test']],
	filters: [{}, { users: [ANA] }, { minDuration: 3000 }],
	mode: ['webhook', 'manual'] as Array<'webhook' | 'manual'>,
	ignoreDuplicates: [true, false],
	isSigned: [true, false],
});

/** What a trigger answers, which starts the workflow if it is accepted. */
function expectedOf(
	{ type, rep, events, filters, mode, ignoreDuplicates, isSigned }: (typeof CASES)[number],
	times: number,
) {
	const ignored = (reason: string) => {
		const about = isSigned ? 'The signature is valid.' : 'The delivery is not signed.';
		return { status: 'ignored', message: `${about} ${reason}` };
	};
	if (type === 'unknown') return ignored('This trigger does not know the event type.');
	if (mode === 'manual') return { status: 'accepted' };
	const name = type === 'test' ? 'Test' : 'Conversation Processed';
	if (!events.includes(type)) return ignored(`Select ${name} under Trigger On to start the workflow.`);
	if (type === 'test') return { status: 'accepted' };
	// An event that does not say the rep is decided in its execution, as is a duration.
	const isOther = 'users' in filters && rep !== null && rep !== ANA;
	if (isOther) return ignored('The conversation does not pass User Names or IDs.');
	return { status: ignoreDuplicates && times > 1 ? 'duplicate' : 'accepted' };
}

test('an event starts the workflow if it is selected, passes what it says itself, and is no duplicate', async () => {
	for (const [index, one] of CASES.entries()) {
		const { type, rep, events, filters, mode, ignoreDuplicates, isSigned } = one;
		const event = { ...processedEvent('id', { user_email: rep }), event_type: type };
		const parameters = {
			events,
			filters,
			options: { acceptDuplicates: !ignoreDuplicates, allowUnsigned: !isSigned },
		};
		const call = { ...delivery(event, isSigned ? SECRET : undefined), mode, node: { id: `case ${index}` } };
		for (const times of [1, 2]) {
			const { status, body, starts } = await receive(
				call,
				parameters as INodeParameters,
				isSigned ? engine : unsigned,
			);
			const expected = expectedOf(one, times);
			expect({ ...one, times, status, body, starts }).toEqual({
				...{ ...one, times, status: 200, body: expected, starts: expected.status === 'accepted' },
			});
		}
	}
});

test('a rejected delivery to the Test URL shows why', async () => {
	const guessed = await receive({ ...signed(processedEvent(), 'guess'), mode: 'manual' });
	expect(guessed).toMatchObject({ status: 401, body: { status: 'rejected' }, starts: true });
	const input = guessed.items!.map((json) => ({ json }));
	const { error } = await engine.runNode(TYPE, {}, { input, mode: 'manual' });
	expect(error).toMatchObject({ context: { details: { code: 'signature_mismatch' } } });
});

// D1-LIM-06, D1-WH-01, D1-SUB-01
test('requests nothing before it responds, and no subscription: the web app manages them, as its panel says', async () => {
	const silent = await ScriptedServer.start(() => {});
	const slow = await engineWith({ baseUrl: silent.url });
	expect(await receive(signed(processedEvent()), {}, slow)).toMatchObject({ status: 200, starts: true });
	for (const activation of ['activate', 'update', 'init', 'manual'] as const)
		expect(await slow.register(TYPE, { events: ['test'] }, activation)).toBe(true);
	await silent.close();
	expect(silent.seen).toEqual([]);
	const panel = JSON.stringify(engine.nodeType(TYPE).description.triggerPanel);
	expect(panel).toMatch(/webhook subscription with this URL in your conversation service's web app/);
});

test('evaluates the filter only for a verified delivery, and no other setting at all', async () => {
	const users = '={{ [$json.body.data.user_email] }}';
	expect(await send(processedEvent(), { filters: { users } })).toMatchObject({ status: 200, starts: true });
	const failing = { filters: { users: '={{ $json.body.data.missing.email }}' } };
	expect(await send(processedEvent(), failing, 'guess')).toMatchObject({ status: 401 });
	const expression = { events: ['={{ "conversation_processed" }}'] };
	expect(await send(processedEvent(), expression)).toMatchObject({ status: 503, starts: false });
});

test('rejects a body that n8n cannot read, and verifies a missing body as empty bytes', async () => {
	const unreadable = { ...signed(testEvent()), unreadable: new Error('Payload too large') };
	expect(await receive(unreadable)).toMatchObject({
		status: 400,
		body: { status: 'rejected' },
		starts: false,
	});
	const { headers } = signed(Buffer.alloc(0));
	expect(await receive({ headers })).toMatchObject({ status: 422, body: { code: 'not_an_envelope' } });
});

describe('duplicates', () => {
	/** Receives a copy whose response the test sends. */
	const held = async (call: WebhookCall, response = new RecordedResponse()) => {
		await receive({ ...call, response });
		return response;
	};

	// D1-WH-01
	test.each([
		[200, 'duplicate'],
		[299, 'duplicate'],
		[199, 'accepted'],
		[300, 'accepted'],
	])(
		'are copies of a delivery whose response left in full with a success: %i, %s',
		async (status, expected) => {
			const call = signed(processedEvent());
			await held(call, new RecordedResponse().abort());
			const cutOff = await held(call);
			cutOff.status(200).headersSent = true;
			cutOff.abort();
			(await held(call)).status(status).end();
			expect(await says(call)).toBe(expected);
		},
	);

	test('are of the same trigger, and of an event that it did not ignore, so that a filter can be fixed', async () => {
		const call = signed(processedEvent());
		for (const [workflowId, id] of ['wn', 'xn', 'wm']) {
			const own = { ...call, workflowId, node: { id } };
			expect(await says(own, { filters: { users: ['bo@example.com'] } })).toBe('ignored');
			expect(await says(own, { filters: { users: [ANA] } })).toBe('accepted');
			expect(await says(own)).toBe('duplicate');
		}
	});

	// D1-WH-01
	test.each([
		[200, ['duplicate', 'duplicate', 'duplicate']],
		[500, ['accepted', 'duplicate', 'duplicate']],
	])('that arrive together wait for the first, whose response has status %i', async (status, expected) => {
		const call = signed(processedEvent());
		const response = await held(call);
		const copies = [1, 2, 3].map(async () => await says(call));
		await new Promise(setImmediate);
		response.status(status).end();
		expect((await Promise.all(copies)).sort()).toEqual(expected);
	});

	type Attempt = [at: number, sentAt: number, status: string];
	const ofADay: Attempt[] = [
		...[0, MINUTE_MS, DAY_MS].map((at): Attempt => [at, 0, at === 0 ? 'accepted' : 'duplicate']),
		[2 * DAY_MS + 1, 0, 'accepted'],
	];
	const last = 10 * MINUTE_MS;

	// D1-WH-04
	test.each<[string, INodeParameters, Attempt[]]>([
		['for a day when any age is accepted', { maximumAgeMinutes: 0 }, ofADay],
		['for a day when they are not signed', { allowUnsigned: true }, ofADay],
		[
			'as long as the latest copy can be replayed',
			{},
			[
				[0, 0, 'accepted'],
				// A copy from a clock that is ahead can be replayed for longest.
				[last, last + 5 * MINUTE_MS, 'duplicate'],
				[2 * last, last + 5 * MINUTE_MS, 'duplicate'],
				[3 * last + 1, 3 * last + 1, 'accepted'],
			],
		],
	])('are remembered %s', async (how, options, attempts) => {
		const start = Date.now();
		jest.useFakeTimers({ now: start });
		const by = options.allowUnsigned ? unsigned : engine;
		for (const [at, sentAt, expected] of attempts) {
			jest.setSystemTime(start + at);
			const event = { ...processedEvent('id'), sent_at: new Date(start + sentAt).toISOString() };
			const status = await says({ ...signed(event), node: { id: how } }, { options }, by);
			expect([at, status]).toEqual([at, expected]);
			// It is remembered once its response has left.
			await jest.advanceTimersByTimeAsync(0);
		}
	});

	test('are remembered of 100,000 deliveries of all triggers, and the oldest is forgotten with the next one', async () => {
		const arrives = async (id: number, workflow = id % 20) => {
			const response = new RecordedResponse();
			const context = {
				getNode: () => ({ id: 'node', name: 'Node' }),
				getResponseObject: () => response,
				getWorkflow: () => ({ id: String(workflow) }),
				logger: { info: () => {} },
			} as unknown as IWebhookFunctions;
			const event = { event_type: 'conversation_processed', data: { conversation_id: String(id) } };
			const settings = { maximumAgeMs: 900_000 } as WebhookSettings;
			const wasKnown = await isDuplicate(context, { event, isSigned: true }, settings);
			response.end();
			await new Promise(setImmediate);
			return wasKnown;
		};
		for (let id = 1; id <= 100_000; id++) await arrives(id);
		// Sent again, the first one is the latest.
		expect(await arrives(1)).toBe(true);
		// Another trigger has not received it, and the second delivery makes room for it.
		expect(await arrives(2, 19)).toBe(false);
		expect([await arrives(1), await arrives(3), await arrives(2)]).toEqual([true, true, false]);
		// 100,000 deliveries take 10 s on an idle machine.
	}, 180_000);
});

describe('what makes two deliveries the same event', () => {
	const content = (data: object) => deliveryContent(processedEvent('id', { ...data }));

	// D1-ENVELOPE-01, D1-ENVELOPE-03, D1-DATA-04, D1-EVENT-01, D1-WH-04
	test('is neither the attempt nor the query of a presigned link', () => {
		const anyData = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
		const attempt = fc.record({ webhook_event_id: fc.uuid(), token: fc.uuid(), sent_at: fc.string() });
		fc.assert(
			fc.property(attempt, attempt, anyData, (one, other, any) => {
				/** The transcript's link is presigned whatever its query, any other if it looks so. */
				const sent = ({ token, ...own }: typeof one) => {
					const transcript_url = `https://m.example/t.json?token=${token}`;
					const audio = `http://m.example/a.wav?Expires=1&X-Amz-Signature=${token}#t`;
					const a = [any, { audio: [audio, `https://b/?sig=${token}`] }];
					return deliveryContent({ ...processedEvent('id', { transcript_url, a }), ...own });
				};
				expect(sent(other)).toBe(sent(one));
			}),
		);
	});

	// D1-DATA-01, D1-ENVELOPE-01
	test.each<[string, object, object]>([
		['its ID', {}, { conversation_id: 'another' }],
		['its summary', {}, { summary: 'A new summary' }],
		['a file', { a: ['https://b.example/1.jpg?sig=1'] }, { a: ['https://b.example/2.jpg?sig=1'] }],
		['a missing field', {}, { custom_insights: undefined }],
		['an undocumented field', {}, { mood: 'good' }],
		['a transcript that it did not have', {}, { transcript_url: null }],
		['its transcript alone', {}, { transcript_url: 'https://media.example/second.json?signature=1' }],
		['a query that is no signature', { a: 'https://b.example/?id=1' }, { a: 'https://b.example/?id=2' }],
		['a text after a link', { a: 'https://b.example is what? a' }, { a: 'https://b.example is what? b' }],
		['a text before a link', { a: 'Is it https://b.example?a' }, { a: 'Is it https://b.example?b' }],
		['the order of a list', { a: [1, 2] }, { a: [2, 1] }],
		['its level', { a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
		['a name that looks like two', { a: { b: 1 }, c: 2 }, { a: { 'b":1,"c': 2 }, c: 2 }],
	])('is all else, such as %s', (_field, one, other) => {
		expect(content(one)).not.toBe(content(other));
	});
});

describe('the credential', () => {
	// D1-WH-01..02
	test('is read at most once a second, also after a read that failed, which is logged with its reason', async () => {
		let [reads, secret] = [0, ''];
		const conversationExportApi = {
			...CREDENTIAL,
			get signingSecret() {
				reads++;
				if (!secret) throw new Error('Credential\nnot found');
				return secret;
			},
		};
		const by = await createEngine(NODES, { conversationExportApi });
		for (const [at, saved, sent, status, read] of [
			[0, '', 'one', 503, 1],
			[1000, 'one', 'one', 503, 1],
			[1001, 'one', 'one', 200, 2],
			[2001, 'two', 'two', 401, 2],
			[2002, 'two', 'two', 200, 3],
			[2002, 'two', 'one', 401, 3],
		] as const) {
			clockAt(at);
			secret = saved;
			const call = { ...signed(processedEvent(), sent), node: { id: 'read' } };
			const together = await Promise.all([1, 2].map(async () => await receive(call, {}, by)));
			expect([at, reads, ...together.map((one) => one.status)]).toEqual([at, read, status, status]);
		}
		expect(logged[0]).toEqual([
			expect.stringMatching(/^workflow: Node: .*\(trigger_unreadable\).*: Credential\\u000anot found$/),
			{ workflowId: 'workflow', nodeId: 'read', nodeName: 'Node' },
		]);
	});

	test.each([
		['its node chose another one', 'w12', 'n', 'another'],
		['another node has another one', 'w1', '2n', 'conversationExportApi'],
	])('is read again when %s', async (_why, workflowId, id, credentialId) => {
		const call = signed(processedEvent(), 'quite another secret');
		expect(await says({ ...call, workflowId: 'w12', node: { id: 'n' } })).toBe('rejected');
		const by = await engineWith({ signingSecret: 'quite another secret' });
		const credentials = { conversationExportApi: { id: credentialId, name: 'conversationExportApi' } };
		expect(await says({ ...call, workflowId, node: { id, credentials } }, {}, by)).toBe('accepted');
	});
});

test.each([
	['signature_mismatch', 401, false, signed(processedEvent(), 'guess'), /its way\.$/],
	[
		'delivery_too_old',
		401,
		true,
		signed({ ...processedEvent(), sent_at: '2020-01-01' }),
		/Maximum Age\. .*\.$/,
	],
	['not_an_envelope', 422, true, signed({ no: 'event' }), /"data"\. Check who sent it: .*\.$/],
])('logs why it rejects a delivery, and tells only a signed sender: %s', async (code, ...row) => {
	const [status, isTold, call, ends] = row;
	const { body, ...result } = await receive({ ...call, node: { id: `rejecting ${code}` } });
	const told = isTold ? { code, message: expect.stringMatching(ends) } : {};
	expect([result.status, body]).toEqual([status, { status: 'rejected', ...told }]);
	const [[line]] = logged;
	expect(line).toContain(`: rejected a delivery (${code}): `);
	expect(line).toMatch(ends);
	for (const secret of [SECRET, 'guess', call.headers['x-service-signature']])
		expect(line).not.toContain(secret);
});

test('warns once a minute of each reason to reject a delivery, for each trigger', async () => {
	const forged = signed(processedEvent(), 'guess');
	const unsignedOne = delivery(processedEvent());
	for (const [at, id, call, warned] of [
		[0, 'one', forged, ['signature_mismatch']],
		[0, 'one', forged, []],
		[0, 'one', unsignedOne, ['signature_missing']],
		[0, 'other', forged, ['signature_mismatch']],
		[59_999, 'one', forged, []],
		[60_000, 'one', forged, ['signature_mismatch']],
		[60_001, 'one', forged, []],
	] as const) {
		clockAt(at);
		await receive({ ...call, node: { id: `warning ${id}` } });
		const codes = logged.splice(0).map(([line]) => /\((\w+)\)/.exec(line)?.[1]);
		expect([at, id, codes]).toEqual([at, id, warned]);
	}
});

test('names in its log what a sender chose in one visible line', async () => {
	const hostile = 'a\nforged line \u202e\u200b\u2028\u009b';
	await send({ event_type: hostile });
	for (let time = 0; time < 2; time++) await send(processedEvent(hostile));
	expect(logged.map(([line]) => line)).toEqual(
		Array(2).fill(expect.stringContaining('"a\\nforged line \\u202e\\u200b\\u2028\\u009b"')),
	);
});

/** Whether a trigger listens, what it logs instead of failing, or the code of its error. */
async function outcome(credential: object | undefined, parameters: object, mode: WorkflowActivateMode) {
	// Without a credential, n8n cannot read one, as when its vault is away.
	const by = credential ? await engineWith({ signingSecret: '', ...credential }) : await createEngine(NODES);
	const given = { events: ['conversation_processed'], ...parameters };
	const failed = ({ context }: { context: { details: { code: string } } }) => context.details.code;
	const listens = await by.register(TYPE, given, mode).catch(failed);
	const lines = logged.splice(0).map(([line]) => /: Node: (.*?)(?=:|$)/.exec(line)?.[1]);
	return listens === true ? lines.join() || 'listens' : listens;
}

const SIGNED = { signingSecret: SECRET };
const FAILED = 'cannot accept deliveries';
const HALF = 'receiver_header_incomplete';
const NONE = 'signing_secret_missing';

test.each<[credential: object | undefined, parameters: object, ...outcomes: string[]]>([
	[SIGNED, {}, 'listens', 'listens', 'listens'],
	[{ previousSigningSecret: 'x' }, {}, 'listens', 'listens', 'listens'],
	[{}, { options: { allowUnsigned: true } }, 'listens', 'listens', 'listens'],
	[{ signingSecret: '  ' }, {}, NONE, NONE, FAILED],
	[{ ...SIGNED, receiverHeaderName: 'X-Receiver' }, {}, HALF, FAILED, FAILED],
	[{ ...SIGNED, receiverHeaderSecret: 'token' }, {}, HALF, FAILED, FAILED],
	[undefined, {}, 'n8n_error', FAILED, FAILED],
	[SIGNED, { events: 7 }, 'value_invalid', FAILED, FAILED],
	[SIGNED, { filters: { users: 7 } }, 'value_invalid', FAILED, FAILED],
])(
	'with %j and %j: "%s" in the editor, "%s" when published, "%s" at a start of n8n, where the live version stays',
	async (credential, parameters, ...expected) => {
		const [inEditor, published, atStart] = expected;
		const modes = ['manual', 'activate', 'update', 'init', 'leadershipChange'] as const;
		const outcomes = [];
		for (const mode of modes) outcomes.push(await outcome(credential, parameters, mode));
		expect(outcomes).toEqual([inEditor, published, published, atStart, atStart]);
	},
);
