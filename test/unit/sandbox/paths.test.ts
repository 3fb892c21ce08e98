import { type Sandbox, startSandbox } from '../../../sandbox';
import { appointment, crm, exportGet, send } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 5 });
});
beforeEach(() => sandbox.requests.reset());
afterAll(() => sandbox.close());

const broken = '%E0%A4%A';
const log = () => sandbox.requests.list().map(({ host, path, status }) => [host, path, status]);

describe('A path that cannot be decoded', () => {
	it('is checked by the gateway first and recorded as received', async () => {
		const path = `/custom/appointment/${broken}`;
		expect(await crm(sandbox, 'DELETE', path, undefined, {})).toMatchObject({
			status: 403,
			text: 'Forbidden',
		});
		expect(await crm(sandbox, 'DELETE', path)).toMatchObject({ status: 400, text: 'Invalid parameters' });
		expect(log()).toEqual([
			['api', `/crm${path}`, 403],
			['api', `/crm${path}`, 400],
		]);
	});

	it('counts against the usage plan', async () => {
		sandbox.usagePlans.set({ ratePerSecond: 0.001, burst: 1 });
		const statuses = [];
		for (let attempt = 1; attempt <= 2; attempt++)
			statuses.push((await crm(sandbox, 'DELETE', `/custom/appointment/${broken}`)).status);
		sandbox.usagePlans.set(undefined);
		expect(statuses).toEqual([400, 429]);
	});

	it('needs a key in the export API, like an unknown path', async () => {
		for (const path of [`/export/conversations/${broken}`, `/${broken}`, '/nowhere']) {
			expect((await send(`${sandbox.exportUrl}${path}?x=%E0`)).status).toBe(401);
			const headers = { authorization: sandbox.keys.organization };
			expect((await send(`${sandbox.exportUrl}${path}?x=%E0`, { headers })).status).toBe(404);
		}
		expect(log()).toContainEqual(['api', `/data/export/conversations/${broken}`, 401]);
	});

	it('counts as a forged link on the media host', async () => {
		expect((await send(`${sandbox.mediaUrl}/audio/${broken}`)).status).toBe(403);
		expect(log()).toEqual([['media', `/audio/${broken}`, 403]]);
	});
});

it('an ID that only looks undecodable is a valid ID', async () => {
	for (const event_id of [broken, '%', '100%25', '/%2F', '%zz']) {
		expect((await crm(sandbox, 'POST', '/custom/appointment', { ...appointment, event_id })).status).toBe(
			200,
		);
		const path = `/custom/appointment/${encodeURIComponent(event_id)}`;
		expect((await crm(sandbox, 'DELETE', path)).status).toBe(200);
	}
	const known = sandbox.control.conversationIds(0)[0];
	expect((await exportGet(sandbox, known.replace('-', '%2D'))).status).toBe(200);
});

it('the gateway also checks the key first for an ID that fills the maximum request line', async () => {
	const path = `/custom/appointment/${'x'.repeat(14_000)}`;
	expect((await crm(sandbox, 'DELETE', path, undefined, {})).status).toBe(403);
	expect((await crm(sandbox, 'DELETE', path)).status).toBe(404);
});
