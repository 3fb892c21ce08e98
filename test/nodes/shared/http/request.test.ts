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

	test('is read once per run, even by requests that start together, and again when forgotten', async () => {
		const { context, reads, sent } = scriptedService({ responses: [OK] });
		await Promise.all([serviceRequest(context, READ), serviceRequest(context, READ)]);
		await serviceRequest(context, READ);
		expect({ reads, length: sent.length }).toEqual({ reads: ['conversationExportApi'], length: 3 });
		forgetRun(context);
		await serviceRequest(context, READ);
		expect(reads).toHaveLength(2);
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

describe('A response', () => {
	test.each([200, 204, 299])('with status %i is returned as it is', async (statusCode) => {
		const { response, sent } = await send({ responses: [{ ...OK, statusCode, headers: { date: 'today' } }] });
		expect(response).toMatchObject({ status: statusCode, headers: { date: 'today' } });
		expect(response?.json()).toEqual({ ok: true });
		expect(sent).toHaveLength(1);
	});

	test.each([199, 300, 302, 400, 404, 499, 600])('with status %i is thrown at once', async (statusCode) => {
		const { error, sent } = await send({ responses: [status(statusCode, 'No.')] });
		expect(error?.details).toMatchObject({ status: statusCode, response: 'No.' });
		expect(error?.description).not.toContain('Tried');
		expect(sent).toHaveLength(1);
	});

	test.each([
		[429, 11],
		[599, 6],
	])('with status %i is repeated, then thrown after %i attempts', async (statusCode, attempts) => {
		expect((await send({ responses: [status(statusCode), OK] })).response?.status).toBe(200);
		const { error, sent } = await send({ responses: [status(statusCode, 'No.')] });
		expect(sent).toHaveLength(attempts);
		expect(error?.details.status).toBe(statusCode);
		expect(error?.description).toContain(`Status ${statusCode}: "No." Tried ${attempts} times.`);
	});

	test.each([404, 500])('with status %i is returned where the caller accepts it', async (statusCode) => {
		const accepts = jest.fn(() => true);
		const { response, sent } = await send({ responses: [status(statusCode, 'Gone')] }, { accepts });
		expect(response?.status).toBe(statusCode);
		expect(sent).toHaveLength(1);
		expect(accepts).toHaveBeenCalledWith(response);
	});
});

test.each([
	['of eight 401, five', Array<number>(8).fill(401), 5],
	['of eight 403, five', Array<number>(8).fill(403), 5],
	['of eight 406, five', Array<number>(8).fill(406), 5],
	['of eight 400, which are about their own values, all', Array<number>(8).fill(400), 8],
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
])('inDoubt is %p after %s', async (inDoubt, _, before) => {
	const asked: boolean[] = [];
	const accepts: ServiceRequest['accepts'] = ({ status: code, isInDoubt }) => {
		if (code === 404) asked.push(isInDoubt === true);
		return code === 404;
	};
	const { response, sent } = await send({ responses: [...before, status(404)] }, { accepts });
	expect(response?.status).toBe(404);
	expect(sent).toHaveLength(before.length + 1);
	expect(asked).toEqual([inDoubt]);
});

test.each([
	...[status(429), status(503), failed('ECONNREFUSED')].map((outcome) => [outcome, 2] as const),
	...[status(500), failed('ECONNRESET')].map((outcome) => [outcome, 1] as const),
])('a request that must not be applied twice is sent after %j, in all %i times', async (first, count) => {
	const { sent, error } = await send({ responses: [first, OK] }, { ...WRITE, isOnce: true });
	expect(sent).toHaveLength(count);
	expect(error === undefined).toBe(count === 2);
});

describe('A request without a response', () => {
	test('is repeated, then thrown with the tries', async () => {
		expect((await send({ responses: [failed('ECONNRESET'), OK] })).response?.status).toBe(200);
		const { error, sent } = await send({ responses: [failed('ECONNRESET')] });
		expect(sent).toHaveLength(6);
		expect(error?.details).toEqual({ code: 'service_unreachable', retryable: true });
		expect(error?.description).toMatch(
			/^No response came \(ECONNRESET\)\. Tried 6 times\. Check the Base URL/,
		);
	});

	test.each([
		['CERT_HAS_EXPIRED', 'certificate_refused'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_refused'],
		['EPROTO', 'address_without_https'],
		['Z_DATA_ERROR', 'request_impossible'],
	])('because of %s is not repeated', async (networkCode, code) => {
		const { error, sent } = await send({ responses: [failed(networkCode)] });
		expect(sent).toHaveLength(1);
		expect(error?.details.code).toBe(code);
		expect(error?.description).toContain(networkCode);
	});

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
		expect(sent).toHaveLength(1);
	});
});
