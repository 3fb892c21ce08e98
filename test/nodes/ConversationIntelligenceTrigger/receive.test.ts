import * as fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import {
	deliveryContent,
	isRepeat,
	receiveDelivery,
} from '../../../nodes/ConversationIntelligenceTrigger/receive';
import type { WebhookSettings } from '../../../nodes/ConversationIntelligenceTrigger/panel';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { RecordedResponse } from '../../support/engine/webhookExchange';

const SECRET = 'the current secret';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const signedBy = (secret: string) => delivery(processedEvent(), secret);

let nodes = 0;

/** A trigger of its own that receives deliveries. */
function trigger({
	credential = {},
	credentialId = 'credential',
	options = {},
	filters = {},
	workflow = 'workflow',
	node = `node ${++nodes}`,
	handle = receiveDelivery,
} = {}) {
	const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
	const reads = jest.fn(async (): Promise<object> => ({ signingSecret: SECRET, ...credential }));
	const parameters: Record<string, unknown> = { options, filters };
	const receive = async (call = delivery(processedEvent(), SECRET), response = new RecordedResponse()) => {
		const result = await handle({
			getCredentials: reads,
			getHeaderData: () => call.headers,
			getMode: () => 'webhook',
			getNode: () => ({
				id: node,
				name: 'Trigger',
				parameters,
				credentials: { conversationExportApi: { id: credentialId } },
			}),
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getRequestObject: () => ({ readRawBody: async () => {}, rawBody: call.body }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: workflow, name: 'Workflow' }),
			logger: log,
		} as unknown as IWebhookFunctions);
		return { result, response };
	};
	/** @returns the status in the response's body, when n8n sends a success */
	const statusOf = async (call?: ReturnType<typeof delivery>) => {
		const { result, response } = await receive(call);
		const { body } = response as { body?: { status: string } };
		if (!result.noWebhookResponse) response.status(200).end();
		return ((result.webhookResponse ?? body) as { status: string }).status;
	};
	return { receive, statusOf, reads, log, parameters };
}

afterEach(() => void jest.useRealTimers());

/** Sets the monotonic clock. */
const clockAt = (milliseconds: number) => jest.spyOn(performance, 'now').mockReturnValue(milliseconds);

