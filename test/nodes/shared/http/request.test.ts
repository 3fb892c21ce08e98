import { UserError, type IHttpRequestOptions } from 'n8n-workflow';
import { serviceRequest, type ServiceRequest } from '../../../../nodes/shared/http/request';
import { forgetRun, requestRun, stopRequests } from '../../../../nodes/shared/http/requestRun';
import type { RequestError } from '../../../../nodes/shared/http/requestErrors';
import { bytes, CREDENTIAL, failed, KEY, NODE, scriptedService, type Scripted } from './scriptedService';

const READ: ServiceRequest = {
	...{ credentialType: 'conversationExportApi', method: 'GET', path: '/export/x%20y' },
	json: { maxBytes: 1000, maxRows: 2 },
};
const WRITE: ServiceRequest = { ...READ, method: 'POST', body: { users: ['a@b.example'] }, json: undefined };
const OK = { statusCode: 200, body: bytes({ ok: true }) };
const status = (statusCode: number, body = statusCode === 200 ? '{}' : ''): Scripted => ({
	...{ statusCode, headers: {}, body: bytes(body) },
});
const down = (seconds: string) => ({ statusCode: 503, headers: { 'retry-after': seconds } });
const busy = (seconds: string) => ({ statusCode: 429, headers: { 'retry-after': seconds } });
const after = (milliseconds: number, response: Scripted) => async () => {
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
	return response;
};
/** The HTTP helper ends the request after its time limit. */
const TIMED_OUT = after(60_000, failed('ECONNABORTED'));

/** A byte comes each second, until the connection is closed. */
const DRIPPING = async ({ abortSignal }: IHttpRequestOptions) => {
	async function* drip() {
		for (;;) {
			await new Promise((resolve) => setTimeout(resolve, 1000));
			(abortSignal as AbortSignal).throwIfAborted();
			yield bytes('.');
		}
	}
	return { statusCode: 200, body: drip() };
};

type Service = ReturnType<typeof scriptedService>;
type Responses = Parameters<typeof scriptedService>[0]['responses'];

/** Sends a request while every pause passes at once, and says when each attempt began, in milliseconds. */
async function request(service: Service, more: Partial<ServiceRequest> = {}) {
	const [start, before] = [performance.now(), service.sent.length];
	const settled = serviceRequest(service.context, { ...READ, ...more }).then(
		(response) => ({ response, error: undefined }),
		(error: RequestError) => ({ response: undefined, error }),
	);
	await jest.runAllTimersAsync();
	const sent = service.sent.slice(before);
	return { ...(await settled), sent, began: sent.map(({ at }) => Math.round(at - start)) };
}

const send = async (responses: Responses, more: Partial<ServiceRequest> = {}) =>
	await request(scriptedService({ responses }), more);

beforeEach(() => {
	jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }).advanceTimersByTime(1);
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => void jest.useRealTimers());

test('a request says what it accepts, and that a body is JSON', async () => {
	const [read] = (await send([OK])).sent;
	const url = 'https://api.example.com/v1/export/x%20y';
	expect(read.options).toMatchObject({ method: 'GET', url, headers: { accept: 'application/json' } });
	expect(read.options).not.toHaveProperty('body');
	const [write] = (await send([OK], WRITE)).sent;
	const headers = { accept: 'text/plain', 'content-type': 'application/json' };
	expect(write.options).toMatchObject({ method: 'POST', headers, body: '{"users":["a@b.example"]}' });
});

test.each([
	[undefined, 60_000],
	[60_001, 60_000],
	[59_999, 59_999],
	[999, 1000],
	[-5000, 1000],
])('a request with %p ms until its deadline may go without progress for %i ms', async (left, timeout) => {
	const { sent } = await send([OK], { deadline: left && performance.now() + left });
	expect(sent[0].options.timeout).toBe(timeout);
});

