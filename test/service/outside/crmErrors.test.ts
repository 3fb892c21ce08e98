import { activeEmails, appointment, crm, saved } from '../support/crm';
import { absentId, list, nobody, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const call = { media_url: 'https://audio.example/call.mp3', recording_type: 'CALL_AUDIO' };
const byLocation = { ...call, recording_type: 'CALL_AUDIO_WITH_LOCATION' };

let owner: string;
beforeAll(async () => {
	[owner] = await activeEmails(service);
});
const save = (more: object, headers?: Record<string, string>) => api.save(appointment(owner, more), headers);

/** Expects a status and a plain-string body. */
function expectPlain({ status, headers, text }: Awaited<ReturnType<typeof save>>, code: number) {
	expect(status).toBe(code);
	expect(headers['content-type']).toMatch(/^text\/plain/);
	expect(text).toMatch(/^[^{["]/);
}

// D2-APPT-10..13, D2-TYPE-01..03, D2-ERR-01, D2-POST-01, D2-DOES-01..02, D2-DOES-06, D2-LIM-04
test.each([
	{},
	{ price: 1200.5 },
	call,
	{ ...call, recording_type: 'APPOINTMENT_AUDIO', attendee_emails: [] },
	{ ...byLocation, location: 'Berlin' },
])('an appointment with %j gets 200 and plain text', async (more) => {
	expectPlain(await save(more), 200);
});

// D2-ERR-00, D2-ERR-03..06, D2-APPT-01..02, D2-APPT-04..07, D2-APPT-10..13, D2-CUSTOMER-01..02, D2-LIM-04
test.each([
	{ event_id: undefined },
	{ user_email: undefined },
	{ title: undefined },
	{ start_time: undefined },
	{ end_time: undefined },
	{ customer: undefined },
	{ customer: 'Ada' },
	{ customer: { name: 'Ada' } },
	{ customer: { id: 'customer-1' } },
	{ media_url: call.media_url },
	{ ...call, recording_type: 'VIDEO' },
	byLocation,
	{ price: '$1,200' },
])('a new appointment with %p gets 400 and a plain string', async (more) => {
	expectPlain(await save(more), 400);
});

// D2-ERR-05, D2-LIM-02, D2-APPT-04..05
test.each([
	'2025-03-04T15:00:00Z',
	'2025-03-04 15:00',
	'2025-03-04 15:00:00+01:00',
	'2025-02-30 15:00:00',
	'2025-03-04 25:00:00',
	1741100400,
])('the time %j gets 400', async (time) => {
	expectPlain(await save({ start_time: time }), 400);
	expectPlain(await save({ end_time: time }), 400);
});

const text = {
	owner: 'user_email must be a non-empty string',
	attendees: 'attendee_emails must be an array of non-empty strings',
	both: 'attendee_emails cannot be combined with media_url',
};

// D2-ERR-07..09, D2-BODY-01..03, D2-LIM-03, D2-APPT-03, D2-APPT-11
test.each<[string, object]>([
	...['', '   ', null, 7, ['a@b.c']].map((user_email): [string, object] => [text.owner, { user_email }]),
	...[null, 'a@b.c', [''], ['a@b.c', ' '], [7], {}, 7].map((attendee_emails): [string, object] => [
		text.attendees,
		{ attendee_emails },
	]),
	[text.both, { ...call, attendee_emails: ['a@b.c'] }],
])('gets 400 with exactly "%s": %j', async (body, more) => {
	const response = await save(more);
	expectPlain(response, 400);
	expect(response.text).toBe(body);
});

// D2-ERR-17, D2-BODY-04, D2-ATT-03..04
test.each([{}, { attendee_emails: [] }, { attendee_emails: [`other.${nobody}`] }])(
	'an unknown owner with %p gets 422, because nobody resolves',
	async (more) => {
		const response = await save({ user_email: nobody, ...more });
		expectPlain(response, 422);
		expect(response.text).toMatch(/^User email is not in \S+$/);
	},
);

// D2-ERR-00, D2-ERR-02, D2-BODY-05
test.each(['{"event_id": "a"', 'event_id=a', ''])('the body %j, which is no JSON, gets 400', async (body) => {
	expectPlain(await api.save(body), 400);
	expect(await api.match(body)).toMatchObject({ status: 400, text: 'Invalid JSON data' });
});

// D2-BODY-06, D2-ERR-10
test.each([{ conversation_id: absentId }, { event_id: 'a' }, {}])('a match of %j gets 400', async (body) => {
	const expected = { status: 400, text: 'Missing some required parameters in the body' };
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
test.each<[Record<string, string>, number, RegExp]>([
	[{ accept: 'application/json' }, 200, /^application\/json/],
	[{ accept: 'text/plain' }, 200, /^text\/plain/],
	[{ accept: '*/*' }, 200, /^text\/plain/],
	[{ 'content-type': 'application/json; charset=utf-8' }, 200, /^text\/plain/],
	[{ 'content-type': 'application/x-www-form-urlencoded' }, 400, /^text\/plain/],
	[{ 'content-type': 'text/plain' }, 400, /^text\/plain/],
])('with the header %j, an appointment gets %i', async (headers, status, type) => {
	const response = await save({}, headers);
	expect(Math.floor(response.status / 100)).toBe(status / 100);
	expect(response.headers['content-type']).toMatch(type);
});

describe('a key', () => {
	/** Runs all three operations with one key. */
	async function everyOperation(key: string | null) {
		const other = crm(service, key);
		const event_id = await saved(service);
		const [{ conversationId }] = (await list(service)).conversations;
		return [
			await other.save(appointment(owner, { event_id })),
			await other.match({ event_id, conversation_id: conversationId }),
			await other.remove(event_id),
		];
	}

	// D2-AUTH-01..02, D2-ERR-11, D2-HEAD-01, D2-BODY-09, D2-DEL-04
	test.each([null, '', 'no-such-key', 'Bearer no-such-key'])(
		'%j gets 403, also with the right one in Authorization',
		async (key) => {
			const responses = await everyOperation(key);
			expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
			expect(responses[1].text).toBe('Forbidden');
			const headers = { authorization: service.keys.organization };
			expect((await crm(service, key).save(appointment(owner), headers)).status).toBe(403);
		},
	);

	// D2-AUTH-03, D2-ERR-18
	test('without an organization gets 422', async () => {
		const responses = await everyOperation(service.keys.unmapped);
		expect(responses.map(({ status }) => status)).toEqual([422, 422, 422]);
	});

	// D2-AUTH-02, D2-DEL-03, D2-ERR-00
	test('is checked before the body and the path', async () => {
		const [undecodable, long] = ['%E0%A4%A', 'x'.repeat(14_000)].map((id) => `/custom/appointment/${id}`);
		for (const other of [crm(service, 'no-such-key'), crm(service, null)]) {
			expect((await other.save('{ no JSON')).status).toBe(403);
			expect((await other.match('{ no JSON')).status).toBe(403);
			expect((await other.send('DELETE', undecodable)).status).toBe(403);
			expect((await other.send('DELETE', long)).status).toBe(403);
		}
		expect((await api.send('DELETE', undecodable)).status).toBe(400);
		expect((await api.send('DELETE', long)).status).toBe(404);
	});

	// D2-DOES-05, D2-ATT-02
	test('does not resolve the users of another organization', async () => {
		const prefixOf = (email: string) => email.split('@')[0].toLowerCase();
		const mine = new Set((await users(service)).map((user) => prefixOf(user.email)));
		const theirs = await activeEmails(service, service.keys.otherOrganization);
		// With a shared first.last prefix, it would resolve to the namesake (D2-ATT-02).
		const foreign = theirs.find((email) => !mine.has(prefixOf(email))) ?? nobody;
		const other = crm(service, service.keys.otherOrganization);
		expect((await other.save(appointment(foreign))).status).toBe(200);
		expect((await api.save(appointment(foreign))).status).toBe(422);
	});

	// D2-AUTH-05, D1-AUTH-05
	test('of a team is not restricted to the team', async () => {
		const { team } = service.keys;
		const allowed = new Set(await activeEmails(service, team));
		const outside = (await activeEmails(service)).find((email) => !allowed.has(email)) ?? nobody;
		expect((await crm(service, team).save(appointment(outside))).status).toBe(200);
	});
});
