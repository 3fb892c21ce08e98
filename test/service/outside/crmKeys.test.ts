import { activeEmails, appointment, crm, saved } from '../support/crm';
import { list, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });

/** Runs all three operations with one key. */
async function everyOperation(key: string | null, eventId: string) {
	const api = crm(service, key);
	const [owner] = await activeEmails(service);
	const [row] = (await list(service)).conversations;
	return [
		await api.save({ ...appointment(owner), event_id: eventId }),
		await api.match({ event_id: eventId, conversation_id: row.conversationId }),
		await api.remove(eventId),
	];
}

// D2-AUTH-02, D2-ERR-11, D2-HEAD-01, D2-BODY-09, D2-DEL-04
test.each([
	['missing', null],
	['unknown', 'no-such-key'],
	['empty', ''],
	['a Bearer token', 'Bearer no-such-key'],
])('responds with 403 to a key that is %s', async (_case, key) => {
	const responses = await everyOperation(key, await saved(service));
	expect(responses.map((response) => response.status)).toEqual([403, 403, 403]);
	expect(responses[1].text).toBe('Forbidden');
});

// D2-AUTH-02
test('the gateway refuses a key before the application reads the body', async () => {
	expect((await crm(service, 'no-such-key').save('{ no JSON')).status).toBe(403);
	expect((await crm(service, 'no-such-key').match('{ no JSON')).status).toBe(403);
});

// D2-AUTH-02
test('the gateway refuses a key before the application reads the path', async () => {
	const path = '/custom/appointment/%E0%A4%A';
	for (const key of [null, 'no-such-key']) {
		expect((await crm(service, key).send('DELETE', path)).status).toBe(403);
	}
	expect((await crm(service).send('DELETE', path)).status).toBe(400);
});

// D2-AUTH-01
test('ignores a key in Authorization', async () => {
	const [owner] = await activeEmails(service);
	const headers = { authorization: service.keys.organization };
	expect((await crm(service, null).save(appointment(owner), headers)).status).toBe(403);
});

// D2-AUTH-03, D2-ERR-18
test('responds with 422 to a key without an organization', async () => {
	const responses = await everyOperation(service.keys.unmapped, await saved(service));
	expect(responses.map((response) => response.status)).toEqual([422, 422, 422]);
});

// D2-DOES-05, D2-DEL-05, D2-ERR-13
test('cannot find the appointments of another organization', async () => {
	const eventId = await saved(service);
	expect((await crm(service, service.keys.otherOrganization).remove(eventId)).status).toBe(404);
	expect((await crm(service).remove(eventId)).status).toBe(200);
});

// D2-DOES-05, D2-ATT-02
test('does not resolve the users of another organization', async () => {
	const prefixOf = (email: string) => email.split('@')[0].toLowerCase();
	const mine = new Set((await users(service)).map((user) => prefixOf(user.email)));
	const theirs = await activeEmails(service, service.keys.otherOrganization);
	// Needs a unique prefix: a shared first.last would resolve to the namesake (D2-ATT-02).
	const foreign = theirs.find((email) => !mine.has(prefixOf(email)));
	if (foreign === undefined) throw new Error('Every user of the other organization has a namesake.');
	const other = crm(service, service.keys.otherOrganization);
	expect((await other.save(appointment(foreign))).status).toBe(200);
	expect((await crm(service).save(appointment(foreign))).status).toBe(422);
});

// D2-AUTH-05, D1-AUTH-05
test('ignores a key’s team restriction', async () => {
	const { team } = service.keys;
	const allowed = new Set(await activeEmails(service, team));
	const outside = (await activeEmails(service)).find((email) => !allowed.has(email));
	expect((await crm(service, team).save(appointment(outside ?? ''))).status).toBe(200);
});
