import type { FaultRequest } from '../../../sandbox';
import { call, control, exportGet, exportPost, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 100, awaitingUpload: 0, errored: 0 });
const add = (fault: FaultRequest) => control(service, 'POST', '/faults', fault);
const clear = async () => {
	for (const path of ['/faults', '/requests']) await control(service, 'DELETE', path);
};
beforeEach(clear);

const page = (number: number) => exportPost(service, 'conversations', { limit: 10, page: number });
async function statuses(count: number) {
	const seen = [];
	for (let number = 1; number <= count; number++) seen.push((await page(number)).status);
	return seen;
}
/** The status of each request since `clear`; 0 for one whose connection was cut. */
async function logged() {
	const log = await control<{ requests: Array<{ status: number }> }>(service, 'GET', '/requests');
	return log.requests.map(({ status }) => status);
}
const cut = /terminated|other side closed|aborted|ECONNRESET/;

describe('a fault', () => {
	test.each<[FaultRequest, number[]]>([
		[{ kind: 'serverError', path: '/data/export/users' }, [200, 200, 200, 200, 200, 200]],
		[{ kind: 'serverError', method: 'GET' }, [200, 200, 200, 200, 200, 200]],
		[{ kind: 'serverError', body: { page: 3 } }, [200, 200, 500, 200, 200, 200]],
		[{ kind: 'serverError', status: 503, times: 2 }, [503, 503, 200, 200, 200, 200]],
		[{ kind: 'serverError', every: 3 }, [200, 200, 500, 200, 200, 500]],
	])('strikes the requests that it describes: %j', async (fault, expected) => {
		await add(fault);
		expect(await statuses(6)).toEqual(expected);
		const struck = expected.filter((status) => status !== 200).length;
		expect(await control(service, 'GET', '/faults')).toMatchObject({ faults: [{ ...fault, struck }] });
	});

	test('strikes by chance, the same requests again for the same seed', async () => {
		const run = async (seed: number) => {
			await clear();
			await add({ kind: 'serverError', probability: 0.5, seed });
			return (await statuses(24)).join();
		};
		const first = await run(7);
		expect([await run(7), first.includes('200'), first.includes('500')]).toEqual([first, true, true]);
		expect(await run(8)).not.toBe(first);
	});

	test.each<[FaultRequest, number, RegExp, string | undefined]>([
		[{ kind: 'tooManyRequests', retryAfterSeconds: 7 }, 429, /^text\/plain/, '7'],
		[{ kind: 'htmlPage' }, 502, /^text\/html/, undefined],
		[{ kind: 'htmlPage', status: 200, text: '<h1>Sign in</h1>' }, 200, /^text\/html/, undefined],
		[{ kind: 'brokenJson' }, 200, /^application\/json/, undefined],
	])('responds instead of the service: %j', async (fault, status, type, retryAfter) => {
		await add(fault);
		const response = await page(1);
		expect(response).toMatchObject({ status, json: undefined, text: fault.text ?? expect.any(String) });
		expect(response.headers['content-type']).toMatch(type);
		expect(response.headers['retry-after']).toBe(retryAfter);
		expect(await logged()).toEqual([status]);
	});

	test.each(['connectionReset', 'lostResponse', 'truncatedBody'] as const)(
		'cuts the connection: %s',
		async (kind) => {
			const [{ audioUrl }] = (await list(service)).conversations;
			await add({ kind });
			await expect(page(1)).rejects.toThrow(cut);
			await expect(call(audioUrl)).rejects.toThrow(cut);
			expect(await logged()).toEqual([200, 0, 0]);
		},
	);

	test('sends nothing, or nothing more after half of the body', async () => {
		const signal = () => AbortSignal.timeout(300);
		const [{ transcriptUrl }] = (await list(service)).conversations;
		await add({ kind: 'stall', times: 1 });
		await expect(fetch(transcriptUrl, { signal: signal() })).rejects.toThrow(/timeout/);
		await add({ kind: 'stalledBody' });
		const response = await fetch(transcriptUrl, { signal: signal() });
		expect((await response.body?.getReader().read())?.value?.length).toBeGreaterThan(1_000);
		await expect((await fetch(transcriptUrl, { signal: signal() })).text()).rejects.toThrow(/timeout/);
	});

	test('delays the response', async () => {
		await add({ kind: 'latency', milliseconds: 120 });
		const start = performance.now();
		expect((await page(1)).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThanOrEqual(115);
	});

	test.each<[FaultRequest, unknown]>([
		[{ kind: 'changedRow', fields: { title: 7 } }, [7, 'number']],
		[{ kind: 'nullRow' }, null],
		[{ kind: 'wrongTypes' }, [expect.any(String), 'string']],
	])('changes the first row of a list and a row alone: %j', async (fault, changed) => {
		const look = (row: unknown) => row && [Object(row).title, typeof Object(row).duration];
		const rows = async () => Object((await page(1)).json).conversations;
		const [{ conversationId }, second] = await rows();
		await add(fault);
		expect((await rows()).slice(0, 2).map(look)).toEqual([changed, look(second)]);
		expect(look((await exportGet(service, conversationId)).json)).toEqual(changed);
	});

	test('inserts and removes a conversation just before a request', async () => {
		const ids = async () =>
			(await list(service, { limit: 10 })).conversations.map((row) => row.conversationId);
		const before = await ids();
		await add({ kind: 'insertConversations', times: 1, position: 2 });
		const { 2: inserted, ...others } = await ids();
		expect(Object.values(others)).toEqual(before.slice(0, 9));
		await add({ kind: 'removeConversations', times: 1 });
		expect((await ids()).slice(0, 3)).toEqual([before[1], inserted, before[2]]);
	});
});

test.each<[string, object, string]>([
	['/faults', { kind: 'earthquake' }, 'kind: '],
	['/faults', { kind: 'latency', often: true }, "Unrecognized key(s) in object: 'often'"],
	['/conversations', { counts: 2 }, "Unrecognized key(s) in object: 'counts'"],
	['/conversations', { userEmail: 'nobody@example.com' }, 'No user has the email'],
	['/processing/finish', { event: 'e-1' }, "Unrecognized key(s) in object: 'event'"],
	['/faults', { kind: 'usagePlan', burst: 0 }, 'burst: '],
	['/webhooks/emit', { count: 1000 }, 'There are only '],
])('the control API refuses a mistake at %s: %j', async (path, body, message) => {
	await expect(control(service, 'POST', path, body)).rejects.toThrow(message);
});
