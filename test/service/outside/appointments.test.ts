import { absentId, appointment, nobody, useService } from '../client';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = service.crm();
const audio = { media_url: 'https://audio.example/call.mp3', recording_type: 'CALL_AUDIO' };
const byLocation = { ...audio, recording_type: 'CALL_AUDIO_WITH_LOCATION' };

let owner: string;
beforeAll(async () => {
	[owner] = await service.owners();
});
const save = (more: object, headers?: Record<string, string>) => api.save(appointment(owner, more), headers);
/** The IDs of a new appointment and of a conversation that this file has not used yet. */
let used = 0;
async function fresh(more?: object): Promise<[eventId: string, conversationId: string]> {
	return [await service.saved(more), (await service.list()).conversations[used++].conversationId];
}

/** A response in plain text; without a text, in words that D2 does not specify. */
const plain = (status: number, text: unknown = expect.stringMatching(/^[^{["]/)) =>
	expect.objectContaining({ status, type: 'text/plain', text });
const having = (name: string, ...values: unknown[]) => values.map((value) => ({ [name]: value }));
const TIMES = [
	...['2025-03-04T15:00:00Z', '2025-03-04 15:00', '2025-03-04 15:00:00+01:00'],
	...['2025-02-30 15:00:00', '2025-03-04 25:00:00', 1741100400],
];
const ACCEPTED = [
	...[{}, { price: 1200.5 }, audio, { ...byLocation, location: 'Berlin' }],
	{ ...audio, recording_type: 'APPOINTMENT_AUDIO', attendee_emails: [] },
];
const REFUSED = [
	...['event_id', 'user_email', 'title', 'start_time', 'end_time', 'customer'].map((name) => ({
		[name]: undefined,
	})),
	...having('customer', 'Ada', { name: 'Ada' }, { id: 'customer-1' }),
	...[...having('start_time', ...TIMES), ...having('end_time', ...TIMES), { price: '$1,200' }],
	...[{ media_url: audio.media_url }, { ...audio, recording_type: 'VIDEO' }, byLocation],
];
const NO_LISTS = having('attendee_emails', null, 'a@b.c', [''], ['a@b.c', ' '], [7], {}, 7);
const NOBODY = having('attendee_emails', undefined, [], [`other.${nobody}`]);

// D2-APPT-01..15, D2-CUSTOMER-01..02, D2-TYPE-01..03, D2-ERR-00..01, D2-ERR-03..09, D2-ERR-17, D2-BODY-01..04
// D2-POST-01, D2-DOES-01..02, D2-DOES-06, D2-LIM-02..04, D2-ATT-03..04
test.each<[number, unknown, object[]]>([
	[200, undefined, ACCEPTED],
	[400, undefined, REFUSED],
	[400, 'user_email must be a non-empty string', having('user_email', '', '   ', null, 7, ['a@b.c'])],
	[400, 'attendee_emails must be an array of non-empty strings', NO_LISTS],
	[400, 'attendee_emails cannot be combined with media_url', [{ ...audio, attendee_emails: ['a@b.c'] }]],
	[
		422,
		expect.stringMatching(/^User email is not in \S+$/),
		NOBODY.map((more) => ({ user_email: nobody, ...more })),
	],
])('a new appointment gets %i in plain text: %s', async (status, text, bodies) => {
	for (const body of bodies) expect([body, await save(body)]).toEqual([body, plain(status, text)]);
});

// D2-ERR-00, D2-ERR-02, D2-ERR-10, D2-BODY-05..06, D2-MATCHBODY-01..02
test('a body that is no JSON, and a match without an ID, get 400', async () => {
	for (const body of ['{"event_id": "a"', 'event_id=a', '']) {
		expect(await api.save(body)).toMatchObject({ status: 400, json: undefined });
		expect(await api.send('POST', '/custom/appointment/match', body)).toEqual(
			plain(400, 'Invalid JSON data'),
		);
	}
	for (const ids of [[undefined, absentId], ['a'], []])
		expect(await api.match(ids[0], ids[1])).toEqual(
			plain(400, 'Missing some required parameters in the body'),
		);
});

// D2-ERR-12
test.each([
	['POST', '/custom/appointment/'],
	['POST', '/custom/appointment%20'],
	['PUT', '/custom/appointment'],
	['POST', '/Custom/Appointment'],
	['DELETE', '/custom/appointment/'],
	['POST', '/custom/appointment/match/'],
	['POST', '/'],
] as const)('%s %s gets 404 and an object with a message', async (method, path) => {
	const { status, json } = await api.send(method, path, method === 'POST' ? appointment(owner) : undefined);
	expect([status, json]).toEqual([404, { message: expect.stringMatching(/^No matching route/) }]);
});

// D2-HEAD-02..03, D2-DOES-06
test.each([
	['accept', 'application/json', 2, 'application/json'],
	['accept', 'text/plain', 2, 'text/plain'],
	['accept', '*/*', 2, 'text/plain'],
	['content-type', 'application/json; charset=utf-8', 2, 'text/plain'],
	['content-type', 'application/x-www-form-urlencoded', 4, 'text/plain'],
	['content-type', 'text/plain', 4, 'text/plain'],
])('with %s: %s, an appointment gets %ixx', async (name, value, hundreds, expected) => {
	const { status, type } = await save({}, { [name]: value });
	expect([Math.floor(status / 100), type]).toEqual([hundreds, expected]);
});

describe('a key', () => {
	// D2-AUTH-01..03, D2-ERR-11, D2-ERR-18, D2-HEAD-01, D2-BODY-09, D2-DEL-03..04, D2-ERR-00
	test('that is unknown gets 403 before anything else is looked at; one without an organization, 422', async () => {
		const [event_id, conversationId] = await fresh();
		const { organization, unmapped } = service.keys;
		/** The statuses of every operation with a key. */
		const everyOperation = async (key: string | null) => {
			const { save: saving, match, remove } = service.crm(key);
			const sent = [
				saving(appointment(owner, { event_id })),
				match(event_id, conversationId),
				remove(event_id),
			];
			return (await Promise.all(sent)).map(({ status }) => status);
		};
		const [undecodable, long] = ['%E0%A4%A', 'x'.repeat(14_000)].map((id) => `/custom/appointment/${id}`);
		for (const key of [null, '', 'no-such-key', 'Bearer no-such-key']) {
			expect(await everyOperation(key)).toEqual([403, 403, 403]);
			const { save: saving, send } = service.crm(key);
			expect((await saving(appointment(owner), { authorization: organization })).status).toBe(403);
			for (const path of ['', '/match'])
				expect(await send('POST', `/custom/appointment${path}`, '{')).toEqual(plain(403, 'Forbidden'));
			for (const path of [undecodable, long]) expect((await send('DELETE', path)).status).toBe(403);
		}
		expect((await api.send('DELETE', undecodable)).status).toBe(400);
		expect((await api.send('DELETE', long)).status).toBe(404);
		expect(await everyOperation(unmapped)).toEqual([422, 422, 422]);
	});

	// D2-DOES-05, D2-ATT-02, D2-AUTH-05, D1-AUTH-05
	test('resolves the users of its organization only, but one of a team, all of them', async () => {
		const { otherOrganization, team, organization } = service.keys;
		const [mine, theirs, allowed] = await Promise.all(
			[undefined, otherOrganization, team].map(service.owners),
		);
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
test('match gets its exact body, also when repeated, and changes only what is of the event; of what does not exist, 404', async () => {
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
