import { createHmac } from 'node:crypto';
import { type Sandbox, startSandbox } from '../../../../sandbox';
import { type Receiver, type Responder, startReceiver } from '../../../../harness/webhook/receiver';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const retryDelays = [20, 20];

let sandbox: Sandbox;
let receivers: Receiver[];
beforeEach(async () => {
	receivers = [];
	sandbox = await startSandbox({ conversations: 300, webhookRetryDelaysMs: retryDelays });
});
afterEach(async () => {
	await sandbox.close();
	await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function subscribe(answer?: Responder, more: object = {}) {
	const receiver = await startReceiver(answer);
	receivers.push(receiver);
	const subscription = sandbox.webhooks.subscriptions.add({ url: receiver.url, ...more });
	return { receiver, subscription };
}

const refuse =
	(status: number): Responder =>
	(response) =>
		void response.writeHead(status).end('no');

describe('The envelope (D1 § Envelope)', () => {
	it('has exactly the documented keys and nulls', async () => {
		const { receiver } = await subscribe();
		await sandbox.webhooks.emit({ count: 300 });
		expect(receiver.received).toHaveLength(300);
		for (const { json, method, headers } of receiver.received) {
			expect(method).toBe('POST');
			expect(headers['content-type']).toBe('application/json');
			expect(Object.keys(json)).toEqual(['webhook_event_id', 'event_type', 'sent_at', 'data']);
			expect(json.webhook_event_id).toMatch(uuid);
			expect(json.event_type).toBe('conversation_processed');
			expect(json.sent_at).toMatch(isoUtc);
			expect(Object.keys(json.data)).toEqual([
				'conversation_id',
				'organization_id',
				'conversation_url',
				'transcript_url',
				'user_id',
				'user_email',
				'recorded_at',
				'recording_duration_seconds',
				'summary',
				'custom_insights',
				'surveys',
				'appointment_id',
				'customer',
			]);
			for (const survey of json.data.surveys) {
				expect(Object.keys(survey)).toEqual([
					'surveyId',
					'conversationId',
					'surveyName',
					'createdAt',
					'data',
				]);
				expect(survey.conversationId).toBe(json.data.conversation_id);
			}
			if (json.data.customer) expect(Object.keys(json.data.customer)).toEqual(['name', 'email', 'phone']);
		}
		const data = receiver.received.map(({ json }) => json.data);
		expect(new Set(data.map(({ conversation_id }) => conversation_id)).size).toBe(300);
		for (const nullable of ['transcript_url', 'summary', 'custom_insights', 'appointment_id', 'customer']) {
			const kinds = new Set(data.map((each) => each[nullable] === null));
			expect([nullable, kinds]).toEqual([nullable, new Set([true, false])]);
		}
	});

	it('links to a transcript that can be fetched without a key', async () => {
		const { receiver } = await subscribe();
		await sandbox.webhooks.emit({ count: 1 });
		const [{ json }] = receiver.received;
		const response = await fetch(json.data.transcript_url);
		expect(response.status).toBe(200);
		expect(await response.json()).toEqual(
			expect.arrayContaining([expect.objectContaining({ start: expect.any(Number) })]),
		);
	});
});

describe('The signature (D1 § Webhook delivery)', () => {
	it('is the lowercase hex HMAC-SHA256 of the sent bytes', async () => {
		const secret = 'top secret ü';
		const { receiver } = await subscribe(undefined, { secret });
		await sandbox.webhooks.emit({ count: 50 });
		for (const { headers, raw } of receiver.received) {
			const expected = createHmac('sha256', secret).update(raw).digest('hex');
			expect(headers['x-service-signature']).toBe(`sha256=${expected}`);
		}
	});

	it('is missing without a secret', async () => {
		const { receiver } = await subscribe(undefined, { secret: '' });
		await sandbox.webhooks.emit({ count: 1 });
		expect(receiver.received[0].headers).not.toHaveProperty('x-service-signature');
	});
});

describe('Delivery', () => {
	it('goes once to each enabled subscription, with its own custom headers', async () => {
		const one = await subscribe(undefined, { customHeaders: { 'X-Receiver-Key': 'één' } });
		const two = await subscribe();
		const off = await subscribe(undefined, { enabled: false });
		await sandbox.webhooks.emit({ count: 1 });
		expect([one, two, off].map(({ receiver }) => receiver.received.length)).toEqual([1, 1, 0]);
		expect(one.receiver.received[0].headers['x-receiver-key']).toBe('één');
		const [first, second] = [one, two].map(({ receiver }) => receiver.received[0].json);
		expect(first.data.conversation_id).toBe(second.data.conversation_id);
		expect(first.webhook_event_id).not.toBe(second.webhook_event_id);
	});

	it('is retried with a new event ID if every subscription failed', async () => {
		let calls = 0;
		const { receiver } = await subscribe(
			(response) => void response.writeHead(++calls < 3 ? 500 : 204).end(),
		);
		await subscribe(refuse(404));
		const summary = await sandbox.webhooks.emit({ count: 1 });
		expect(summary).toMatchObject({ delivered: 1, failed: 0, attempts: 6, successes: 1 });
		const events = receiver.received.map(({ json }) => json);
		expect(new Set(events.map(({ webhook_event_id }) => webhook_event_id)).size).toBe(3);
		expect(new Set(events.map(({ data }) => data.conversation_id)).size).toBe(1);
		expect(sandbox.webhooks.deliveries.deadLetters()).toEqual([]);
	});

	it('is not retried if one of several subscriptions accepted it', async () => {
		const failing = await subscribe(refuse(500));
		await subscribe();
		await sandbox.webhooks.emit({ count: 1 });
		expect(failing.receiver.received).toHaveLength(1);
	});

	it.each([
		['a status other than 2xx', refuse(302), 302, null],
		['a broken connection', (response) => void response.destroy(), null, 'other side closed'],
	] satisfies Array<[string, Responder, number | null, string | null]>)(
		'fails on %s and becomes a dead letter after all retries',
		async (_name, answer, status, problem) => {
			const { receiver } = await subscribe(answer, { customHeaders: { 'X-Key': '1' } });
			await sandbox.webhooks.emit({ count: 1 });
			expect(receiver.received).toHaveLength(retryDelays.length + 1);
			const [delivery] = sandbox.webhooks.deliveries.list();
			expect(delivery).toMatchObject({ state: 'failed' });
			expect(delivery.attempts.map((attempt) => [attempt.round, attempt.status, attempt.problem])).toEqual(
				[1, 2, 3].map((round) => [round, status, problem]),
			);
			expect(sandbox.webhooks.deliveries.deadLetters()).toEqual([
				expect.objectContaining({
					deliveryId: delivery.id,
					conversationId: receiver.received[0].json.data.conversation_id,
					reason: 'Every subscription failed 3 times.',
				}),
			]);
		},
	);

	it('fails without a response in time', async () => {
		const impatient = await startSandbox({ webhookTimeoutMs: 50 });
		const { receiver } = await subscribe(() => undefined);
		const subscription = impatient.webhooks.subscriptions.add({ url: receiver.url });
		const { state, attempts } = await impatient.webhooks.engine.sendTest(subscription);
		await impatient.close();
		expect(state).toBe('failed');
		expect(attempts[0]).toMatchObject({ status: null, problem: 'No answer within 0.05 seconds' });
		expect(attempts[0].milliseconds).toBeGreaterThanOrEqual(49);
	});

	it('has a default time limit of ten seconds', () => {
		expect(sandbox.options.webhookTimeoutMs).toBe(10_000);
	});

	it('succeeds with a 2xx whose body never ends', async () => {
		await subscribe((response) => void response.writeHead(200).write('half'));
		expect(await sandbox.webhooks.emit({ count: 1 })).toMatchObject({ delivered: 1, attempts: 1 });
	});

	it('uses the given concurrency and repeat share, over keep-alive connections', async () => {
		const { receiver } = await subscribe((response) => void setImmediate(() => response.end()));
		const summary = await sandbox.webhooks.emit({
			count: 200,
			concurrency: 20,
			repeatShare: 0.1,
			repeatWhen: 'later',
		});
		expect(summary).toMatchObject({ conversations: 200, repeats: 20, attempts: 220, statuses: { 200: 220 } });
		const ids = receiver.received.map(({ json }) => json.data.conversation_id);
		expect(new Set(ids).size).toBe(200);
		expect(receiver.mostAtOnce).toBeLessThanOrEqual(20);
		expect(receiver.mostAtOnce).toBeGreaterThan(10);
		expect(receiver.connections).toBeLessThan(60);
	});

	it('stops when the sandbox is closed', async () => {
		await subscribe(() => undefined);
		const running = sandbox.webhooks.emit({ count: 100, concurrency: 5 });
		await receivers[0].got(5);
		await sandbox.close();
		expect(await running).toMatchObject({ delivered: 0, failed: 0, attempts: 0 });
	});
});

describe('Redirects (D1-WH-06)', () => {
	const redirectTo =
		(location: string): Responder =>
		(response, { path }) =>
			void (path === '/' ? response.writeHead(307, { location }).end() : response.end('arrived'));

	it.each([
		['are followed without custom headers', {}, 'delivered'],
		['fail with custom headers', { 'X-Key': '1' }, 'failed'],
	])('%s', async (_name, customHeaders, state) => {
		const { receiver, subscription } = await subscribe(redirectTo('/moved'), { customHeaders });
		await sandbox.webhooks.emit({ count: 1 });
		expect(sandbox.webhooks.deliveries.list()[0].state).toBe(state);
		const test = await sandbox.webhooks.engine.sendTest(subscription);
		expect(test.state).toBe(state);
		const paths = new Set(receiver.received.map(({ path }) => path));
		expect(paths).toEqual(new Set(state === 'failed' ? ['/'] : ['/', '/moved']));
	});

	it('are not followed to an endpoint without HTTPS', async () => {
		const { subscription } = await subscribe(redirectTo('http://example.com/'));
		const { attempts } = await sandbox.webhooks.engine.sendTest(subscription);
		expect(attempts[0]).toMatchObject({
			status: null,
			problem: 'Not delivered: http://example.com is not an HTTPS endpoint.',
		});
	});
});
