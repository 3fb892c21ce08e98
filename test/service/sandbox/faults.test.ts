import { once } from 'node:events';
import { request } from 'undici';
import { type FaultRequest, type Sandbox, startSandbox } from '../../../sandbox';
import { always, controlPost, exportGet, exportPost, send } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 100, awaitingUpload: 0, errored: 0 });
});
beforeEach(() => {
	sandbox.faults.clear();
	sandbox.requests.reset();
});
afterAll(() => sandbox.close());

const list = (body: object = {}) => exportPost(sandbox, 'conversations', { ...always, limit: 10, ...body });
const statuses = async (count: number) => {
	const seen: number[] = [];
	for (let index = 0; index < count; index++) seen.push((await list({ page: (index % 10) + 1 })).status);
	return seen;
};

describe('A fault strikes', () => {
	it('only requests with its path and method', async () => {
		sandbox.faults.add({ kind: 'serverError', path: '/data/export/users', method: 'POST' });
		expect((await list()).status).toBe(200);
		expect((await exportPost(sandbox, 'users', always)).status).toBe(500);
		sandbox.faults.add({ kind: 'serverError', method: 'GET' });
		expect((await list()).status).toBe(200);
	});

	it('only requests with its body', async () => {
		sandbox.faults.add({ kind: 'serverError', body: { page: 3 } });
		expect(await statuses(4)).toEqual([200, 200, 500, 200]);
	});

	it('after `afterRequests` requests, `times` times', async () => {
		sandbox.faults.add({ kind: 'serverError', afterRequests: 2, times: 2, status: 503 });
		expect(await statuses(6)).toEqual([200, 200, 503, 503, 200, 200]);
		expect(sandbox.faults.list()).toMatchObject([{ kind: 'serverError', matched: 6, struck: 2 }]);
	});

	it('every n-th request', async () => {
		sandbox.faults.add({ kind: 'serverError', every: 3 });
		expect(await statuses(6)).toEqual([200, 200, 500, 200, 200, 500]);
	});

	it('with its probability, repeatably for a seed', async () => {
		const run = async (seed: number) => {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'serverError', probability: 0.5, seed });
			return (await statuses(24)).join();
		};
		const first = await run(7);
		expect(await run(7)).toBe(first);
		expect(await run(8)).not.toBe(first);
		expect(first).toContain('200');
		expect(first).toContain('500');
	});
});

describe('A fault', () => {
	it.each<[FaultRequest, number, RegExp]>([
		[{ kind: 'tooManyRequests' }, 429, /^text\/plain/],
		[{ kind: 'serverError', status: 502 }, 502, /^text\/plain/],
		[{ kind: 'htmlPage' }, 502, /^text\/html/],
		[{ kind: 'htmlPage', status: 200, text: '<h1>Sign in</h1>' }, 200, /^text\/html/],
	])('%j responds with %i', async (fault, status, type) => {
		sandbox.faults.add(fault);
		const response = await list();
		expect(response.status).toBe(status);
		expect(response.type).toMatch(type);
		if (fault.text) expect(response.text).toBe(fault.text);
		expect(sandbox.requests.list()[0].status).toBe(status);
	});

	it('sends Retry-After in seconds, as a date, or not at all', async () => {
		const retryAfter = async (fault: Partial<FaultRequest>) => {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'tooManyRequests', ...fault });
			const response = await request(`${sandbox.crmUrl}/custom/appointment`, {
				method: 'POST',
				headers: { 'x-api-key': sandbox.keys.organization },
				body: '{}',
			});
			await response.body.dump();
			return response.headers['retry-after'];
		};
		expect(await retryAfter({})).toBeUndefined();
		expect(await retryAfter({ retryAfterSeconds: 7 })).toBe('7');
		const date = String(await retryAfter({ retryAfterSeconds: 60, retryAfterAs: 'date' }));
		expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
		expect(Math.abs(Date.parse(date) - Date.now() - 60_000)).toBeLessThan(5_000);
	});

	it('sends broken JSON', async () => {
		sandbox.faults.add({ kind: 'brokenJson' });
		await expect(list()).rejects.toThrow(SyntaxError);
	});

	it('resets the connection', async () => {
		sandbox.faults.add({ kind: 'connectionReset', times: 1 });
		await expect(list()).rejects.toThrow(/ECONNRESET|other side closed/);
		expect((await list()).status).toBe(200);
		expect(sandbox.requests.list().map((entry) => entry.status)).toEqual([0, 200]);
	});

	it('truncates JSON and audio', async () => {
		const { audioUrl } = (await list()).json.conversations[0];
		sandbox.faults.add({ kind: 'truncatedBody' });
		await expect(list()).rejects.toThrow(/terminated|other side closed|aborted|ECONNRESET/);
		await expect(send(audioUrl)).rejects.toThrow(/terminated|other side closed|aborted|ECONNRESET/);
	});

	it.each([
		['stall', []],
		['stalledBody', ['headers', 'half']],
	] as const)('sends nothing more: %s', async (kind, expected) => {
		sandbox.faults.add({ kind });
		const seen: string[] = [];
		const stalled = request(`${sandbox.exportUrl}/export/users`, {
			method: 'POST',
			headers: { authorization: sandbox.keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify(always),
			headersTimeout: 200,
			bodyTimeout: 200,
		});
		const read = async () => {
			const { body } = await stalled;
			seen.push('headers');
			body.on('data', () => seen.push('half'));
			await once(body, 'end');
		};
		await expect(read()).rejects.toThrow(/Timeout/);
		expect([...new Set(seen)]).toEqual(expected);
	});

	it.each<[FaultRequest, unknown]>([
		[{ kind: 'changedRow', fields: { title: 7 } }, [7, 'number']],
		[{ kind: 'nullRow' }, null],
		[{ kind: 'wrongTypes' }, [expect.any(String), 'string']],
	])('changes the first row or the only one: %j', async (fault, changed) => {
		const look = (row: Record<string, unknown> | null) => row && [row.title, typeof row.duration];
		const rows = async () => (await list()).json.conversations;
		const [{ conversationId }, second] = await rows();
		sandbox.faults.add(fault);
		expect((await rows()).slice(0, 2).map(look)).toEqual([changed, look(second)]);
		expect(look((await exportGet(sandbox, conversationId)).json)).toEqual(changed);
	});

	it('loses the response after the work is done', async () => {
		sandbox.faults.add({ kind: 'lostResponse', times: 1 });
		await expect(list()).rejects.toThrow(/ECONNRESET|other side closed/);
		expect(sandbox.requests.list()).toMatchObject([{ status: 0 }]);
	});

	it('delays the response', async () => {
		sandbox.faults.add({ kind: 'latency', milliseconds: 120 });
		const start = performance.now();
		expect((await list()).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThanOrEqual(115);
	});

	it('lets a link expire early, but not a fresh one', async () => {
		const { audioUrl } = (await list()).json.conversations[0];
		sandbox.faults.add({ kind: 'expiredLink', path: '/audio', times: 1 });
		expect(await send(audioUrl)).toMatchObject({ status: 403, text: 'Request has expired' });
		expect((await send((await list()).json.conversations[0].audioUrl)).status).toBe(200);
	});

	it('slows down audio without truncating it', async () => {
		const { audioUrl } = (await list()).json.conversations[0];
		sandbox.faults.add({ kind: 'slowAudio', path: '/audio', bytesPerSecond: 200_000 });
		const start = performance.now();
		const response = await request(audioUrl);
		const bytes = (await response.body.arrayBuffer()).byteLength;
		expect(bytes).toBe(48_044);
		expect(performance.now() - start).toBeGreaterThan(150);
	});
});

