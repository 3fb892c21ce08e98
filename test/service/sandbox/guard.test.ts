import { networkInterfaces } from 'node:os';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { send } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 5, host: '0.0.0.0', allowedHosts: 'sandbox.local,Other' });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.faults.clear());

const portOf = (url: string) => new URL(url).port;

describe('The Host header', () => {
	it.each([
		'rebound.example',
		'127.0.0.1.rebound.example',
		'localhost.rebound.example',
		'203.0.113.7',
		'?',
		'[::2]',
	])('%s is refused on every path', async (host) => {
		const { url } = sandbox;
		for (const base of [
			`${url}/`,
			`${url}/control/state`,
			`${url}/data/export/conversations/x`,
			`${url}/audio/x`,
		]) {
			const { status, json } = await send(base, { headers: { host: `${host}:${portOf(base)}` } });
			expect([status, Object.keys(json)]).toEqual([421, ['message']]);
		}
		expect(sandbox.requests.count()).toBe(0);
	});

	it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '[::1]', 'sandbox.local', 'other'])(
		'%s is accepted: loopback, or a name in allowedHosts',
		async (host) => {
			const { url } = sandbox;
			expect((await send(`${url}/control/state`, { headers: { host } })).status).toBe(200);
			expect((await send(`${url}/`, { headers: { host: `${host}:${portOf(url)}` } })).status).toBe(200);
		},
	);

	it('is accepted as the address of this machine that the client connected to', async () => {
		const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
		const own = addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
		for (const address of own) {
			const url = `http://${address}:${portOf(sandbox.url)}/control/state`;
			expect([address, (await send(url)).status]).toEqual([address, 200]);
		}
	});

	it('that is refused names the option that accepts it', async () => {
		const { json } = await send(sandbox.url, { headers: { host: 'sandbox:8790' } });
		expect(json.message).toBe(
			'This service does not answer as "sandbox": use localhost, or start it with --allowedHosts sandbox.',
		);
	});
});

describe('A request from a page of another site', () => {
	const fault = { kind: 'latency' };
	const post = (headers: Record<string, string>, path = '/control/faults') =>
		send(`${sandbox.url}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: JSON.stringify(fault),
		});

	it.each<[string, Record<string, string>]>([
		['another origin', { origin: 'https://evil.example' }],
		['a sandboxed frame', { origin: 'null' }],
		['another port of this machine', { origin: 'http://127.0.0.1:1' }],
		['https under the same name', { origin: 'https://127.0.0.1' }],
		['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
		['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
	])('is refused by the control API: %s', async (_from, headers) => {
		for (const path of ['/control/faults', '/%63ontrol/faults', '/control//faults'])
			expect([403, 404]).toContain((await post(headers, path)).status);
		expect(await post(headers)).toMatchObject({
			status: 403,
			json: { message: 'The control API takes no requests from pages of other sites.' },
		});
		expect(sandbox.faults.list()).toEqual([]);
	});

	it('without a body cannot finish processing or send a test event', async () => {
		const headers = { origin: 'https://evil.example' };
		for (const path of ['processing/finish', 'webhooks/subscriptions/1/test', 'webhooks/emit']) {
			const { status } = await send(`${sandbox.url}/control/${path}`, { method: 'POST', headers });
			expect([path, status]).toEqual([path, 403]);
		}
	});

	it('still reaches the service itself, which checks a key', async () => {
		const { status } = await send(`${sandbox.exportUrl}/export/conversations/x`, {
			headers: { origin: 'https://app.example', authorization: sandbox.keys.organization },
		});
		expect(status).toBe(404);
	});

	it('from its own page, an address bar or curl is accepted', async () => {
		const own = { origin: sandbox.url, 'sec-fetch-site': 'same-origin' };
		for (const headers of [own, { 'sec-fetch-site': 'none' }, {}])
			expect((await post(headers as Record<string, string>)).status).toBe(200);
		expect(sandbox.faults.list()).toHaveLength(3);
	});
});
