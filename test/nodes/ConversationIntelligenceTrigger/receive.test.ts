import * as fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { receiveDelivery } from '../../../nodes/ConversationIntelligenceTrigger/receive';
import { delivery, processedEvent } from '../../../harness/webhook/deliveries';
import { RecordedResponse } from '../../support/engine/webhookExchange';

const SECRET = 'the current secret';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

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
	test.each([
		[200, 'repeat'],
		[299, 'repeat'],
		[199, 'accepted'],
		[300, 'accepted'],
	])('after a delivery whose response had status %i, a copy is a %s', async (status, expected) => {
		const { receive, statusOf } = trigger();
		const call = delivery(processedEvent(), SECRET);
		(await receive(call)).response.status(status).end();
		expect(await statusOf(call)).toBe(expected);
	});

	// D1-WH-01
	test('a copy is accepted when the sender hung up at once, or after the headers of the response', async () => {
		const { receive, statusOf } = trigger();
		const call = delivery(processedEvent(), SECRET);
		await receive(call, new RecordedResponse().abort());
		const { response } = await receive(call);
		response.status(200).headersSent = true;
		response.abort();
		expect(await statusOf(call)).toBe('accepted');
	});

	test('an event that the filter left out is not remembered, so that it is accepted once the filter is mended', async () => {
		const { statusOf, parameters } = trigger({ filters: { users: ['bo@example.com'] } });
		const call = delivery(processedEvent(), SECRET);
		expect(await statusOf(call)).toBe('ignored');
		parameters.filters = { users: ['ana@example.com'] };
		expect(await statusOf(call)).toBe('accepted');
		expect(await statusOf(call)).toBe('repeat');
	});

	test('every trigger that receives an event is started, and repeats too when they are not ignored', async () => {
		const call = delivery(processedEvent(), SECRET);
		const others = [
			{ node: 'n', workflow: 'w' },
			{ node: 'n', workflow: 'another' },
			{ node: 'm', workflow: 'w' },
		];
		for (const other of others) {
			expect(await trigger(other).statusOf(call)).toBe('accepted');
			expect(await trigger(other).statusOf(call)).toBe('repeat');
		}
		const { statusOf } = trigger({ options: { ignoreRepeats: false } });
		for (let time = 0; time < 2; time++) expect(await statusOf(call)).toBe('accepted');
	});

	// D1-WH-01
	test.each([
		[200, ['repeat', 'repeat', 'repeat']],
		[500, ['accepted', 'repeat', 'repeat']],
	])(
		'copies that arrive together wait for the first, whose response has status %i',
		async (status, expected) => {
			const { receive, statusOf } = trigger();
			const call = delivery(processedEvent(), SECRET);
			const { response } = await receive(call);
			const copies = [1, 2, 3].map(async () => await statusOf(call));
			await new Promise(setImmediate);
			response.status(status).end();
			expect((await Promise.all(copies)).sort()).toEqual(expected);
		},
	);

	test('a repeat is logged with its conversation, workflow and node, and one processed again is none', async () => {
		const { statusOf, log } = trigger();
		const call = delivery(processedEvent('the-conversation'), SECRET);
		for (const expected of ['accepted', 'repeat']) expect(await statusOf(call)).toBe(expected);
		expect(log.info.mock.calls.map(([line]) => line as string)).toEqual([
			expect.stringMatching(/^Workflow: Trigger: .*"the-conversation"/),
		]);
		const processedAgain = processedEvent('the-conversation', { summary: 'Another' });
		expect(await statusOf(delivery(processedAgain, SECRET))).toBe('accepted');
	});

	/** A trigger whose memory is new and follows the faked time. */
	async function triggerInFakeTime(options: object, credential = {}) {
		jest.useFakeTimers({ now: Date.now() });
		jest.resetModules();
		const { receiveDelivery: handle } = await import(
			'../../../nodes/ConversationIntelligenceTrigger/receive'
		);
		return trigger({ options, credential, handle });
	}

	test.each([
		['when any age is accepted', { maximumAgeMinutes: 0 }, {}],
		['when it is not signed', { allowUnsigned: true }, { signingSecret: '' }],
	])(
		'a delivery is remembered for a day %s, and a repeat does not extend it',
		async (_, options, credential) => {
			const { statusOf } = await triggerInFakeTime(options, credential);
			const start = Date.now();
			const call = delivery({ ...processedEvent('id'), sent_at: new Date().toISOString() }, SECRET);
			expect(await statusOf(call)).toBe('accepted');
			// It is remembered once its response has left.
			await jest.advanceTimersByTimeAsync(0);
			for (const age of [MINUTE_MS, DAY_MS - 1]) {
				jest.setSystemTime(start + age);
				expect(await statusOf(call)).toBe('repeat');
			}
			jest.setSystemTime(start + DAY_MS);
			expect(await statusOf(call)).toBe('accepted');
		},
	);

	// D1-WH-04
	test('an event with a newer time of sending starts the workflow two minutes later, because a person may have sent it again', async () => {
		const { statusOf } = await triggerInFakeTime({});
		const start = Date.now();
		const sends = async (atMs: number, sentMs = atMs) => {
			jest.setSystemTime(start + atMs);
			const sent_at = new Date(start + sentMs).toISOString();
			const status = await statusOf(delivery({ ...processedEvent('id'), sent_at }, SECRET));
			await jest.advanceTimersByTimeAsync(0);
			return status;
		};
		expect(await sends(0)).toBe('accepted');
		const second = 2 * MINUTE_MS - 1;
		expect(await sends(second)).toBe('repeat');
		// Copies that someone recorded.
		expect(await sends(3 * MINUTE_MS, 0)).toBe('repeat');
		expect(await sends(3 * MINUTE_MS, second)).toBe('repeat');
		expect(await sends(3 * MINUTE_MS)).toBe('accepted');
		expect(await sends(3 * MINUTE_MS + 1)).toBe('repeat');
		expect(await sends(5 * MINUTE_MS)).toBe('accepted');
		// A copy from a clock that is ahead can be replayed for longest.
		const ahead = 12 * MINUTE_MS - 2;
		expect(await sends(7 * MINUTE_MS - 1, ahead)).toBe('repeat');
		expect(await sends(17 * MINUTE_MS - 2, ahead)).toBe('repeat');
	});

	test('no copy starts a workflow twice, whenever it is replayed', async () => {
		const minutes = fc.integer({ min: 0, max: 40 * 60 }).map((seconds) => seconds * 1000);
		const clock = fc.integer({ min: -5 * 60, max: 5 * 60 }).map((seconds) => seconds * 1000);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(minutes, clock)), fc.array(minutes), async (attempts, replays) => {
				const { statusOf } = await triggerInFakeTime({ maximumAgeMinutes: 5 });
				const start = Date.now();
				const calls = attempts.map(([at, ahead], id) => ({ at, id, sentAt: start + at + ahead }));
				const all = calls.flatMap((call) => [
					call,
					...replays.map((later) => ({ ...call, at: call.at + later })),
				]);
				const started = new Map<number, number>();
				for (const { at, id, sentAt } of all.sort((one, other) => one.at - other.at)) {
					jest.setSystemTime(start + at);
					const event = { ...processedEvent('id'), sent_at: new Date(sentAt).toISOString() };
					const status = await statusOf(delivery(event, SECRET));
					await jest.advanceTimersByTimeAsync(0);
					if (status === 'accepted') started.set(id, (started.get(id) ?? 0) + 1);
				}
				for (const times of started.values()) expect(times).toBe(1);
			}),
			{ numRuns: 30 },
		);
	});
});