describe('The credential', () => {
	test('goes to n8n as it was read, with the name and ID that the node shows, and its key is hidden', async () => {
		const { sent, response } = await send([status(200, `key ${KEY}`)], { json: undefined });
		const { credentialType: type } = READ;
		const credentialsDecrypted = { id: 'c1', name: 'My key', type, data: CREDENTIAL };
		expect(sent).toMatchObject([{ type, additional: { credentialsDecrypted } }]);
		expect(response?.body).toBe('key ***');
		const credential = { ...CREDENTIAL, apiKey: 'a-key+with=signs' };
		const escaped = { responses: [status(200, 'key a-key%2Bwith%3Dsigns')], credential };
		expect((await request(scriptedService(escaped), { json: undefined })).response?.body).toBe('key ***');
		const unnamed = scriptedService({ responses: [OK], node: { ...NODE, credentials: undefined } });
		await request(unnamed);
		expect(unnamed.sent[0].additional?.credentialsDecrypted).toMatchObject({ id: '', name: type });
	});

	test('is read once per run and type, even by requests that start together, and again when forgotten', async () => {
		const service = scriptedService({ responses: [OK] });
		await Promise.all([request(service), request(service)]);
		await request(service, { credentialType: 'crmAppointmentApi' });
		expect(service.sent.at(-1)?.additional?.credentialsDecrypted?.type).toBe('crmAppointmentApi');
		forgetRun(service.context);
		await request(service);
		expect(service.reads).toEqual(['conversationExportApi', 'crmAppointmentApi', 'conversationExportApi']);
	});

	test('that cannot be used is refused before anything is sent', async () => {
		const service = scriptedService({ responses: [OK], credential: { ...CREDENTIAL, baseUrl: '' } });
		const { error, sent } = await request(service);
		expect(error?.details).toMatchObject({ code: 'credential_unusable', field: 'Base URL' });
		expect(sent).toEqual([]);
	});
});

const QUOTA = [0, 375, 1125, 2625, 5625, 11_625, 23_625, 46_125, 68_625, 91_125, 113_625];

const INCOMPLETE = /^response_incomplete: It ended early \(ERR_BODY_INCOMPLETE\)\. Tried 6 times\. Run/;

// D2-RETRY-01..03
test.each<[string, Responses, began: number[], said?: RegExp, withinMs?: number]>([
	['five times, each after twice the pause', [status(503)], QUOTA.slice(0, 6), /^service_failed.* Tried 6 t/],
	['five times after a lost connection', [failed('EPIPE')], QUOTA.slice(0, 6), /^service_unreachable/],
	['five times if its response ends in the middle', [status(200, '{"a":')], QUOTA.slice(0, 6), INCOMPLETE],
	['five times if its response is empty', [status(200, '')], QUOTA.slice(0, 6), INCOMPLETE],
	['not if another body came', [status(200, 'oops')], [0], /^response_unreadable: Status 200: "oops"/],
	['five times after a 408', [status(408)], QUOTA.slice(0, 6), /^service_failed/],
	['not if its failure is permanent', [failed('CERT_UNTRUSTED')], [0], /^certificate_refused.*ED\)\. Renew/],
	['once after its time limit', [TIMED_OUT], [0, 60_375], /^service_silent: Tried 2 times\./],
	['once after it dripped for five minutes', [DRIPPING], [0, 301_375], /^service_silent: Tried 2 times\./],
	['for each kind of failure', [status(503), TIMED_OUT, status(503), OK], [0, 375, 61_125, 62_625]],
	['for longer than a minute after a 429', [busy('0')], QUOTA, /^rate_limited.* Tried 11 times\. Run/],
	['after as long as the service asks', [busy('7'), OK], [0, 7000]],
	// The longer of both pauses, each time.
	[
		'after growing pauses, however short it asks',
		[down('1')],
		[0, 1000, 2000, 3500, 6500, 12_500],
		/^service_failed/,
	],
	['never before the backoff', [busy('0'), OK], [0, 375]],
	['after five minutes, if the service asks', [busy('300'), OK], [0, 300_000]],
	['not after a longer pause', [busy('301')], [0], /^rate_limited.* Tried once\..* 301-second pause, above/],
	['until its deadline', [busy('60'), OK], [0, 60_000], undefined, 60_000],
	['not past its deadline', [status(503), OK], [0], /^service_failed.* Tried once\. Run/, 374],
	['not past it while it drips', [DRIPPING], [0], /^service_silent: .*within 120 seconds/, 120_000],
	['not past it, if the service asks', [busy('300')], [0], /once\..* 300-second pause, longer/, 299_999],
])('a request that fails is repeated %s', async (_how, responses, began, ...[said, withinMs = Infinity]) => {
	const sent = await send(responses, { deadline: performance.now() + withinMs });
	expect(sent.began).toEqual(began);
	const { details, message, description } = sent.error ?? {};
	if (said) expect(`${details?.code}: ${description} ${message}`).toMatch(said);
	else expect(await sent.response?.json()).toEqual({ ok: true });
});

