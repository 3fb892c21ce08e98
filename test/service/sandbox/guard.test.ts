import { call, control } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 5, host: '0.0.0.0', allowedHosts: 'sandbox.local,Other' });
const origin = () => new URL(service.exportUrl).origin;

describe('the Host header', () => {
	test.each(['127.0.0.1.rebound.example', 'localhost.rebound.example', '203.0.113.7', '?', '[::2]'])(
		'%s is refused on every path',
		async (host) => {
			for (const path of ['/', '/control/state', '/data/export/conversations/x', '/audio/x']) {
				const { status, json } = await call(origin() + path, { headers: { host: `${host}:80` } });
				expect([path, status, Object.keys(json as object)]).toEqual([path, 421, ['message']]);
			}
			expect(await control(service, 'GET', '/requests')).toMatchObject({ count: 0 });
		},
	);

	test.each(['localhost', 'LOCALHOST:1', '127.1.2.3', '[::1]:1', 'sandbox.local', 'other:1'])(
		'%s is accepted: this machine, or a name in allowedHosts',
		async (host) => {
			expect((await call(`${origin()}/control/state`, { headers: { host } })).status).toBe(200);
		},
	);
});

describe('a request to the control API', () => {
	const post = async (path: string, headers: Record<string, string>) =>
		(await call(origin() + path, { method: 'POST', headers, body: { kind: 'latency' } })).status;

	test.each([
		{ origin: 'null' },
		{ origin: 'http://127.0.0.1:1' },
		{ origin: 'https://127.0.0.1' },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
	] as Array<Record<string, string>>)('from a page of another site is refused: %j', async (headers) => {
		for (const path of ['faults', 'processing/finish', 'webhooks/emit', 'webhooks/subscriptions/1/test'])
			expect([path, await post(`/control/${path}`, headers)]).toEqual([path, 403]);
		for (const path of ['/%63ontrol/faults', '/control//faults'])
			expect([403, 404]).toContain(await post(path, headers));
		expect(await control(service, 'GET', '/faults')).toEqual({ faults: [] });
		// The service itself checks a key instead.
		headers.authorization = service.keys.organization;
		expect((await call(`${service.exportUrl}/export/conversations/x`, { headers })).status).toBe(404);
	});

	test('from its own page, an address bar or curl is accepted', async () => {
		const own = { origin: origin(), 'sec-fetch-site': 'same-origin' };
		for (const headers of [own, { 'sec-fetch-site': 'none' }, {}])
			expect(await post('/control/faults', headers as Record<string, string>)).toBe(200);
	});
});