describe('repeats', () => {
	// D1-WH-01
	test.each([
		[200, 'repeat'],
		[299, 'repeat'],
		[199, 'accepted'],
		[300, 'accepted'],
	])(
		'are copies of a delivery whose response left in full with a success: %i, %s',
		async (status, expected) => {
			const { receive, statusOf } = trigger();
			const call = signedBy(SECRET);
			await receive(call, new RecordedResponse().abort());
			const { response } = await receive(call);
			response.status(200).headersSent = true;
			response.abort();
			(await receive(call)).response.status(status).end();
			expect(await statusOf(call)).toBe(expected);
		},
	);

	test('are of the same trigger, and of an event that it did not ignore, so that a filter can be mended', async () => {
		const call = signedBy(SECRET);
		for (const [workflow, node] of ['wn', 'xn', 'wm']) {
			const { statusOf, parameters } = trigger({ workflow, node, filters: { users: ['bo@example.com'] } });
			expect(await statusOf(call)).toBe('ignored');
			parameters.filters = { users: ['ana@example.com'] };
			expect(await statusOf(call)).toBe('accepted');
			expect(await statusOf(call)).toBe('repeat');
		}
	});

	// D1-WH-01
	test.each([
		[200, ['repeat', 'repeat', 'repeat']],
		[500, ['accepted', 'repeat', 'repeat']],
	])('that arrive together wait for the first, whose response has status %i', async (status, expected) => {
		const { receive, statusOf } = trigger();
		const call = signedBy(SECRET);
		const { response } = await receive(call);
		const copies = [1, 2, 3].map(async () => await statusOf(call));
		await new Promise(setImmediate);
		response.status(status).end();
		expect((await Promise.all(copies)).sort()).toEqual(expected);
	});

	/** A trigger whose memory is new and follows the faked time; sends one event at a time, in milliseconds. */
	async function inFakeTime(options: object, credential = {}) {
		const start = Date.now();
		jest.useFakeTimers({ now: start });
		jest.resetModules();
		const { receiveDelivery: handle } = await import(
			'../../../nodes/ConversationIntelligenceTrigger/receive'
		);
		const { statusOf } = trigger({ options, credential, handle });
		return async (at: number, sentAt: number) => {
			jest.setSystemTime(start + at);
			const event = { ...processedEvent('id'), sent_at: new Date(start + sentAt).toISOString() };
			const status = await statusOf(delivery(event, SECRET));
			// It is remembered once its response has left.
			await jest.advanceTimersByTimeAsync(0);
			return status;
		};
	}

	const ofADay = [
		...[[0, 0, 'accepted'] as const, [MINUTE_MS, 0, 'repeat'] as const, [DAY_MS - 1, 0, 'repeat'] as const],
		[DAY_MS, 0, 'accepted'] as const,
	];
	const second = 2 * MINUTE_MS - 1;
	const ahead = 12 * MINUTE_MS - 2;

	// D1-WH-04
	test.each<[string, object, object, ReadonlyArray<readonly [at: number, sentAt: number, status: string]>]>([
		['for a day when any age is accepted', { maximumAgeMinutes: 0 }, {}, ofADay],
		['for a day when they are not signed', { allowUnsigned: true }, { signingSecret: '' }, ofADay],
		[
			'until two minutes later, if sent again: then a person may have done so',
			{},
			{},
			[
				[0, 0, 'accepted'],
				[second, second, 'repeat'],
				// Copies that someone recorded.
				[3 * MINUTE_MS, 0, 'repeat'],
				[3 * MINUTE_MS, second, 'repeat'],
				[3 * MINUTE_MS, 3 * MINUTE_MS, 'accepted'],
				[3 * MINUTE_MS + 1, 3 * MINUTE_MS + 1, 'repeat'],
				[5 * MINUTE_MS, 5 * MINUTE_MS, 'accepted'],
				// A copy from a clock that is ahead can be replayed for longest.
				[7 * MINUTE_MS - 1, ahead, 'repeat'],
				[17 * MINUTE_MS - 2, ahead, 'repeat'],
			],
		],
	])('are remembered %s', async (_, options, credential, attempts) => {
		const send = await inFakeTime(options, credential);
		for (const [at, sentAt, status] of attempts) expect([at, await send(at, sentAt)]).toEqual([at, status]);
	});

	test('never start a workflow twice by one copy, whenever it is replayed', async () => {
		const minutes = fc.integer({ min: 0, max: 40 * 60 }).map((seconds) => seconds * 1000);
		const clock = fc.integer({ min: -5 * 60, max: 5 * 60 }).map((seconds) => seconds * 1000);
		const attempts = fc.array(fc.tuple(minutes, clock, fc.array(minutes, { maxLength: 3 })));
		await fc.assert(
			fc.asyncProperty(attempts, async (sent) => {
				const send = await inFakeTime({ maximumAgeMinutes: 5 });
				const copies = sent.flatMap(([at, ahead, replays], id) =>
					[0, ...replays].map((later) => ({ id, at: at + later, sentAt: at + ahead })),
				);
				const started: number[] = [];
				for (const { id, at, sentAt } of copies.sort((one, other) => one.at - other.at))
					if ((await send(at, sentAt)) === 'accepted') started.push(id);
				expect(started).toEqual([...new Set(started)]);
			}),
			{ numRuns: 30 },
		);
	});

	test('are remembered of 100,000 deliveries of all triggers, and the oldest is forgotten with the next one', async () => {
		const arrives = async (id: number, workflow = id % 20, sent_at = id === 1 ? '2026-03-01' : undefined) => {
			const response = new RecordedResponse();
			const context = {
				getNode: () => ({ id: 'node', name: 'Node' }),
				getResponseObject: () => response,
				getWorkflow: () => ({ id: String(workflow) }),
				logger: { info: () => {} },
			} as unknown as IWebhookFunctions;
			const event = { event_type: 'conversation_processed', data: { conversation_id: String(id) }, sent_at };
			const settings = { maximumAgeMs: 900_000 } as WebhookSettings;
			const wasKnown = await isRepeat(context, { event, isSigned: true }, settings);
			response.end();
			await new Promise(setImmediate);
			return wasKnown;
		};
		for (let id = 1; id <= 100_000; id++) await arrives(id);
		const later = Date.now() + 2 * MINUTE_MS;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		// Sent again, the first one is the latest.
		expect(await arrives(1, 1, '2026-03-02')).toBe(false);
		// Another trigger has not received it, and the second delivery makes room for it.
		expect(await arrives(2, 19)).toBe(false);
		expect([await arrives(1), await arrives(3), await arrives(2)]).toEqual([true, true, false]);
	});
});

