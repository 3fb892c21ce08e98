import { conversationsExportSchema } from '../../../nodes/shared/exportApi/schemas';
import { exportGet, list, listAll, users } from '../support/http';
import { useService } from '../support/service';
import { differences } from '../support/tables';

const service = useService({ conversations: 200, awaitingUpload: 10, errored: 10 });

// D1-GET-01, D1-GET-02, D1-DOES-02
test('returns a bare conversation, equal to its row in the list', async () => {
	const [row] = (await list(service, { limit: 3 })).conversations;
	const { status, json } = await exportGet(service, row.conversationId);
	expect(status).toBe(200);
	expect(differences('ConversationsExport', json)).toEqual([]);
	const links = { transcriptUrl: '', audioUrl: '' };
	expect({ ...conversationsExportSchema.parse(json), ...links }).toEqual({ ...row, ...links });
});

// D1-GET-01
test('finds the ID when it is URL-encoded', async () => {
	const [{ conversationId }] = (await list(service, { limit: 1 })).conversations;
	expect((await exportGet(service, conversationId.replace('-', '%2D'))).status).toBe(200);
});

// D1-GET-03, D1-ERR-02
test('responds with 404 if the conversation does not exist', async () => {
	expect((await exportGet(service, '00000000-0000-4000-8000-000000000000')).status).toBe(404);
});

// D1-GET-03, D1-AUTH-02, D1-DOES-05
test('responds with 404 if the conversation belongs to another organization', async () => {
	const { otherOrganization } = service.keys;
	const [theirs] = (await list(service, {}, otherOrganization)).conversations;
	expect((await exportGet(service, theirs.conversationId, otherOrganization)).status).toBe(200);
	expect((await exportGet(service, theirs.conversationId)).status).toBe(404);
});

// D1-GET-04
test('a conversation outside a key’s teams gets the same 404 as a missing one', async () => {
	const { team } = service.keys;
	const inScope = new Set((await users(service, {}, team)).map((user) => user.userId));
	const rows = (await listAll(service)).flatMap((page) => page.conversations);
	const outside = rows.find((row) => !inScope.has(row.user.id));
	const inside = rows.find((row) => inScope.has(row.user.id));
	const refused = await exportGet(service, outside?.conversationId ?? '', team);
	const absent = await exportGet(service, '00000000-0000-4000-8000-000000000000', team);
	expect(refused.status).toBe(404);
	expect(refused.text).toBe(absent.text);
	expect((await exportGet(service, inside?.conversationId ?? '', team)).status).toBe(200);
});