describe('the credential', () => {
	const signedBy = (secret: string) => delivery(processedEvent(), secret);

	test('is read at most once a second for forged deliveries, and a new secret is accepted after it', async () => {
		clockAt(0);
		const { statusOf, reads } = trigger();
		reads.mockResolvedValue({ signingSecret: 'the first secret' });
		for (let n = 0; n < 100; n++) expect(await statusOf(signedBy('a forged signature'))).toBe('rejected');
		expect(reads).toHaveBeenCalledTimes(1);
		reads.mockResolvedValue({ signingSecret: SECRET });
		clockAt(1000);
		expect(await statusOf(signedBy(SECRET))).toBe('rejected');
		clockAt(1001);
		expect(await statusOf(signedBy(SECRET))).toBe('accepted');
		expect(await statusOf(signedBy('the first secret'))).toBe('rejected');
		expect(reads).toHaveBeenCalledTimes(2);
	});

	test('is read once for deliveries that arrive together', async () => {
		const { statusOf, reads } = trigger();
		await Promise.all([statusOf(), statusOf()]);
		expect(reads).toHaveBeenCalledTimes(1);
	});

	test.each([
		['its node chose another one', { node: 'n' }, { node: 'n', credentialId: 'another' }],
		['another node has another one', { workflow: 'w1', node: '2n' }, { workflow: 'w12', node: 'n' }],
	])('is read again when %s', async (_why, one, other) => {
		expect(await trigger(one).statusOf()).toBe('accepted');
		const changed = trigger({ ...other, credential: { signingSecret: 'quite another secret' } });
		expect(await changed.statusOf(signedBy('quite another secret'))).toBe('accepted');
		expect(changed.reads).toHaveBeenCalledTimes(1);
	});

	// D1-WH-01..02
	test('is read again a second after a read that failed, which is logged with its reason', async () => {
		clockAt(0);
		const { receive, statusOf, reads, log } = trigger();
		reads.mockRejectedValueOnce(new Error('Credential\nnot found'));
		const { response } = await receive();
		expect(response).toMatchObject({ statusCode: 503, body: { status: 'rejected' } });
		expect(log.warn.mock.calls).toEqual([
			[
				expect.stringMatching(/^Workflow: Trigger: .*\(trigger_unreadable\).*: Credential\\u000anot found$/),
				{ workflowId: 'workflow', nodeId: expect.any(String), nodeName: 'Trigger' },
			],
		]);
		clockAt(1001);
		expect(await statusOf()).toBe('accepted');
	});
});

