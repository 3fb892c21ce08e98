import { UserError } from 'n8n-workflow';
import { forgetRun } from '../../../../nodes/shared/http/requestRun';
import { serviceRequest, type ServiceRequest } from '../../../../nodes/shared/http/request';
import type { RequestError } from '../../../../nodes/shared/http/response';
import { bytes, CREDENTIAL, failed, KEY, NODE, scriptedService, type Scripted } from './scriptedService';

const READ = { credentialType: 'conversationExportApi', method: 'GET', path: '/export/x%20y' } as const;
const WRITE = { ...READ, method: 'POST', path: '/export/users', body: { users: ['a@b.example'] } } as const;
const OK = { statusCode: 200, body: bytes({ ok: true }) };
const status = (statusCode: number, body = ''): Scripted => ({ statusCode, headers: {}, body: bytes(body) });

/** Sends a request while every pause passes at once. */
async function send(script: Parameters<typeof scriptedService>[0], more: Partial<ServiceRequest> = {}) {
	const service = scriptedService(script);
	const settled = serviceRequest(service.context, { ...READ, ...more }).then(
		(response) => ({ response, error: undefined }),
		(error: RequestError) => ({ response: undefined, error }),
	);
	await jest.runAllTimersAsync();
	return { ...service, ...(await settled) };
}

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }).advanceTimersByTime(1));
afterEach(() => void jest.useRealTimers());

describe('A request', () => {
	test.each<[string, Partial<ServiceRequest>, object]>([
		[
			'without a body asks for JSON and says nothing of a body',
			{},
			{ url: 'https://api.example.com/v1/export/x%20y', headers: { accept: 'application/json' } },
		],
		[
			'with a body says that it is JSON, and asks for what the caller accepts',
			{ ...WRITE, accept: 'text/plain' },
			{
				method: 'POST',
				url: 'https://api.example.com/v1/export/users',
				headers: { accept: 'text/plain', 'content-type': 'application/json' },
				body: '{"users":["a@b.example"]}',
			},
		],
	])('%s', async (_what, request, options) => {
		const fixed = {
			method: 'GET',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			encoding: 'stream',
			disableFollowRedirect: true,
			timeout: 60_000,
			abortSignal: expect.any(AbortSignal),
		};
		const { sent } = await send({ responses: [OK] }, request);
		expect(sent).toHaveLength(1);
		expect(sent[0].type).toBe('conversationExportApi');
		expect(sent[0].options).toEqual({ ...fixed, ...options });
	});

	test.each([
		['a minute', undefined, 60_000],
		['a minute with a later deadline', 60_001, 60_000],
		['the time until an earlier deadline', 59_999, 59_999],
		['a second at least', 999, 1000],
		['a second after the deadline', -5000, 1000],
	])('may go without progress for %s, and is not repeated past its deadline', async (_, left, timeout) => {
		const deadline = left === undefined ? undefined : performance.now() + left;
		const { sent } = await send({ responses: [status(503), OK] }, { deadline });
		expect(sent[0].options.timeout).toBe(timeout);
		expect(sent).toHaveLength(left === -5000 ? 1 : 2);
	});
});

describe('The credential', () => {
	test('goes to n8n as it was read, with the name and ID that the node shows', async () => {
		const { sent } = await send({ responses: [OK] });
		const { credentialType: type } = READ;
		const credentialsDecrypted = { id: 'c1', name: 'My key', type, data: CREDENTIAL };
		expect(sent[0].additional).toStrictEqual({ credentialsDecrypted });
	});

	test('is named by its type where the node does not say which', async () => {
		const { sent } = await send({ responses: [OK], node: { ...NODE, credentials: undefined } });
		expect(sent[0].additional?.credentialsDecrypted).toMatchObject({ id: '', name: 'conversationExportApi' });
	});

	test('is read once per run and type, even by requests that start together, and again when forgotten', async () => {
		const { context, reads, sent } = scriptedService({ responses: [OK] });
		await Promise.all([serviceRequest(context, READ), serviceRequest(context, READ)]);
		await serviceRequest(context, READ);
		expect({ reads, length: sent.length }).toEqual({ reads: ['conversationExportApi'], length: 3 });
		await serviceRequest(context, { ...READ, credentialType: 'crmAppointmentApi' });
		expect(sent.at(-1)?.additional?.credentialsDecrypted?.type).toBe('crmAppointmentApi');
		forgetRun(context);
		await serviceRequest(context, READ);
		expect(reads).toEqual(['conversationExportApi', 'crmAppointmentApi', 'conversationExportApi']);
	});

	test('that cannot be used is refused before anything is sent', async () => {
		const { sent, error } = await send({ responses: [OK], credential: { ...CREDENTIAL, baseUrl: '' } });
		expect(error?.details).toMatchObject({ code: 'credential_unusable', field: 'Base URL' });
		expect(sent).toEqual([]);
	});

	test('is hidden where the service echoes its key', async () => {
		const { response } = await send({ responses: [status(200, `key ${KEY}`)] });
		expect(response?.body).toBe('key ***');
	});
});

