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
/** A conversation that this file has not used yet. */
let used = 0;
const fresh = async () => (await service.list()).conversations[used++];
const match = (event_id: string, conversation_id: string) => api.match({ event_id, conversation_id });

const OWNER = 'user_email must be a non-empty string';
const ATTENDEES = 'attendee_emails must be an array of non-empty strings';
const BOTH = 'attendee_emails cannot be combined with media_url';
const TIMES = [
	...['2025-03-04T15:00:00Z', '2025-03-04 15:00', '2025-03-04 15:00:00+01:00'],
	...['2025-02-30 15:00:00', '2025-03-04 25:00:00', 1741100400],
];

// D2-APPT-01..15, D2-CUSTOMER-01..02, D2-TYPE-01..03, D2-ERR-00..01, D2-ERR-03..09, D2-ERR-17, D2-BODY-01..04
// D2-POST-01, D2-DOES-01..02, D2-DOES-06, D2-LIM-02..04, D2-ATT-03..04
test.each<[number, RegExp | string, object[]]>([
	[200, /^[^{["]/, [{}, { price: 1200.5 }, audio, { ...byLocation, location: 'Berlin' }]],
	[200, /^[^{["]/, [{ ...audio, recording_type: 'APPOINTMENT_AUDIO', attendee_emails: [] }]],
	[
		400,
		/^[^{["]/,
		['event_id', 'user_email', 'title', 'start_time', 'end_time', 'customer'].map((name) => ({
			[name]: undefined,
		})),
	],
	[400, /^[^{["]/, ['Ada', { name: 'Ada' }, { id: 'customer-1' }].map((customer) => ({ customer }))],
	[
		400,
		/^[^{["]/,
		[{ media_url: audio.media_url }, { ...audio, recording_type: 'VIDEO' }, byLocation, { price: '$1,200' }],
	],
	[400, /^[^{["]/, TIMES.flatMap((time): object[] => [{ start_time: time }, { end_time: time }])],
	[400, OWNER, ['', '   ', null, 7, ['a@b.c']].map((user_email) => ({ user_email }))],
	[
		400,
		ATTENDEES,
		[null, 'a@b.c', [''], ['a@b.c', ' '], [7], {}, 7].map((attendee_emails) => ({ attendee_emails })),
	],
	[400, BOTH, [{ ...audio, attendee_emails: ['a@b.c'] }]],
	[
		422,
		/^User email is not in \S+$/,
		[undefined, [], [`other.${nobody}`]].map((attendee_emails) => ({ user_email: nobody, attendee_emails })),
	],
])('a new appointment gets %i in plain text: %s', async (status, text, bodies) => {
	for (const more of bodies) {
		const response = await save(more);
		expect([more, response.status]).toEqual([more, status]);
		expect(response.headers['content-type']).toMatch(/^text\/plain/);
		if (typeof text === 'string') expect(response.text).toBe(text);
		else expect(response.text).toMatch(text);
	}
});

// D2-ERR-00, D2-ERR-02, D2-ERR-10, D2-BODY-05..06
test('a body that is no JSON, and a match without an ID, get 400', async () => {
	for (const body of ['{"event_id": "a"', 'event_id=a', '']) {
		expect(await api.save(body)).toMatchObject({ status: 400, json: undefined });
		expect(await api.match(body)).toMatchObject({ status: 400, text: 'Invalid JSON data' });
	}
	const expected = { status: 400, text: 'Missing some required parameters in the body' };
	for (const body of [{ conversation_id: absentId }, { event_id: 'a' }, {}])
		expect(await api.match(body)).toMatchObject(expected);
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
test.each<[string, string, number, RegExp]>([
	['accept', 'application/json', 2, /^application\/json/],
	['accept', 'text/plain', 2, /^text\/plain/],
	['accept', '*/*', 2, /^text\/plain/],
	['content-type', 'application/json; charset=utf-8', 2, /^text\/plain/],
	['content-type', 'application/x-www-form-urlencoded', 4, /^text\/plain/],
	['content-type', 'text/plain', 4, /^text\/plain/],
])('with %s: %s, an appointment gets %ixx', async (name, value, hundreds, type) => {
	const { status, headers } = await save({}, { [name]: value });
	expect(Math.floor(status / 100)).toBe(hundreds);
	expect(headers['content-type']).toMatch(type);
});

describe('a key', () => {
	/** The statuses of all three operations with a key, and the body of the second. */
	async function everyOperation(key: string | null) {
		const other = service.crm(key);
		const event_id = await service.saved();
		const [{ conversationId }] = (await service.list()).conversations;
		const saving = await other.save(appointment(owner, { event_id }));
		const matching = await other.match({ event_id, conversation_id: conversationId });
		return [saving.status, matching.status, (await other.remove(event_id)).status, matching.text];
	}

	// D2-AUTH-01..03, D2-ERR-11, D2-ERR-18, D2-HEAD-01, D2-BODY-09, D2-DEL-03..04, D2-ERR-00
	test('that is unknown gets 403 before anything else is looked at; one without an organization, 422', async () => {
		const [undecodable, long] = ['%E0%A4%A', 'x'.repeat(14_000)].map((id) => `/custom/appointment/${id}`);
		const right = { authorization: service.keys.organization };
		for (const key of [null, '', 'no-such-key', 'Bearer no-such-key']) {
			expect(await everyOperation(key)).toEqual([403, 403, 403, 'Forbidden']);
			const other = service.crm(key);
			const blind = [
				other.save('{ no JSON'),
				other.match('{ no JSON'),
				other.save(appointment(owner), right),
			];
			const refused = await Promise.all([
				...blind,
				...[undecodable, long].map((path) => other.send('DELETE', path)),
			]);
			expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
		}
		expect((await api.send('DELETE', undecodable)).status).toBe(400);
		expect((await api.send('DELETE', long)).status).toBe(404);
		expect((await everyOperation(service.keys.unmapped)).slice(0, 3)).toEqual([422, 422, 422]);
	});

	// D2-DOES-05, D2-ATT-02, D2-AUTH-05, D1-AUTH-05
	test('resolves the users of its organization only, but one of a team, all of them', async () => {
		const { otherOrganization, team } = service.keys;
		const prefixOf = (email: string) => email.split('@')[0].toLowerCase();
		const mine = await service.owners();
		// With a shared first.last prefix, it would resolve to the namesake.
		const prefixes = mine.map(prefixOf);
		const theirs = await service.owners(otherOrganization);
		const foreign = theirs.find((email) => !prefixes.includes(prefixOf(email)))!;
		expect((await service.crm(otherOrganization).save(appointment(foreign))).status).toBe(200);
		expect((await api.save(appointment(foreign))).status).toBe(422);
		const allowed = await service.owners(team);
		const outside = mine.find((email) => !allowed.includes(email))!;
		expect((await service.crm(team).save(appointment(outside))).status).toBe(200);
	});
});

describe('delete', () => {
	// D2-DEL-01..02, D2-DEL-05, D2-STATE-03, D2-DOES-03, D2-DOES-05, D2-ERR-00, D2-ERR-13
	test('finds any event ID of the organization when it is URL-encoded; otherwise 404, in plain text', async () => {
		const other = service.crm(service.keys.otherOrganization);
		for (const event_id of ['a/b', '/%2F', 'a b+c', '%', '%E0%A4%A', 'ü🎉', '...', '?x=1', '#x', 'match']) {
			await service.saved({ event_id });
			const responses = [
				await other.remove(event_id),
				await api.remove(event_id),
				await api.remove(event_id),
			];
			expect([event_id, ...responses.map(({ status }) => status)]).toEqual([event_id, 404, 200, 404]);
			for (const { headers } of responses) expect(headers['content-type']).toMatch(/^text\/plain/);
		}
	});

	// D2-DEL-06, D2-ERR-16, D2-STATE-04..05
	test('gets 409 while a recording is linked, even when repeated; another link frees it', async () => {
		const [first, second] = [await service.saved(), await service.saved()];
		const { conversationId } = await fresh();
		await match(first, conversationId);
		for (let attempt = 1; attempt <= 2; attempt++) expect((await api.remove(first)).status).toBe(409);
		await match(second, conversationId);
		expect((await service.conversation(conversationId)).crmEventID).toBe(second);
		expect([(await api.remove(first)).status, (await api.remove(second)).status]).toEqual([200, 409]);
	});
});

describe('match', () => {
	// D2-MATCH-01..02, D2-STATE-05, D2-DOES-04, D1-CONV-07, D1-CONV-12
	test('gets the exact body, even when repeated, and changes only what comes from the event', async () => {
		const before = await fresh();
		const eventId = await service.saved({ price: 1234.5, result: 'Sold' });
		for (let attempt = 1; attempt <= 2; attempt++) {
			const response = await match(eventId, before.conversationId);
			expect(response).toMatchObject({ status: 200, text: 'Successfully matched conversation to event' });
			expect(response.headers['content-type']).toMatch(/^text\/plain/);
		}
		const { recordingId, date, processedDate, user, duration, checklists } = before;
		expect(await service.conversation(before.conversationId)).toMatchObject({
			...{ recordingId, date, processedDate, user, duration, checklists },
			...{ crmEventID: eventId, totalSold: 1234.5, outcome: 'Sold' },
		});
	});

	// D2-MATCH-03, D2-ERR-14..15, D2-BODY-07..08, D2-MATCHBODY-01..02, D2-STATE-06..07
	test('of what does not exist in the organization gets 404 with the exact body, and keeps the link', async () => {
		const { conversationId } = await fresh();
		const eventId = await service.saved();
		await match(eventId, conversationId);
		const [theirs] = (await service.list({}, service.keys.otherOrganization)).conversations;
		for (const [event, conversation, text] of [
			['never-created', conversationId, 'Event not found'],
			[eventId, absentId, 'Conversation not found'],
			[eventId, theirs.conversationId, 'Conversation not found'],
		])
			expect(await match(event, conversation)).toMatchObject({ status: 404, text });
		expect((await service.conversation(conversationId)).crmEventID).toBe(eventId);
	});
});