test.each([
	['signature_mismatch', 401, false, delivery({ no: 'event' }, 'guess')],
	['delivery_too_old', 401, true, delivery({ ...processedEvent(), sent_at: '2020-01-01' }, SECRET)],
	['not_an_envelope', 422, true, delivery({ no: 'event' }, SECRET)],
])(
	'logs why it rejects a delivery, and tells only a signed sender: %s',
	async (code, status, isTold, call) => {
		const { receive, log } = trigger();
		const { response } = await receive(call);
		const told = isTold ? { code, message: expect.stringMatching(/Maximum Age\. Check|"data"$/) } : {};
		expect({ status: response.statusCode, body: response.body }).toEqual({
			status,
			body: { status: 'rejected', ...told },
		});
		const [[line]] = log.warn.mock.calls as [[string]];
		expect(line).toMatch(
			new RegExp(`: rejected a delivery \\(${code}\\): .*(its way\\.|delivery\\.|"data")$`),
		);
		for (const secret of [SECRET, 'guess', call.headers['x-service-signature']])
			expect(line).not.toContain(secret);
	},
);

test('warns once a minute of each reason to reject a delivery, for each trigger', async () => {
	clockAt(0);
	const [{ receive, log }, other] = [trigger(), trigger()];
	const forged = delivery(processedEvent(), 'guess');
	const lines = () =>
		[log, other.log].map(({ warn }) =>
			warn.mock.calls.splice(0).map(([line]) => /\((\w+)\)/.exec(line as string)?.[1]),
		);
	for (let n = 0; n < 100; n++) await receive(forged);
	await receive(delivery(processedEvent()));
	await other.receive(forged);
	expect(lines()).toEqual([['signature_mismatch', 'signature_missing'], ['signature_mismatch']]);
	for (const [at, warned] of [
		[59_999, []],
		[60_000, ['signature_mismatch']],
		[60_001, []],
	] as const) {
		clockAt(at);
		await receive(forged);
		expect(lines()).toEqual([warned, []]);
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
