import { activeEmails, appointment, crm, saved } from '../support/crm';
import { list, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });

/** The three operations with one key. */
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

test.each([
	['missing', null],
	['unknown', 'no-such-key'],
	['empty', ''],
	['a Bearer token', 'Bearer no-such-key'],
])(
	'[D2-AUTH-02] [D2-ERR-11] [D2-HEAD-01] [D2-BODY-09] [D2-DEL-04] 403 for a key that is %s',
	async (_case, key) => {
		const answers = await everyOperation(key, await saved(service));
		expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403]);
		expect(answers[1].text).toBe('Forbidden');
	},
);

test('[D2-AUTH-02] the gateway refuses before the application looks at the body', async () => {
	expect((await crm(service, 'no-such-key').save('{ no JSON')).status).toBe(403);
	expect((await crm(service, 'no-such-key').match('{ no JSON')).status).toBe(403);
});

test('[D2-AUTH-02] the gateway refuses before the application looks at the path', async () => {
	const path = '/custom/appointment/%E0%A4%A';
	for (const key of [null, 'no-such-key']) {
		expect((await crm(service, key).send('DELETE', path)).status).toBe(403);
	}
	expect((await crm(service).send('DELETE', path)).status).toBe(400);
});

test('[D2-AUTH-01] the key is not looked for in Authorization', async () => {
	const [owner] = await activeEmails(service);
	const headers = { authorization: service.keys.organization };
	expect((await crm(service, null).save(appointment(owner), headers)).status).toBe(403);
});

test('[D2-AUTH-03] [D2-ERR-18] 422 for a key without an organization', async () => {
	const answers = await everyOperation(service.keys.unmapped, await saved(service));
	expect(answers.map((answer) => answer.status)).toEqual([422, 422, 422]);
});

test('[D2-DOES-05] [D2-DEL-05] [D2-ERR-13] another organization’s appointment is not there', async () => {
	const eventId = await saved(service);
	expect((await crm(service, service.keys.otherOrganization).remove(eventId)).status).toBe(404);
	expect((await crm(service).remove(eventId)).status).toBe(200);
});

test('[D2-DOES-05] [D2-ATT-02] another organization’s users do not resolve', async () => {
	const prefixOf = (email: string) => email.split('@')[0].toLowerCase();
	const mine = new Set((await users(service)).map((user) => prefixOf(user.email)));
	const theirs = await activeEmails(service, service.keys.otherOrganization);
	// Somebody whose prefix nobody here has: the same first.last would resolve to the namesake (attendee rule 2).
	const foreign = theirs.find((email) => !mine.has(prefixOf(email)));
	if (foreign === undefined)
		throw new Error('The other organization needs somebody without a namesake here.');
	const other = crm(service, service.keys.otherOrganization);
	expect((await other.save(appointment(foreign))).status).toBe(200);
	expect((await crm(service).save(appointment(foreign))).status).toBe(422);
});

test('[D2-AUTH-05] [D1-AUTH-05] a key’s team restriction does not count here', async () => {
	const { team } = service.keys;
	const allowed = new Set(await activeEmails(service, team));
	const outside = (await activeEmails(service)).find((email) => !allowed.has(email));
	expect((await crm(service, team).save(appointment(outside ?? ''))).status).toBe(200);
});
