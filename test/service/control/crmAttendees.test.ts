import { appointment, crm, crmStore } from '../support/crm';
import { nobody } from '../support/http';
import { useService } from '../support/service';

// Of its people, Diego and Xenia each share a prefix with a colleague, Hugo is hidden and Liam was removed.
const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const store = crmStore(service);
const [ava, ben, carla] = ['ava.adams@example.com', 'ben.hansen@example.com', 'carla.ortiz@example.com'];
const [carlaToo, diego] = ['cortiz2@mail.example.org', 'Diego.Vargas@example.com'];
const diegoToo = 'diego.vargas@branch.example.net';
const [hugo, liam] = ['hugo.stone@example.com', 'liam.parker@example.com'];

// D2-ATT-01..04, D2-STATE-01
test.each<[what: string, owner: string, attendees: string[] | undefined, expected: string[]]>([
	['every resolved person', ava, [ben, carla], [ava, ben, carla]],
	['the owner alone without a list', ava, undefined, [ava]],
	['the owner alone with an empty list', ava, [], [ava]],
	['addresses in any case, trimmed', '  AVA.ADAMS@EXAMPLE.COM\t', [' Ben.Hansen@example.com '], [ava, ben]],
	['an alternate email', 'CORTIZ2@mail.example.org', undefined, [carla]],
	['several emails of a user once', carla, [carla.toUpperCase(), carlaToo], [carla]],
	['a first.last prefix with any domain', 'AVA.Adams@elsewhere.example', undefined, [ava]],
	['users who share a prefix by their primary email', diego, [diegoToo], [diego, diegoToo]],
	['a list without removed, hidden and unresolved people', ava, [hugo, liam, nobody, ben], [ava, ben]],
	['an attendee alone if the owner does not resolve', nobody, [ava], [ava]],
])('resolves %s', async (_what, owner, attendee_emails, expected) => {
	const body = appointment(owner, { attendee_emails });
	expect((await api.save(body)).status).toBe(200);
	expect((await store.get(body.event_id))?.attendees).toEqual(expected);
});

// D2-ATT-02
test.each([
	['diego.vargas@elsewhere.example', 'two people share the prefix'],
	['ava@elsewhere.example', 'the prefix is no first.last'],
	['ava.adamsX', 'it has another letter and no @'],
	['ava.adamsX@elsewhere.example', 'it has another letter'],
	['ava.adam@elsewhere.example', 'it lacks a letter'],
	['someone@ava.adams', 'the prefix is after the @'],
])('does not resolve %s: %s', async (email) => {
	expect((await api.save(appointment(email))).status).toBe(422);
});

// D2-ATT-05, D2-STATE-02
test('every update replaces the whole attendee list', async () => {
	const body = appointment(ava, { attendee_emails: [ben] });
	const after = async (change: object) => {
		await api.save({ event_id: body.event_id, user_email: ava, ...change });
		return (await store.get(body.event_id))?.attendees;
	};
	expect(await after(body)).toEqual([ava, ben]);
	expect(await after({ attendee_emails: [carla] })).toEqual([ava, carla]);
	expect(await after({ result: 'Sold' })).toEqual([ava]);
});
