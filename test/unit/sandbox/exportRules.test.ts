import { type Sandbox, startSandbox } from '../../../sandbox';
import { always, exportPost } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const list = (body: object, key?: string) =>
	exportPost(sandbox, 'conversations', { ...always, ...body }, key);

describe('Invalid bodies', () => {
	it.each([
		['a day without time', { fromDate: '2024-01-01' }, 'fromDate'],
		['an offset', { toDate: '2024-01-01T00:00:00+01:00' }, 'toDate'],
		['an impossible day', { fromDate: '2024-13-41T00:00:00Z' }, 'fromDate'],
		['an end before the start', { toDate: '1999-01-01T00:00:00Z' }, 'toDate must be after fromDate'],
		['an end at the start', { toDate: always.fromDate }, 'toDate must be after fromDate'],
		['limit 0', { limit: 0 }, 'limit'],
		['limit 51', { limit: 51 }, 'limit'],
		['page 0', { page: 0 }, 'page'],
		['half a page', { page: 1.5 }, 'page'],
		['an unknown dateType', { dateType: 'created' }, 'dateType'],
		['one email instead of a list', { users: 'a@example.com' }, 'users'],
	])('with %s are refused with 400', async (_name, body, named) => {
		const { status, json } = await list(body);
		expect(status).toBe(400);
		expect(json.message).toContain(named);
	});

	it('that are not JSON objects, or have wrong types, are refused with 400', async () => {
		expect((await exportPost(sandbox, 'conversations', '{')).status).toBe(400);
		expect((await exportPost(sandbox, 'conversations', '[]')).status).toBe(400);
		expect((await exportPost(sandbox, 'teams', { ...always, includeSubteams: 'yes' })).status).toBe(400);
	});
});

describe('Users', () => {
	it('count distinct recordings of all three kinds', async () => {
		const { users } = (await exportPost(sandbox, 'users', always)).json;
		const total = users.reduce(
			(sum: number, user: { conversationsRecorded: number }) => sum + user.conversationsRecorded,
			0,
		);
		expect(total).toBe(2501 + 120 + 35);
	});
});
