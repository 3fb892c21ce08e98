import { startSandbox, type FaultRequest } from '../../../sandbox';
import { optionsFrom } from '../../../sandbox/cli';
import { tables } from '../../../scripts/apiReference';
import { call, rowsOf, useService } from '../client';

const sizes = { conversations: 600, awaitingUpload: 200, errored: 200 };
const service = useService({ ...sizes, host: '0.0.0.0', allowedHosts: 'sandbox.local,Other' });
// Fewer recordings than users, so that some reps have none.
const small = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const again = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const origin = () => new URL(service.exportUrl).origin;
const control = (path: string, body?: unknown) =>
	call(`${origin()}/control${path}`, { method: body === undefined ? 'GET' : 'POST', body });
const page = (number: number) => service.post('conversations', { limit: 10, page: number });
const media = async () => (await service.list({ limit: 1 })).conversations[0];
beforeEach(() => {
	service.faults.clear();
	service.requests.reset();
});

test('every field that can be null has a null and a value', async () => {
	const pages = await service.all();
	const rows = pages.flatMap((each) => each.conversations);
	const customers = rows.flatMap((row) => row.customer ?? []);
	for (const [table, found] of Object.entries<Array<Record<string, unknown>>>({
		ConversationsExport: rows,
		Tracker: rows.flatMap((row) => row.checklists.flatMap((each) => each.trackerData)),
		ConversationCustomer: customers,
		CustomerAddress: customers.map(({ address }) => address),
		RecordingsExport: pages.flatMap((each) => each.awaitingUpload),
		ErroredRecordingsExport: pages.flatMap((each) => each.errored),
		UsersExport: await service.users(),
	}))
		for (const { name } of tables[table].filter(({ type }) => type.endsWith(' | null')))
			expect([name, new Set(found.map((row) => row[name] === null))]).toEqual([name, new Set([true, false])]);
});

// D1-USERS-02..03, D1-TEAMS-02, D1-USER-09
test('hidden users are excluded and removed ones are no members; a rep was last active at the latest recording', async () => {
	const known = small.control.users();
	const hidden = known.filter((user) => user.isHidden).map(({ email }) => email);
	const listed = await small.users();
	const visible = known.map(({ email }) => email).filter((email) => !hidden.includes(email));
	expect(listed.map(({ email }) => email).sort()).toEqual(visible.sort());
	expect(await small.users({ users: hidden })).toEqual([]);
	const active = known.filter((user) => !user.isHidden && !user.isRemoved);
	for (const { name, totalUsers } of await small.teams())
		expect(totalUsers).toBe(active.filter((user) => user.teams.includes(name)).length);
	const rows = rowsOf(...(await small.all()));
	for (const { userId, role, lastActive } of listed) {
		const latest =
			rows
				.filter((row) => row.user.id === userId)
				.map((row) => row.date)
				.sort()
				.at(-1) ?? null;
		if (role === 'Sales Rep') expect(lastActive).toBe(latest);
		else if (role !== null) expect(lastActive).not.toBeNull();
	}
});

test('the same options give the same rows', async () => {
	const rows = async (of: typeof small) =>
		(await of.list()).conversations.map((row) => ({
			...row,
			transcriptUrl: '',
			audioUrl: '',
			serviceUrl: '',
		}));
	expect(await rows(again)).toEqual(await rows(small));
});