describe('While a client pages', () => {
	type Row = { conversationId: string };
	const ids = async (page: number): Promise<string[]> =>
		(await list({ page })).json.conversations.map((row: Row) => row.conversationId);

	it('a fault inserts conversations before the k-th request, which shifts the pages', async () => {
		const [first, second] = [await ids(1), await ids(2)];
		sandbox.faults.add({ kind: 'insertConversations', afterRequests: 1, times: 1, count: 3, position: 0 });
		expect(await ids(1)).toEqual(first);
		const shifted = (await list({ page: 2 })).json;
		expect(shifted.totalConversations).toBe(103);
		expect(shifted.conversations.map((row: Row) => row.conversationId)).toEqual([
			...first.slice(7),
			...second.slice(0, 7),
		]);
	});

	it('a fault removes conversations at a position', async () => {
		const first = await ids(1);
		sandbox.faults.add({ kind: 'removeConversations', times: 1, count: 2, position: 4 });
		expect((await ids(1)).slice(0, 8)).toEqual(first.filter((_id, index) => index !== 4 && index !== 5));
	});
});

describe('The control API', () => {
	it('adds, lists and clears faults', async () => {
		const { json } = await controlPost(sandbox, 'faults', { kind: 'serverError', times: 1 });
		expect((await list()).status).toBe(500);
		expect((await send(`${sandbox.url}/control/faults`)).json.faults).toMatchObject([
			{ id: json.id, struck: 1 },
		]);
		await send(`${sandbox.url}/control/faults?id=${json.id}`, { method: 'DELETE' });
		expect(sandbox.faults.list()).toEqual([]);
	});

	it('is not affected by faults', async () => {
		sandbox.faults.add({ kind: 'connectionReset' });
		expect((await send(`${sandbox.url}/control/state`)).status).toBe(200);
	});
});

describe('A usage plan', () => {
	afterEach(() => sandbox.usagePlans.set(undefined));

	it('is off until set, counts each key separately, and responds with 429 beyond the burst', async () => {
		expect(await statuses(10)).not.toContain(429);
		await controlPost(sandbox, 'usage-plan', { ratePerSecond: 0.001, burst: 3, appliesTo: ['export'] });
		expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
		expect((await exportPost(sandbox, 'users', always, sandbox.keys.otherOrganization)).status).toBe(200);
		await send(`${sandbox.url}/control/usage-plan`, { method: 'DELETE' });
		expect((await list()).status).toBe(200);
	});

	it('does not apply to the export API by default', async () => {
		sandbox.usagePlans.set({ ratePerSecond: 0.001, burst: 1 });
		expect(await statuses(3)).toEqual([200, 200, 200]);
		expect(() => sandbox.usagePlans.set({ ratePerSecond: 0, burst: 1 })).toThrow('ratePerSecond');
	});
});