test.each<[Scripted, attempts: number, code: string | undefined]>([
	...[200, 204, 299].map(
		(code) => [{ ...OK, statusCode: code }, 1, undefined] as [Scripted, number, undefined],
	),
	...[199, 400, 499, 600].map((code) => [status(code), 1, 'request_refused'] as [Scripted, number, string]),
	[status(300), 1, 'redirected'],
	[status(404), 1, 'address_not_found'],
	[status(408), 6, 'request_timed_out'],
	[status(429), 11, 'rate_limited'],
	[status(599), 6, 'service_failed'],
	[failed('ECONNRESET'), 6, 'service_unreachable'],
	[failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 1, 'certificate_refused'],
	[failed('EPROTO'), 1, 'address_without_https'],
	[failed('Z_DATA_ERROR'), 1, 'request_impossible'],
])('%j is returned or thrown after %i attempts: %s', async (outcome, attempts, code) => {
	const { response, error, sent } = await send({ responses: [outcome] });
	expect(sent).toHaveLength(attempts);
	expect(error?.details.code).toBe(code);
	if (code === undefined) expect(response?.json()).toEqual({ ok: true });
	else expect(error?.description?.includes(`Tried ${attempts} times.`)).toBe(attempts > 1);
	const second = await send({ responses: [outcome, OK] });
	expect(second.response?.status).toBe(attempts > 1 ? 200 : response?.status);
});

test.each([404, 500])(
	'a response with status %i is returned where the caller accepts it',
	async (statusCode) => {
		const accepts = jest.fn(() => true);
		const more = { accepts, defectOf: () => 'is wrong for a success' };
		const { response, sent } = await send({ responses: [status(statusCode, 'Gone')] }, more);
		expect(response?.status).toBe(statusCode);
		expect(sent).toHaveLength(1);
		expect(accepts).toHaveBeenCalledWith(response);
	},
);

test.each([
	['of eight 401, five', Array<number>(8).fill(401), 5],
	['of eight 403, five', Array<number>(8).fill(403), 5],
	['of eight 406, five', Array<number>(8).fill(406), 5],
	['of eight 400, which are about their own values, all', Array<number>(8).fill(400), 8],
	['after a bad request, all', [400, ...Array<number>(7).fill(403)], 8],
	['after a success, all', [403, 200, ...Array<number>(20).fill(403)], 22],
	['after a success between them, all', [403, 403, 403, 403, 200, 403, 403, 403, 403, 200], 10],
])(
	'the requests of a run that are sent although the service refuses others: %s',
	async (_which, statuses, count) => {
		const { context, sent } = scriptedService({ responses: statuses.map((code) => status(code)) });
		const codes: string[] = [];
		for (let item = 0; item < statuses.length; item++) {
			await serviceRequest(context, READ).catch(({ details }: RequestError) => codes.push(details.code));
			await jest.runAllTimersAsync();
		}
		expect(sent).toHaveLength(count);
		expect(codes.filter((code) => code === 'not_sent')).toHaveLength(statuses.length - count);
	},
);

test('a run goes on when one of many requests in flight is accepted after the others were refused', async () => {
	const { context, sent } = scriptedService({ responses: [...Array<Scripted>(6).fill(status(403)), OK] });
	await Promise.allSettled(Array.from({ length: 8 }, async () => await serviceRequest(context, READ)));
	await jest.runAllTimersAsync();
	await serviceRequest(context, READ);
	expect(sent).toHaveLength(9);
});

