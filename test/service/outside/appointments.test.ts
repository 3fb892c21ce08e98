import { absentId, appointment, nobody, useService } from '../client';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = service.crm();
const audio = { media_url: 'https://audio.example/call.mp3', recording_type: 'CALL_AUDIO' };
const byLocation = { ...audio, recording_type: 'CALL_AUDIO_WITH_LOCATION' };

let owner: string;
beforeAll(async () => {
	[owner] = await service.owners();
});
/** The IDs of a new appointment and of a conversation that this file has not used yet. */
let used = 0;
async function fresh(more?: object): Promise<[eventId: string, conversationId: string]> {
	return [await service.saved(more), (await service.list()).conversations[used++].conversationId];
}

/** A response in plain text; without a text, in words that D2 does not specify. */
const plain = (status: number, text: unknown = expect.stringMatching(/^[^{["]/)) =>
	expect.objectContaining({ status, type: 'text/plain', text });
const json = (status: number, value: unknown) =>
	expect.objectContaining({ status, type: 'application/json', json: value });
const noRoute = json(404, { message: expect.stringMatching(/^No matching route/) });
const NO_OWNER = 'user_email must be a non-empty string';
const NO_LIST = 'attendee_emails must be an array of non-empty strings';
const AUDIO_ALONE = 'attendee_emails cannot be combined with media_url';
const NOT_FOUND = expect.stringMatching(/^User email is not in \S+$/);
const LACKS_ID = 'Missing some required parameters in the body';

type Request = () => ReturnType<typeof api.send>;
const [PATH, MATCH] = ['/custom/appointment', '/custom/appointment/match'];
const send =
	(...request: Parameters<typeof api.send>) =>
	() =>
		api.send(...request);
const save = (more: object, headers?: Record<string, string>) => () =>
	api.save(appointment(owner, more), headers);
/** Requests to save with each of these values. */
const having = (name: string, ...values: unknown[]) => values.map((value) => save({ [name]: value }));
const TIMES = [
	...['2025-03-04T15:00:00Z', '2025-03-04 15:00', '2025-03-04 15:00:00+01:00'],
	...['2025-02-30 15:00:00', '2025-03-04 25:00:00', 1741100400],
];
const NOBODY = [undefined, [], [`other.${nobody}`]].map((list) => ({ attendee_emails: list }));
const NO_JSON = ['{"event_id": "a"', 'event_id=a', ''];
const NO_MATCHES = [{ conversation_id: absentId }, { event_id: 'a' }, {}];
const NO_ROUTES = [`${PATH}/`, `${PATH}%20`, '/Custom/Appointment', `${PATH}/match/`, '/'];
const NO_TYPES = ['application/x-www-form-urlencoded', 'text/plain'];
const [UNDECODABLE, LONG] = ['%E0%A4%A', 'x'.repeat(14_000)].map((id) => `${PATH}/${id}`);
/** Every operation with a key. */
const withKey = (keyOf: () => string | null): Request[] => [
	() => service.crm(keyOf()).save(appointment(owner), { authorization: service.keys.organization }),
	() => service.crm(keyOf()).match('a', absentId),
	() => service.crm(keyOf()).remove('a'),
];
const unknown = [null, '', 'no-such-key', 'Bearer no-such-key'].flatMap((key) => [
	...withKey(() => key),
	() => service.crm(key).send('POST', PATH, '{'),
	...[UNDECODABLE, LONG].map((path) => () => service.crm(key).send('DELETE', path)),
]);

// D2-APPT-01..15, D2-CUSTOMER-01..02, D2-TYPE-01..03, D2-ERR-00..13, D2-ERR-17..18, D2-BODY-01..06, D2-BODY-09
// D2-POST-01, D2-DOES-01..02, D2-DOES-06, D2-LIM-02..04, D2-ATT-03..04, D2-HEAD-01..03, D2-AUTH-01..03, D2-DEL-03..05
// D2-MATCHBODY-01..02
test.each<[request: string, expected: unknown, requests: Request[]]>([
	['a new appointment', plain(200), [save({}), save({ price: 1200.5 })]],
	['audio', plain(200), [save(audio), save({ ...byLocation, location: 'Berlin' })]],
	['audio in person', plain(200), having('recording_type', 'APPOINTMENT_AUDIO')],
	['audio without attendees', plain(200), [save({ ...audio, attendee_emails: [] })]],
	['no event ID', plain(400), having('event_id', undefined)],
	['no owner', plain(400), having('user_email', undefined)],
	['no title', plain(400), having('title', undefined)],
	['no start, or in another form', plain(400), having('start_time', undefined, ...TIMES)],
	['no end, or in another form', plain(400), having('end_time', undefined, ...TIMES)],
	['no whole customer', plain(400), having('customer', undefined, 'Ada', { name: 'Ada' }, { id: 'c-1' })],
	['a price in words', plain(400), having('price', '$1,200')],
	['audio of no type', plain(400), [save({ media_url: audio.media_url })]],
	['audio of another type', plain(400), [save({ ...audio, recording_type: 'VIDEO' })]],
	['audio by location without one', plain(400), [save(byLocation)]],
	['audio with attendees', plain(400, AUDIO_ALONE), [save({ ...audio, attendee_emails: ['a@b.c'] })]],
	['no text as owner', plain(400, NO_OWNER), having('user_email', '', '   ', null, 7, ['a@b.c'])],
	['no list', plain(400, NO_LIST), having('attendee_emails', null, 'a', [''], ['a', ' '], [7], {}, 7)],
	['nobody who resolves', plain(422, NOT_FOUND), NOBODY.map((more) => save({ ...more, user_email: nobody }))],
	['an appointment of no JSON', plain(400), NO_JSON.map((body) => send('POST', PATH, body))],
	['a match of no JSON', plain(400, 'Invalid JSON data'), NO_JSON.map((body) => send('POST', MATCH, body))],
	['a match without an ID', plain(400, LACKS_ID), NO_MATCHES.map((body) => send('POST', MATCH, body))],
	['another path', noRoute, NO_ROUTES.map((path) => send('POST', path, {}))],
	['another method', noRoute, [send('PUT', PATH), send('DELETE', `${PATH}/`)]],
	['Accept of JSON', json(200, expect.any(String)), [save({}, { accept: 'application/json' })]],
	['Accept of text', plain(200), [save({}, { accept: 'text/plain' }), save({}, { accept: '*/*' })]],
	['JSON in UTF-8', plain(200), [save({}, { 'content-type': 'application/json; charset=utf-8' })]],
	['another content type', plain(400), NO_TYPES.map((type) => save({}, { 'content-type': type }))],
	['an unknown key, whatever else is wrong', plain(403), unknown],
	['a match with an unknown key', plain(403, 'Forbidden'), [() => service.crm('').send('POST', MATCH, '{')]],
	['a key without an organization', plain(422), withKey(() => service.keys.unmapped)],
	['an event ID that cannot be decoded', plain(400), [send('DELETE', UNDECODABLE)]],
	['an event ID that does not exist', plain(404), [send('DELETE', LONG)]],
])('%s gets its response', async (_request, expected, requests) => {
	for (const request of requests) expect(await request()).toEqual(expected);
});

// D2-DOES-05, D2-ATT-02, D2-AUTH-05, D1-AUTH-05
test('a key resolves the users of its organization only, but one of a team, all of them', async () => {
	const { otherOrganization, team, organization } = service.keys;
	const [mine, theirs, allowed] = await Promise.all([undefined, otherOrganization, team].map(service.owners));
	// With a shared first.last prefix, it would resolve to the namesake.
	const prefixOf = (email: string) => email.split('@')[0].toLowerCase();
	const foreign = theirs.find((email) => !mine.map(prefixOf).includes(prefixOf(email)))!;
	const outside = mine.find((email) => !allowed.includes(email))!;
	for (const [key, email, status] of [
		[otherOrganization, foreign, 200],
		[organization, foreign, 422],
		[team, outside, 200],
	] as const)
		expect([email, (await service.crm(key).save(appointment(email))).status]).toEqual([email, status]);
});

// D2-DEL-01..02, D2-DEL-05, D2-STATE-03, D2-DOES-03, D2-DOES-05, D2-ERR-00, D2-ERR-13
test('delete finds any event ID of the organization when it is URL-encoded; otherwise 404, in plain text', async () => {
	const other = service.crm(service.keys.otherOrganization);
	for (const event_id of ['a/b', '/%2F', 'a b+c', '%', '%E0%A4%A', 'ü🎉', '...', '?x=1', '#x', 'match']) {
		await service.saved({ event_id });
		for (const [remove, status] of [
			[other.remove, 404],
			[api.remove, 200],
			[api.remove, 404],
		] as const)
			expect([event_id, await remove(event_id)]).toEqual([event_id, plain(status)]);
	}
});

// D2-DEL-06, D2-ERR-16, D2-STATE-04..05
test('delete gets 409 while a recording is linked, even when repeated; another link frees it', async () => {
	const [first, conversationId] = await fresh();
	const second = await service.saved();
	await api.match(first, conversationId);
	for (let attempt = 1; attempt <= 2; attempt++) expect((await api.remove(first)).status).toBe(409);
	await api.match(second, conversationId);
	expect((await service.conversation(conversationId)).crmEventID).toBe(second);
	expect([(await api.remove(first)).status, (await api.remove(second)).status]).toEqual([200, 409]);
});

// D2-MATCH-01..03, D2-STATE-05..07, D2-DOES-04, D2-ERR-14..15, D2-BODY-07..08, D2-MATCHBODY-01..02, D1-CONV-07, D1-CONV-12
test('match gets its exact body, also again, and changes only its event; what does not exist gets 404', async () => {
	const [eventId, conversationId] = await fresh({
		price: 1234.5,
		result: 'Sold',
		custom_fields: { Gate: 7 },
	});
	const { recordingId, date, processedDate, user, duration, checklists } =
		await service.conversation(conversationId);
	const [theirs] = (await service.list({}, service.keys.otherOrganization)).conversations;
	for (const [event, conversation, expected] of [
		[eventId, conversationId, plain(200, 'Successfully matched conversation to event')],
		[eventId, conversationId, plain(200, 'Successfully matched conversation to event')],
		['never-created', conversationId, plain(404, 'Event not found')],
		[eventId, absentId, plain(404, 'Conversation not found')],
		[eventId, theirs.conversationId, plain(404, 'Conversation not found')],
	])
		expect(await api.match(event, conversation)).toEqual(expected);
	expect(await service.conversation(conversationId)).toMatchObject({
		...{ recordingId, date, processedDate, user, duration, checklists },
		...{ crmEventID: eventId, totalSold: 1234.5, outcome: 'Sold', customFields: { Gate: 7 } },
	});
});
