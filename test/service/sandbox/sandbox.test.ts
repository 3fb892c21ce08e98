import { startSandbox, type FaultRequest } from '../../../sandbox';
import { optionsFrom } from '../../../sandbox/cli';
import { tables } from '../../../scripts/apiReference';
import { appointment, call, rowsOf, useService } from '../client';

const sizes = { conversations: 600, awaitingUpload: 200, errored: 200 };
const service = useService({ ...sizes, host: '0.0.0.0', allowedHosts: 'sandbox.local,Other' });
// Fewer recordings than users, so that some reps have none.
const small = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const again = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const origin = () => new URL(service.exportUrl).origin;
const control = (path: string, body?: unknown) =>
	call(body === undefined ? 'GET' : 'POST', `${origin()}/control${path}`, {}, body);
const page = (number: number) => service.post('conversations', { limit: 10, page: number });
beforeEach(() => {
	service.faults.clear();
	service.requests.reset();
});

type Rows = Array<Record<string, unknown>>;

/** Expects null and a value in each field of a table that can be null, and of the tables within it. */
function expectNulls(table: string, rows: Rows): void {
	for (const { name, type } of tables[table]) {
		const values = rows.flatMap((row) => row[name]);
		const isNull = new Set(values.map((value) => value === null));
		if (type.endsWith(' | null')) expect([name, isNull]).toEqual([name, new Set([true, false])]);
		const inner = type.replace(/\[\]| \| null/g, '');
		if (inner in tables) expectNulls(inner, values.filter((value) => value !== null) as Rows);
	}
}

test('every field that can be null has a null and a value', async () => {
	expectNulls('ConversationsExportResponse', (await service.all()) as never);
	expectNulls('UsersExport', await service.users());
});

// D1-USERS-02..03, D1-TEAMS-02, D1-USER-09
test('hidden users are excluded and removed ones are no members; a rep was last active at the latest recording', async () => {
	const known = small.control.users();
	const hidden = known.filter((user) => user.isHidden).map(({ email }) => email);
	const listed = await small.users();
	const visible = known.map(({ email }) => email).filter((email) => !hidden.includes(email));
	expect(listed.map(({ email }) => email)).toEqual(visible);
	expect(await small.users({ users: hidden })).toEqual([]);
	const active = known.filter((user) => !user.isHidden && !user.isRemoved);
	for (const { name, totalUsers } of await small.teams())
		expect(totalUsers).toBe(active.filter((user) => user.teams.includes(name)).length);
	const rows = rowsOf(...(await small.all()));
	for (const { userId, role, lastActive } of listed) {
		const dates = rows.filter((row) => row.user.id === userId).map((row) => row.date);
		if (role === 'Sales Rep') expect(lastActive).toBe(dates.sort().at(-1) ?? null);
		else if (role !== null) expect(lastActive).not.toBeNull();
	}
});