describe('a fault', () => {
	const statuses = async (count: number) => {
		const seen = [];
		for (let number = 1; number <= count; number++) seen.push((await page(number)).status);
		return seen;
	};

	test.each<[FaultRequest, number[]]>([
		[{ kind: 'serverError', path: '/data/export/users' }, [200, 200, 200, 200, 200, 200]],
		[{ kind: 'serverError', method: 'GET' }, [200, 200, 200, 200, 200, 200]],
		[{ kind: 'serverError', body: { page: 3 } }, [200, 200, 500, 200, 200, 200]],
		[{ kind: 'serverError', status: 503, times: 2 }, [503, 503, 200, 200, 200, 200]],
		[{ kind: 'serverError', every: 3 }, [200, 200, 500, 200, 200, 500]],
	])('strikes the requests that it describes: %j', async (fault, expected) => {
		expect((await control('/faults', fault)).status).toBe(200);
		expect(await statuses(6)).toEqual(expected);
		const struck = expected.filter((status) => status !== 200).length;
		expect((await control('/faults')).json).toMatchObject({ faults: [{ ...fault, struck }] });
	});

	test('strikes by chance, the same requests again for the same seed', async () => {
		const run = async (seed: number) => {
			service.faults.clear();
			service.faults.add({ kind: 'serverError', probability: 0.5, seed });
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
		service.faults.add(fault);
		const response = await page(1);
		expect(response).toMatchObject({ status, json: undefined, text: fault.text ?? expect.any(String) });
		expect(response.headers['content-type']).toMatch(type);
		expect(response.headers['retry-after']).toBe(retryAfter);
	});

	test.each(['connectionReset', 'lostResponse', 'truncatedBody'] as const)(
		'cuts the connection: %s',
		async (kind) => {
			const { audioUrl } = await media();
			service.faults.add({ kind });
			for (const cut of [page(1), call(audioUrl)])
				await expect(cut).rejects.toThrow(/terminated|other side closed|aborted|ECONNRESET/);
			expect(service.requests.list().map(({ status }) => status)).toEqual([200, 0, 0]);
		},
	);

	test('sends nothing, or nothing more after half of the body, or late', async () => {
		const { transcriptUrl } = await media();
		const ask = async () => await fetch(transcriptUrl, { signal: AbortSignal.timeout(1000) });
		service.faults.add({ kind: 'stall', times: 1 });
		await expect(ask()).rejects.toThrow(/timeout/);
		service.faults.add({ kind: 'stalledBody', times: 2 });
		expect((await (await ask()).body?.getReader().read())?.value?.length).toBeGreaterThan(1_000);
		await expect((await ask()).text()).rejects.toThrow(/timeout/);
		service.faults.add({ kind: 'latency', milliseconds: 120 });
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
		service.faults.add(fault);
		expect((await rows()).slice(0, 2).map(look)).toEqual([changed, look(second)]);
		expect(look((await service.get(conversationId)).json)).toEqual(changed);
	});

	test('inserts and removes a conversation just before a request', async () => {
		const ids = async () =>
			(await service.list({ limit: 10 })).conversations.map((row) => row.conversationId);
		const before = await ids();
		service.faults.add({ kind: 'insertConversations', times: 1, position: 2 });
		const { 2: inserted, ...others } = await ids();
		expect(Object.values(others)).toEqual(before.slice(0, 9));
		service.faults.add({ kind: 'removeConversations', times: 1 });
		expect((await ids()).slice(0, 3)).toEqual([before[1], inserted, before[2]]);
	});
});

test.each<[string, object, string]>([
	['/faults', { kind: 'earthquake' }, 'kind: '],
	['/faults', { kind: 'latency', often: true }, "Unrecognized key(s) in object: 'often'"],
	['/faults', { kind: 'usagePlan', burst: 0 }, 'burst: '],
	['/conversations', { counts: 2 }, "Unrecognized key(s) in object: 'counts'"],
	['/conversations', { userEmail: 'nobody@example.com' }, 'No user has the email'],
	['/processing/finish', { event: 'e-1' }, "Unrecognized key(s) in object: 'event'"],
	['/webhooks/emit', { count: 1000 }, 'There are only '],
])('the control API refuses a mistake at %s: %j', async (path, body, message) => {
	expect(await control(path, body)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
});

test('a link is refused with a key, another path, or a query that is not exactly the signed one', async () => {
	const { audioUrl, transcriptUrl } = await media();
	const [path, query] = audioUrl.split('?');
	const changes = [decodeURIComponent(query), query.replace(/=$/, '%3D'), query.replace('%2F', '%2f')];
	for (const changed of [...changes, query.replace(/expires=(\d)/, 'expires=9$1'), `${query}&more=1`, '']) {
		expect(changed).not.toBe(query);
		expect((await call(`${path}?${changed}`)).status).toBe(403);
	}
	expect((await call(`${transcriptUrl.split('?')[0]}?${query}`)).status).toBe(403);
	for (const header of ['authorization', 'x-api-key'])
		expect((await call(audioUrl, { headers: { [header]: service.keys.organization } })).status).toBe(400);
	service.requests.reset();
	await page(2);
	expect((await call(audioUrl)).status).toBe(200);
	const { json: log } = await control('/requests');
	const ofExport = { host: 'api', status: 200, headersSeen: { authorization: true }, body: { page: 2 } };
	const ofMedia = { host: 'media', path: new URL(audioUrl).pathname, headersSeen: { authorization: false } };
	expect(log).toMatchObject({ count: 2, requests: [ofExport, ofMedia] });
	expect(JSON.stringify(log)).not.toMatch(new RegExp(`${service.keys.organization}|signature`));
});

describe('other sites', () => {
	test('are refused by their Host header on every path; this machine and allowedHosts are not', async () => {
		for (const host of [
			'127.0.0.1.rebound.example',
			'localhost.rebound.example',
			'203.0.113.7',
			'?',
			'[::2]',
		])
			for (const path of ['/', '/control/state', '/data/export/conversations/x', '/audio/x']) {
				const { status, json } = await call(origin() + path, { headers: { host: `${host}:80` } });
				expect([path, status, Object.keys(json as object)]).toEqual([path, 421, ['message']]);
			}
		for (const host of ['localhost', 'LOCALHOST:1', '127.1.2.3', '[::1]:1', 'sandbox.local', 'other:1'])
			expect((await call(`${origin()}/control/state`, { headers: { host } })).status).toBe(200);
		expect(service.requests.count()).toBe(0);
	});

	test('cannot use the control API from their pages; its own page, an address bar and curl can', async () => {
		const post = async (path: string, headers: Record<string, string>) =>
			(await call(origin() + path, { method: 'POST', headers, body: { kind: 'latency' } })).status;
		const foreign: Array<Record<string, string>> = [
			...['null', 'http://127.0.0.1:1', 'https://127.0.0.1'].map((site) => ({ origin: site })),
			...['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site })),
		];
		for (const headers of foreign) {
			for (const path of ['faults', 'processing/finish', 'webhooks/emit', 'webhooks/subscriptions/1/test'])
				expect([path, await post(`/control/${path}`, headers)]).toEqual([path, 403]);
			for (const path of ['/%63ontrol/faults', '/control//faults'])
				expect([403, 404]).toContain(await post(path, headers));
			// The service itself checks a key instead.
			const withKey = { ...headers, authorization: service.keys.organization };
			expect((await call(`${service.exportUrl}/export/conversations/x`, { headers: withKey })).status).toBe(
				404,
			);
		}
		expect(service.faults.list()).toEqual([]);
		const own = { origin: origin(), 'sec-fetch-site': 'same-origin' };
		for (const headers of [own, { 'sec-fetch-site': 'none' }, {}])
			expect(await post('/control/faults', headers as Record<string, string>)).toBe(200);
	});
});

describe('at its start', () => {
	test.each([
		[{ users: 0 }, 'users: Number must be greater than or equal to 1.'],
		[{ from: 'soon' }, 'A date must be ISO 8601, such as 2026-01-31T09:00:00Z, not "soon".'],
		[{ to: '1999-01-01T00:00:00Z' }, '"to" must be after "from".'],
		[{ from: '2025-01-01', to: '2025-01-01T12:00:00Z' }, 'too short for 2501 rows'],
	])('the options %j are refused', async (options, message) => {
		await expect(startSandbox(options)).rejects.toThrow(message);
	});

	test('a port in use is named, and the command line takes each option by its type', async () => {
		const port = Number(new URL(small.url).port);
		const message = `Port ${port} on 127.0.0.1 is already in use: choose another one.`;
		await expect(startSandbox({ port })).rejects.toThrow(message);
		const args = ['--port', '9000', '--conversations', '1_000', '--webhookRetryDelaysMs', '1,2', '--log'];
		const options = { port: 9000, conversations: 1000, webhookRetryDelaysMs: [1, 2], log: true };
		expect([optionsFrom(args), optionsFrom(['--help'])]).toEqual([options, 'help']);
		expect(() => optionsFrom(['--colour', 'red'])).toThrow('--colour');
	});
});
