import { call, exportPost, list, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 120, awaitingUpload: 5, errored: 5 });
const body = () => JSON.stringify(service.range);

/** Calls every endpoint with the given headers. */
const everywhere = async (headers: Record<string, string>) => {
	const post = (path: string) =>
		call(`${service.exportUrl}/export/${path}`, { method: 'POST', headers, body: body() });
	const one = `${service.exportUrl}/export/conversations/00000000-0000-4000-8000-000000000000`;
	return await Promise.all([post('conversations'), post('teams'), post('users'), call(one, { headers })]);
};

// D1-AUTH-01, D1-AUTH-04, D1-ERR-01, D1-HTTP-01
test.each([
	['missing', () => undefined],
	['unknown', () => 'no-such-key'],
	['with a Bearer prefix', () => `Bearer ${service.keys.organization}`],
	['with a space inside', () => service.keys.organization.replace('-', ' -')],
	['in upper case', () => service.keys.organization.toUpperCase()],
	['empty', () => ''],
])('responds with 401 to a key that is %s', async (_case, key) => {
	const authorization = key();
	const responses = await everywhere(authorization === undefined ? {} : { authorization });
	expect(responses.map((response) => response.status)).toEqual([401, 401, 401, 401]);
});

// D1-AUTH-04
test('ignores a key in x-api-key', async () => {
	const responses = await everywhere({ 'x-api-key': service.keys.organization });
	expect(responses.map((response) => response.status)).toEqual([401, 401, 401, 401]);
});

// D1-AUTH-04, D1-ERR-01
test.each(['/export/conversations/%E0%A4%A', '/%E0%A4%A?x=%E0', '/nowhere'])(
	'responds with 401 without a key to the undecodable or unknown path %s',
	async (path) => {
		const url = `${service.exportUrl}${path}`;
		expect((await call(url)).status).toBe(401);
		const { status } = await call(url, { headers: { authorization: service.keys.organization } });
		expect([400, 404]).toContain(status);
	},
);

// D1-HTTP-01, D1-AUTH-01
test('accepts the raw key', async () => {
	expect((await exportPost(service, 'teams', {})).status).toBe(200);
});

// D1-HTTP-02
test('refuses a JSON body that is sent as another content type', async () => {
	const response = await call(`${service.exportUrl}/export/teams`, {
		method: 'POST',
		headers: { authorization: service.keys.organization, 'content-type': 'text/html' },
		body: body(),
	});
	expect(Math.floor(response.status / 100)).toBe(4);
});

// D1-AUTH-02, D1-DOES-05
test('a key only shows its own organization', async () => {
	const { otherOrganization } = service.keys;
	const mine = new Set((await users(service)).map((user) => user.userId));
	const theirs = await users(service, {}, otherOrganization);
	expect(theirs.length).toBeGreaterThan(0);
	expect(theirs.filter((user) => mine.has(user.userId))).toEqual([]);
});

// D1-AUTH-02, D1-DOES-05, D1-DOES-06
test('a team-scoped key only shows users of its teams, with any filter', async () => {
	const { team } = service.keys;
	const everybody = await users(service);
	const allowed = await users(service, {}, team);
	const ids = new Set(allowed.map((user) => user.userId));
	const outside = everybody.filter((user) => !ids.has(user.userId)).map((user) => user.email);
	expect(outside.length).toBeGreaterThan(0);
	const filter = [allowed[0].email, ...outside];
	expect((await users(service, { users: filter }, team)).map((user) => user.email)).toEqual([filter[0]]);
	for (const body of [{}, { users: filter }]) {
		const page = await list(service, body, team);
		for (const row of [...page.conversations, ...(page.awaitingUpload ?? []), ...page.errored]) {
			expect(ids).toContain(row.user.id);
		}
	}
});

// D1-SUB-01
test('the API offers no management of subscriptions', async () => {
	for (const path of ['/webhooks', '/webhooks/subscriptions', '/export/webhooks', '/subscriptions']) {
		const response = await call(`${service.exportUrl}${path}`, {
			method: 'POST',
			headers: { authorization: service.keys.organization },
			body: { url: 'https://receiver.example/' },
		});
		expect(response.status).toBe(404);
	}
});