test('the same options give the same rows', async () => {
	const rows = async (of: typeof small) => (await of.post('conversations')).text.replace(/http:[^"]*/g, '');
	expect(await rows(again)).toBe(await rows(small));
});

describe('a fault', () => {
	const [OK, ERROR] = ['200 application/json', '500 text/plain A'];
	/** What a client sees of a page: status, type and what is no JSON, or that the connection was cut. */
	const seen = async (number: number) => {
		const response = await page(number).catch((error: Error) => error.message);
		if (typeof response === 'string') return /closed|terminated|ECONNRESET/.test(response) ? 'cut' : response;
		const { status, type, headers, json, text } = response;
		return [status, type, headers['retry-after'], json === undefined && text].filter(Boolean).join(' ');
	};

	test.each<[FaultRequest, string[]]>([
		[{ kind: 'serverError', path: '/data/export/users' }, [OK, OK, OK]],
		[{ kind: 'serverError', method: 'GET' }, [OK, OK, OK]],
		[{ kind: 'serverError', text: 'A', body: { page: 3 } }, [OK, OK, ERROR]],
		[{ kind: 'serverError', status: 503, text: 'A', times: 2 }, ['503 text/plain A', '503 text/plain A', OK]],
		[{ kind: 'tooManyRequests', retryAfterSeconds: 7, text: 'A', times: 1 }, ['429 text/plain 7 A', OK, OK]],
		[{ kind: 'htmlPage', text: '<h1>', times: 1 }, ['502 text/html <h1>', OK, OK]],
		[{ kind: 'brokenJson', text: '{', times: 1 }, ['200 application/json {', OK, OK]],
		[{ kind: 'connectionReset', body: { page: 2 } }, [OK, 'cut', OK]],
		[{ kind: 'lostResponse', body: { page: 2 } }, [OK, 'cut', OK]],
		[{ kind: 'truncatedBody', body: { page: 2 } }, [OK, 'cut', OK]],
		[{ kind: 'serverError', text: 'A', probability: 0.5, seed: 7 }, [OK, ERROR, OK]],
		[{ kind: 'serverError', text: 'A', probability: 0.5, seed: 8 }, [ERROR, ERROR, OK]],
	])('strikes the requests that it describes: %j', async (fault, expected) => {
		expect((await control('/faults', fault)).status).toBe(200);
		expect([await seen(1), await seen(2), await seen(3)]).toEqual(expected);
		const struck = expected.filter((each) => each !== OK).length;
		expect((await control('/faults')).json).toMatchObject({ faults: [{ ...fault, struck }] });
		const logged = expected.map((each) => (each === 'cut' ? 0 : Number(each.slice(0, 3))));
		expect(service.requests.list().map(({ status }) => status)).toEqual(logged);
	});

	test.each([
		['connectionReset', undefined],
		['lostResponse', 'a-1'],
	] as const)('cuts the connection before or after the work: %s', async (kind, expected) => {
		const [owner] = await service.owners();
		service.faults.add({ kind });
		await expect(service.crm().save(appointment(owner, { event_id: 'a-1' }))).rejects.toThrow();
		expect(service.stored('a-1')?.event_id).toBe(expected);
	});

	test.each(['stall', 'stalledBody'] as const)('sends no more: %s', async (kind) => {
		const { transcriptUrl } = (await service.list({ limit: 1 })).conversations[0];
		service.faults.add({ kind });
		const text = async () => await (await fetch(transcriptUrl, { signal: AbortSignal.timeout(700) })).text();
		await expect(text()).rejects.toThrow(/timeout/);
	});

	test('sends the response late', async () => {
		service.faults.add({ kind: 'latency', milliseconds: 120 });
		const start = performance.now();
		expect(await seen(1)).toBe(OK);
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
});

test.each<[string, object, string]>([
	['/faults', { kind: 'earthquake' }, 'kind: '],
	['/faults', { kind: 'latency', often: true }, "Unrecognized key(s) in object: 'often'"],
	['/processing/finish', { event: 'e-1' }, "Unrecognized key(s) in object: 'event'"],
	['/webhooks/emit', { count: 1000 }, 'There are only '],
])('the control API refuses a mistake at %s: %j', async (path, body, message) => {
	expect(await control(path, body)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
});

test('a link is refused with a key, another path, or a query that is not exactly the signed one', async () => {
	const { audioUrl, transcriptUrl } = (await service.list({ limit: 1 })).conversations[0];
	const [path, query] = audioUrl.split('?');
	const changes = [decodeURIComponent(query), query.replace(/=$/, '%3D'), query.replace('%2F', '%2f')];
	for (const changed of [...changes, query.replace(/expires=(\d)/, 'expires=9$1'), `${query}&more=1`, '']) {
		expect(changed).not.toBe(query);
		expect((await call('GET', `${path}?${changed}`)).status).toBe(403);
	}
	expect((await call('GET', `${transcriptUrl.split('?')[0]}?${query}`)).status).toBe(403);
	const key = service.keys.organization;
	for (const header of ['authorization', 'x-api-key'])
		expect((await call('GET', audioUrl, { [header]: key })).status).toBe(400);
	expect(JSON.stringify(service.requests.list())).not.toMatch(new RegExp(`${key}|signature`));
});

test.each([
	['host', ['127.0.0.1.rebound.example', 'localhost.rebound.example:80', '203.0.113.7', '?', '[::2]'], 421],
	['host', ['localhost', 'LOCALHOST:1', '127.1.2.3', '[::1]:1', 'sandbox.local', 'other:1'], 200],
	['origin', ['null', 'http://127.0.0.1:1', 'https://127.0.0.1'], 403],
	['sec-fetch-site', ['cross-site', 'same-site'], 403],
	['sec-fetch-site', ['none'], 200],
])('a request to the control API with %s %j gets %i', async (name, values, expected) => {
	for (const value of values) {
		const send = async (method: 'GET' | 'POST', path: string, body?: object) =>
			(await call(method, origin() + path, { [name]: value }, body)).status;
		const statuses = [
			await send('GET', '/control/state'),
			await send('POST', '/%63ontrol/faults', { kind: 'stall' }),
		];
		expect([value, ...statuses]).toEqual([value, expected, expected]);
		// On other paths, keys are checked instead.
		expect([value, await send('GET', '/')]).toEqual([value, expected === 403 ? 200 : expected]);
	}
	expect(service.faults.list()).toHaveLength(expected === 200 ? values.length : 0);
});

test.each([
	[{ conversations: -1 }, 'conversations: Number must be greater than or equal to 0.'],
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
	const args = ['--port', '9000', '--conversations', '1_000', '--webhookRetryDelaysMs', '1,2'];
	const options = { port: 9000, conversations: 1000, webhookRetryDelaysMs: [1, 2] };
	expect([optionsFrom(args), optionsFrom(['--help'])]).toEqual([options, 'help']);
	expect(() => optionsFrom(['--colour', 'red'])).toThrow('--colour');
});