describe('what makes two deliveries the same event', () => {
	const content = (data: object) => deliveryContent(processedEvent('id', { ...data }));
	const photo = (name: string) => ({
		surveys: [{ data: { photo: `https://m.example/${name}?signature=1` } }],
	});

	// D1-ENVELOPE-01, D1-ENVELOPE-03, D1-DATA-04, D1-EVENT-01, D1-WH-04
	test('is neither the attempt, nor the query of a presigned link, nor the order of keys', () => {
		const anyData = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
		const attempt = fc.tuple(fc.uuid(), fc.uuid(), fc.string());
		fc.assert(
			fc.property(attempt, attempt, anyData, (one, other, data) => {
				/** The transcript's link is presigned whatever its query, any other if it looks so. */
				const [first, again] = [one, other].map(([webhook_event_id, token, sent_at]) => {
					const links = [
						`http://m.example/a.wav?Expires=1&X-Amz-Signature=${token}#t`,
						`https://b/?sig=${token}`,
					];
					const audio = {
						transcript_url: `https://m.example/t.json?token=${token}`,
						later: { audio: links },
					};
					return { ...processedEvent('id', audio), webhook_event_id, sent_at };
				});
				const turned = Object.fromEntries(Object.entries(data).reverse());
				again.data = { ...again.data, b: turned, a: [turned] } as never;
				first.data = { ...first.data, a: [data], b: data } as never;
				expect(deliveryContent(again)).toBe(deliveryContent(first));
			}),
		);
	});

	// D1-DATA-01, D1-ENVELOPE-01
	test.each<[string, object, object]>([
		['its ID', {}, { conversation_id: 'another' }],
		['its summary', {}, { summary: 'A new summary' }],
		['a file', photo('1.jpg'), photo('2.jpg')],
		['a missing field', {}, { custom_insights: undefined }],
		['an undocumented field', {}, { mood: 'good' }],
		['a transcript that it did not have', {}, { transcript_url: null }],
		['its transcript alone', {}, { transcript_url: 'https://media.example/second.json?signature=1' }],
		[
			'a query that is no signature',
			{ link: 'https://app.example/?id=1' },
			{ link: 'https://app.example/?id=2' },
		],
		[
			'a text after a link',
			{ summary: 'https://a.example is what? a' },
			{ summary: 'https://a.example is what? b' },
		],
		[
			'a text before a link',
			{ summary: 'Is it https://a.example?a' },
			{ summary: 'Is it https://a.example?b' },
		],
		['the order of a list', { a: [1, 2] }, { a: [2, 1] }],
		['its level', { a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
		['a name that looks like two', { a: { b: 1 }, c: 2 }, { a: { 'b":1,"c': 2 }, c: 2 }],
	])('is all else, such as %s', (_field, one, other) => {
		expect(content(one)).not.toBe(content(other));
	});
});

describe('the credential', () => {
	test('is read at most once a second, and a new secret is accepted after it', async () => {
		clockAt(0);
		const { statusOf, reads } = trigger({ credential: { signingSecret: 'the first secret' } });
		const forged = Array.from({ length: 100 }, async () => await statusOf(signedBy('a forged signature')));
		expect(new Set(await Promise.all(forged))).toEqual(new Set(['rejected']));
		reads.mockResolvedValue({ signingSecret: SECRET });
		clockAt(1000);
		expect(await statusOf(signedBy(SECRET))).toBe('rejected');
		expect(reads).toHaveBeenCalledTimes(1);
		clockAt(1001);
		expect(await statusOf(signedBy(SECRET))).toBe('accepted');
		expect(await statusOf(signedBy('the first secret'))).toBe('rejected');
		expect(reads).toHaveBeenCalledTimes(2);
	});

	test.each([
		['its node chose another one', { node: 'n' }, { node: 'n', credentialId: 'another' }],
		['another node has another one', { workflow: 'w1', node: '2n' }, { workflow: 'w12', node: 'n' }],
	])('is read again when %s', async (_why, one, other) => {
		expect(await trigger(one).statusOf()).toBe('accepted');
		const changed = trigger({ ...other, credential: { signingSecret: 'quite another secret' } });
		expect(await changed.statusOf(signedBy('quite another secret'))).toBe('accepted');
	});

	// D1-WH-01..02
	test('is read again a second after a read that failed, which is logged with its reason', async () => {
		clockAt(0);
		const { receive, statusOf, reads, log } = trigger({ node: 'n2' });
		reads.mockRejectedValueOnce(new Error('Credential\nnot found'));
		const { response } = await receive();
		expect(response).toMatchObject({ statusCode: 503, body: { status: 'rejected' } });
		const line = expect.stringMatching(
			/^Workflow: Trigger: .*\(trigger_unreadable\).*: Credential\\u000anot found$/,
		);
		expect(log.warn.mock.calls).toEqual([
			[line, { workflowId: 'workflow', nodeId: 'n2', nodeName: 'Trigger' }],
		]);
		clockAt(1001);
		expect(await statusOf()).toBe('accepted');
	});
});

test.each([
	['signature_mismatch', 401, false, signedBy('guess'), /its way\.$/],
	[
		'delivery_too_old',
		401,
		true,
		delivery({ ...processedEvent(), sent_at: '2020-01-01' }, SECRET),
		/Maximum Age\. .*\.$/,
	],
	['not_an_envelope', 422, true, delivery({ no: 'event' }, SECRET), /"data"$/],
])(
	'logs why it rejects a delivery, and tells only a signed sender: %s',
	async (code, status, isTold, call, ends) => {
		const { receive, log } = trigger();
		const { response } = await receive(call);
		const told = isTold ? { code, message: expect.stringMatching(ends) } : {};
		expect([response.statusCode, response.body]).toEqual([status, { status: 'rejected', ...told }]);
		const [[line]] = log.warn.mock.calls as [[string]];
		expect(line).toContain(`: rejected a delivery (${code}): `);
		expect(line).toMatch(ends);
		for (const secret of [SECRET, 'guess', call.headers['x-service-signature']])
			expect(line).not.toContain(secret);
	},
);

test('warns once a minute of each reason to reject a delivery, for each trigger', async () => {
	const [{ receive, log }, other] = [trigger(), trigger()];
	const forged = signedBy('guess');
	const codes = () =>
		[log, other.log].map(({ warn }) =>
			warn.mock.calls.splice(0).map(([line]) => /\((\w+)\)/.exec(line as string)?.[1]),
		);
	clockAt(0);
	for (let n = 0; n < 100; n++) await receive(forged);
	await receive(delivery(processedEvent()));
	await other.receive(forged);
	expect(codes()).toEqual([['signature_mismatch', 'signature_missing'], ['signature_mismatch']]);
	for (const [at, warned] of [
		[59_999, []],
		[60_000, ['signature_mismatch']],
		[60_001, []],
	] as const) {
		clockAt(at);
		await receive(forged);
		expect(codes()).toEqual([warned, []]);
	}
});

test('names in its log what a sender chose in one visible line', async () => {
	const { statusOf, log } = trigger();
	const hostile = 'a\nforged line \u202e\u200b\u2028\u009b';
	await statusOf(delivery({ event_type: hostile }, SECRET));
	for (let time = 0; time < 2; time++) await statusOf(delivery(processedEvent(hostile), SECRET));
	const lines = [...log.warn.mock.calls, ...log.info.mock.calls].map(([line]) => line as string);
	expect(lines).toEqual(
		Array(2).fill(expect.stringContaining('"a\\nforged line \\u202e\\u200b\\u2028\\u009b"')),
	);
});