test.each<[boolean, string, Scripted[]]>([
	[false, 'the first attempt', []],
	[false, 'a 429', [status(429)]],
	[true, 'a 500', [status(500)]],
	[false, 'a 503', [status(503)]],
	[true, 'a 502', [status(502)]],
	[true, 'a 504', [status(504)]],
	[false, 'a refused connection', [failed('ECONNREFUSED')]],
	[true, 'a reset connection', [failed('ECONNRESET')]],
	[true, 'a 500 and a 429', [status(500), status(429)]],
	[true, 'a 500 and a refused connection', [status(500), failed('ECONNREFUSED')]],
	[true, 'a 429 and a reset connection', [status(429), failed('ECONNRESET')]],
])(
	'a request is in doubt: %p, and then not repeated if it must not be applied twice, after %s',
	async (inDoubt, _, before) => {
		const asked: unknown[] = [];
		const accepts: ServiceRequest['accepts'] = ({ status: code, isInDoubt }) =>
			code === 404 && asked.push(isInDoubt) > 0;
		const { response, sent } = await send({ responses: [...before, status(404)] }, { accepts });
		expect(response?.status).toBe(404);
		expect(sent).toHaveLength(before.length + 1);
		expect(asked).toEqual([inDoubt]);
		const once = await send({ responses: [...before, OK] }, { ...WRITE, isOnce: true });
		expect(once.error === undefined).toBe(!inDoubt);
		expect(once.sent.length <= before.length).toBe(inDoubt);
	},
);

describe('A request without a response', () => {
	/** The HTTP helper ends the request after so long, with `ECONNABORTED` if it aborts it. */
	const endedAfter = (milliseconds: number, code: string) => async () => {
		await new Promise((resolve) => setTimeout(resolve, milliseconds));
		return failed(code);
	};

	test('within its time limit is repeated once, and says how long it took', async () => {
		const request = { timeLimitMs: 300_000, hasDateRange: true };
		const { error, sent } = await send({ responses: [endedAfter(300_000, 'ECONNABORTED')] }, request);
		expect(sent.map(({ options }) => options.timeout)).toEqual([300_000, 300_000]);
		expect(error).toMatchObject({
			message: 'The service did not answer within 300 seconds',
			description: 'Tried 2 times. Use a shorter date range.',
		});
	});

	test.each([
		[0.9, 'ECONNABORTED', 'service_silent'],
		// Something else ended it.
		[0.89, 'ECONNABORTED', 'service_unreachable'],
		[0.9, 'ECONNRESET', 'service_unreachable'],
	])('that ends after %d of its time limit with %s is called %s', async (share, ending, code) => {
		const { error } = await send({ responses: [endedAfter(share * 60_000, ending)] });
		expect(error?.details.code).toBe(code);
	});

	test("that n8n refuses shows n8n's own words and is not repeated", async () => {
		const refusal = new UserError('The request was blocked');
		for (const thrown of [refusal, new Error('Request failed', { cause: refusal })]) {
			const { error, sent } = await send({ responses: [thrown] });
			expect(error).toBe(refusal);
			expect(sent).toHaveLength(1);
		}
	});
});

describe('A stopped execution', () => {
	const reason = new Error('stopped');

	test('sends nothing', async () => {
		const { error, sent } = await send({ responses: [OK], signal: AbortSignal.abort(reason) });
		expect(error).toBe(reason);
		expect(sent).toEqual([]);
	});

	test.each([
		['reports the stop as a network failure', failed('ERR_CANCELED')],
		['throws an error of its own', new Error('aborted')],
	])('ends its request with the reason although the HTTP helper %s', async (_, thrown) => {
		const stop = new AbortController();
		const { signal } = stop;
		const broken = async () =>
			await new Promise<Scripted>((_resolve, reject) =>
				signal.addEventListener('abort', () => reject(thrown)),
			);
		setTimeout(() => stop.abort(reason), 1000);
		const { error, sent } = await send({ responses: [broken], signal });
		expect(error).toBe(reason);
		expect(sent.map(({ options }) => (options.abortSignal as AbortSignal).reason as unknown)).toEqual([
			reason,
		]);
	});
});