test('of responses that are not repeated, those with 2xx are returned, and others that the caller accepts', async () => {
	const returned: number[] = [];
	for (const code of [199, 200, 204, 299, 300, 400, 499, 600]) {
		const { response, sent } = await send([status(code)], { json: undefined });
		expect(sent).toHaveLength(1);
		if (response) returned.push(response.status);
	}
	expect(returned).toEqual([200, 204, 299]);
	for (const code of [404, 500]) {
		const accepts = jest.fn(() => true);
		const { response, sent } = await send([status(code)], { accepts, defectOf: () => 'is not of 2xx' });
		expect([response?.status, sent.length]).toEqual([code, 1]);
		expect(accepts).toHaveBeenCalledWith(response);
	}
});

test('after some 5xx and a lost connection, a request may have been applied', async () => {
	const mayBeApplied = async (before: Scripted[]) => {
		const asked: unknown[] = [];
		const accepts: ServiceRequest['accepts'] = ({ isInDoubt }) => asked.push(isInDoubt) > before.length;
		const { began } = await send([...before, status(404)], { accepts });
		expect(began).toHaveLength(before.length + 1);
		return asked.at(-1);
	};
	const doubtful: number[] = [];
	for (let code = 500; code < 600; code++) if (await mayBeApplied([status(code)])) doubtful.push(code);
	expect(doubtful).toEqual([500, 502, 504, 520, 522, 524, 598, 599]);
	expect(await mayBeApplied([])).toBe(false);
	expect(await mayBeApplied([status(429), failed('ECONNREFUSED')])).toBe(false);
	expect(await mayBeApplied([status(429), failed('ECONNRESET')])).toBe(true);
	expect(await mayBeApplied([status(500), status(429), failed('ECONNREFUSED')])).toBe(true);
});

describe('A request without a response', () => {
	test.each([
		[54_000, 'ECONNABORTED', 'service_silent'],
		// Something else ended it.
		[53_400, 'ECONNABORTED', 'service_unreachable'],
		[54_000, 'ECONNRESET', 'service_unreachable'],
	])('that ends after %i ms of its minute with %s is called %s', async (took, ending, code) => {
		expect((await send([after(took, failed(ending))])).error?.details.code).toBe(code);
	});

	test("that n8n refuses shows n8n's own words and is not repeated", async () => {
		const refusal = Object.assign(new UserError('The request was blocked'), { cause: 'a rule' });
		for (const thrown of [refusal, new Error('Request failed', { cause: refusal })]) {
			const { error, sent } = await send([thrown]);
			expect(error).toBe(refusal);
			expect(sent).toHaveLength(1);
		}
	});
});

const times = <Value>(count: number, value: Value): Value[] => Array<Value>(count).fill(value);

