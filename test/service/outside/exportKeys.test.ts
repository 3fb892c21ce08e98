import { absentId, call, conversation, exportGet, exportPost, list, listAll, users } from '../support/http';
import { useService } from '../support/service';
import { differences } from '../support/tables';

const service = useService({ conversations: 200, awaitingUpload: 10, errored: 10 });

/** The statuses of every endpoint for these headers. */
async function everywhere(headers: Record<string, string>) {
	const post = (path: string) =>
		call(`${service.exportUrl}/export/${path}`, { method: 'POST', headers, body: service.range });
	const one = `${service.exportUrl}/export/conversations/${absentId}`;
	const responses = [post('conversations'), post('teams'), post('users'), call(one, { headers })];
	return (await Promise.all(responses)).map(({ status }) => status);
}

describe('a key', () => {
	// D1-AUTH-01, D1-AUTH-04, D1-ERR-01, D1-HTTP-01
	test.each<[string, (key: string) => Record<string, string>]>([
		['missing', () => ({})],
		['empty', () => ({ authorization: '' })],
		['unknown', () => ({ authorization: 'no-such-key' })],
		['given a Bearer prefix', (key) => ({ authorization: `Bearer ${key}` })],
		['broken by a space', (key) => ({ authorization: key.replace('-', ' -') })],
		['in upper case', (key) => ({ authorization: key.toUpperCase() })],
		['in x-api-key', (key) => ({ 'x-api-key': key })],
	])('that is %s gets 401 everywhere', async (_how, headers) => {
		expect(await everywhere(headers(service.keys.organization))).toEqual([401, 401, 401, 401]);
	});

	// D1-HTTP-01, D1-AUTH-01, D1-GET-03, D1-ERR-02
	test('that is raw is accepted, and gets 404 for a conversation that does not exist', async () => {
		expect(await everywhere({ authorization: service.keys.organization })).toEqual([200, 200, 200, 404]);
	});

	// D1-AUTH-04, D1-ERR-01
	test.each(['/export/conversations/%E0%A4%A', '/%E0%A4%A?x=%E0', '/nowhere'])(
		'is checked before the undecodable or unknown path %s',
		async (path) => {
			expect((await call(`${service.exportUrl}${path}`)).status).toBe(401);
			const headers = { authorization: service.keys.organization };
			expect([400, 404]).toContain((await call(`${service.exportUrl}${path}`, { headers })).status);
		},
	);

	// D1-AUTH-02, D1-DOES-05, D1-GET-03
	test('shows only its own organization', async () => {
		const { otherOrganization } = service.keys;
		const mine = new Set((await users(service)).map((user) => user.userId));
		const theirs = await users(service, {}, otherOrganization);
		expect(theirs.length).toBeGreaterThan(0);
		expect(theirs.filter((user) => mine.has(user.userId))).toEqual([]);
		const [{ conversationId }] = (await list(service, {}, otherOrganization)).conversations;
		expect((await exportGet(service, conversationId, otherOrganization)).status).toBe(200);
		expect((await exportGet(service, conversationId)).status).toBe(404);
	});

	// D1-GET-04
	test('of a team gets the same 404 for a conversation outside as for a missing one', async () => {
		const { team } = service.keys;
		const inScope = new Set((await users(service, {}, team)).map((user) => user.userId));
		const rows = (await listAll(service)).flatMap((page) => page.conversations);
		const idOf = (isInside: boolean) =>
			rows.find((row) => inScope.has(row.user.id) === isInside)?.conversationId ?? '';
		const get = (id: string) => exportGet(service, id, team);
		const [outside, absent] = [await get(idOf(false)), await get(absentId)];
		expect([(await get(idOf(true))).status, outside.status, absent.status]).toEqual([200, 404, 404]);
		expect(outside.text).toBe(absent.text);
	});
});

// D1-HTTP-02
test('a JSON body that is sent as another content type is refused', async () => {
	const headers = { authorization: service.keys.organization, 'content-type': 'text/html' };
	const url = `${service.exportUrl}/export/teams`;
	const { status } = await call(url, { method: 'POST', headers, body: service.range });
	expect(Math.floor(status / 100)).toBe(4);
});

// D1-SUB-01
test('there is no endpoint for subscriptions', async () => {
	for (const path of ['webhooks', 'webhooks/subscriptions', 'subscriptions'])
		expect((await exportPost(service, path, { url: 'https://receiver.example/' })).status).toBe(404);
});

describe('one conversation', () => {
	// D1-GET-01, D1-GET-02, D1-DOES-02
	test('is a bare object, equal to its row in the list, also by its URL-encoded ID', async () => {
		const [row] = (await list(service, { limit: 3 })).conversations;
		const { status, json } = await exportGet(service, row.conversationId.replace('-', '%2D'));
		expect(status).toBe(200);
		expect(differences('ConversationsExport', json)).toEqual([]);
		const links = { transcriptUrl: '', audioUrl: '' };
		const one = await conversation(service, row.conversationId);
		expect({ ...one, ...links }).toEqual({ ...row, ...links });
	});
});
