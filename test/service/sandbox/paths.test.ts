import { type Sandbox, startSandbox } from '../../../sandbox';
import { crm, send } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 5 });
});
beforeEach(() => sandbox.requests.reset());
afterAll(() => sandbox.close());

const broken = '%E0%A4%A';
const log = () => sandbox.requests.list().map(({ host, path, status }) => [host, path, status]);

describe('A path that cannot be decoded', () => {
	it('is recorded as received', async () => {
		const path = `/custom/appointment/${broken}`;
		expect((await crm(sandbox, 'DELETE', path)).text).toBe('Invalid parameters');
		await send(`${sandbox.exportUrl}/${broken}?x=%E0`);
		expect(log()).toEqual([
			['api', `/crm${path}`, 400],
			['api', `/data/${broken}`, 401],
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

	it('counts as a forged link of the object store', async () => {
		expect((await send(`${sandbox.url}/audio/${broken}`)).status).toBe(403);
		expect(log()).toEqual([['media', `/audio/${broken}`, 403]]);
	});
});

it('the gateway also checks the key first for an ID that fills the maximum request line', async () => {
	const path = `/custom/appointment/${'x'.repeat(14_000)}`;
	expect((await crm(sandbox, 'DELETE', path, undefined, {})).status).toBe(403);
	expect((await crm(sandbox, 'DELETE', path)).status).toBe(404);
});