describe('A run', () => {
	/** A run that sends one request after another, and the codes of those that failed. */
	async function inTurn(requests: number, responses: Responses) {
		const service = scriptedService({ responses });
		const codes: Array<string | undefined> = [];
		for (let n = 0; n < requests; n++) codes.push((await request(service)).error?.details.code);
		return { ...service, codes, notSent: codes.filter((code) => code === 'not_sent').length };
	}

	test.each<[string, Array<number | Error>, sent: number, notSent: number]>([
		['after five of eight 401', times(8, 401), 5, 3],
		['after five of eight 403', times(8, 403), 5, 3],
		['after five of eight 406', times(8, 406), 5, 3],
		['after five of eight bad certificates', times(8, failed('CERT_HAS_EXPIRED')), 5, 3],
		['after none of eight 400, which are about their own values', times(8, 400), 8, 0],
		['after no 403 once one request was bad', [400, ...times(7, 403)], 8, 0],
		['after no 403 once one request was accepted', [403, 200, ...times(20, 403)], 22, 0],
		['after no four 403 between accepted requests', [...times(4, 403), 200, ...times(4, 403), 200], 10, 0],
		// Nine failures, five tests, and one attempt each of the fourth and fifth request.
		['after five requests to a service that is down', times(8, 503), 16, 3],
	])('ends %s', async (_when, responses, sent, notSent) => {
		const scripted = responses.map((one) => (typeof one === 'number' ? status(one) : one));
		const run = await inTurn(responses.length, scripted);
		expect([run.sent.length, run.notSent]).toEqual([sent, notSent]);
	});

	test('does not end by failures before a request that was accepted', async () => {
		const run = await inTurn(9, [...times(15, status(503)), OK, status(503)]);
		expect([run.sent.length, run.notSent]).toEqual([31, 0]);
	});

	test('goes on when one of many requests in flight is accepted after the others were refused', async () => {
		const service = scriptedService({ responses: [...times(6, status(403)), OK] });
		await Promise.all(times(8, service).map(async (one) => await request(one)));
		expect((await request(service)).response?.status).toBe(200);
	});

	test('ends at once when one response asks for more than five minutes', async () => {
		const responses = [busy('1'), busy('3600'), ...times(3, status(503))].map((one) => after(50, one));
		const service = scriptedService({ responses });
		requestRun(service.context).limiter.limit({ concurrency: 3 });
		const ended = await Promise.all(times(8, service).map(async (one) => await request(one)));
		// The fourth request left when the first ended.
		const codes = ended.map(({ error }) => error?.details.code);
		expect(codes.sort()).toEqual([
			...times(4, 'not_sent'),
			...['rate_limited', 'rate_limited', 'service_failed', 'service_failed'],
		]);
		expect(service.sent).toHaveLength(4);
	});

	test.each<[string, Responses, number]>([
		// After requests that were accepted, which add nothing; later ones show that the service is not down, and give one back.
		['repeats no failure once its budget is used up', [...times(6, status(503)), OK], 2],
		['spends no budget on refusals for the rate', [...times(5, busy('0')), OK], 6],
	])('%s', async (_rule, round, attempts) => {
		const before = [...times(100, OK), ...times(30, round).flat()];
		const service = scriptedService({ responses: [...before, status(503)] });
		while (service.sent.length < before.length) await request(service);
		expect((await request(service)).began).toHaveLength(attempts);
	});

	test('pauses a request after a refusal even if another is accepted at the same moment', async () => {
		const service = scriptedService({ responses: [busy('0'), OK] });
		const [refused] = await Promise.all([request(service), request(service)]);
		expect(refused.began).toEqual([0, 0, 375]);
	});

	test('keeps the pauses of a refused request short while others are accepted', async () => {
		const service = scriptedService({ responses: [busy('0'), OK, busy('0'), OK] });
		setTimeout(() => void serviceRequest(service.context, READ), 100);
		expect((await request(service)).began).toEqual([0, 100, 375, 750]);
	});

	test('lets the next request start at once after what is no failure of the service', async () => {
		const service = scriptedService({ responses: [new UserError('Blocked'), ...times(9, status(400)), OK] });
		requestRun(service.context).limiter.limit({ concurrency: 1 });
		for (let n = 0; n < 11; n++) expect((await request(service)).began).toEqual([0]);
	});

	test('sends nothing that waits when an error stops it', async () => {
		const service = scriptedService({ responses: [status(400)] });
		requestRun(service.context).limiter.limit({ concurrency: 1 });
		void serviceRequest(service.context, READ).catch(() => stopRequests(service.context));
		expect((await request(service)).error?.name).toBe('AbortError');
		expect(service.sent).toHaveLength(1);
	});

	test('ends its request that waits when its execution is stopped, and sends nothing later', async () => {
		const [stop, reason] = [new AbortController(), new Error('stopped')];
		const service = scriptedService({ responses: [status(503)], signal: stop.signal });
		setTimeout(() => stop.abort(reason), 100);
		expect(await request(service)).toMatchObject({ error: reason, began: [0] });
		expect(await request(service)).toMatchObject({ error: reason, began: [] });
	});

	test('ends its request in flight when its execution is stopped, whether the HTTP helper does or not', async () => {
		const [stop, reason] = [new AbortController(), new Error('stopped')];
		const responses = [async () => await new Promise<Scripted>(() => {})];
		setTimeout(() => stop.abort(reason), 100);
		const { error, sent } = await request(scriptedService({ responses, signal: stop.signal }));
		expect(error).toBe(reason);
		expect((sent[0].options.abortSignal as AbortSignal).reason).toBe(reason);
	});
});
