import { activeEmails, appointment, crm } from '../support/crm';
import { useService } from '../support/service';

const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const nobody = 'nobody.at.all@example.invalid';
const audio = 'https://audio.example/call.mp3';

let owner: string;
beforeAll(async () => {
	[owner] = await activeEmails(service);
});

/** Sends an appointment and expects a refusal with a plain-string body. */
async function expectRefused(code: number, more: object, body?: string) {
	const response = await api.save(appointment(owner, more));
	expect(response).toMatchObject({ status: code, ...(body !== undefined && { text: body }) });
	expect(response.headers['content-type']).toMatch(/^text\/plain/);
	expect(response.text).not.toMatch(/^[{["]/);
}

// D2-ERR-01, D2-POST-01, D2-DOES-01, D2-DOES-06
test('responds to a valid appointment with 200 and plain text', async () => {
	const response = await api.save(appointment(owner));
	expect(response.status).toBe(200);
	expect(response.headers['content-type']).toMatch(/^text\/plain/);
	expect(response.text).not.toBe('');
});

// D2-ERR-02, D2-ERR-00
test.each(['{"event_id": "a"', 'event_id=a', ''])('responds to the body %j with 400', async (body) => {
	const response = await api.save(body);
	expect(response.status).toBe(400);
	expect(response.headers['content-type']).toMatch(/^text\/plain/);
});

// D2-ERR-03, D2-ERR-00, D2-APPT-01, D2-APPT-02, D2-APPT-06
test.each(['event_id', 'user_email', 'title'])(
	'responds to a new appointment without %s with 400',
	async (field) => {
		await expectRefused(400, { [field]: undefined });
	},
);

// D2-APPT-04, D2-APPT-05, D2-APPT-07
test.each(['start_time', 'end_time', 'customer'])(
	'responds to a new appointment without %s with 400',
	async (field) => {
		await expectRefused(400, { [field]: undefined });
	},
);

// D2-ERR-04, D2-CUSTOMER-01, D2-CUSTOMER-02
test.each([
	['without id', { name: 'Ada' }],
	['without name', { id: 'customer-1' }],
	['that is empty', {}],
	['that is not an object', 'Ada'],
])('responds with 400 to a customer %s', async (_case, customer) => {
	await expectRefused(400, { customer });
});

// D2-ERR-05, D2-LIM-02, D2-APPT-04, D2-APPT-05
test.each([
	'2025-03-04T15:00:00Z',
	'2025-03-04 15:00',
	'2025-03-04 15:00:00Z',
	'2025-03-04 15:00:00+01:00',
	'04.03.2025 15:00:00',
	'2025-13-04 15:00:00',
	'2025-02-30 15:00:00',
	'2025-03-04 25:00:00',
	'tomorrow',
	1741100400,
])('responds to the time %j with 400', async (time) => {
	await expectRefused(400, { start_time: time });
	await expectRefused(400, { end_time: time });
});

// D2-ERR-06, D2-APPT-13
test('responds to CALL_AUDIO_WITH_LOCATION without location with 400', async () => {
	const media = { media_url: audio, recording_type: 'CALL_AUDIO_WITH_LOCATION' };
	await expectRefused(400, media);
	expect((await api.save(appointment(owner, { ...media, location: 'Berlin' }))).status).toBe(200);
});

// D2-APPT-11, D2-APPT-12
test('responds to media_url without a known recording_type with 400', async () => {
	await expectRefused(400, { media_url: audio });
	await expectRefused(400, { media_url: audio, recording_type: 'VIDEO' });
});

// D2-TYPE-01, D2-TYPE-02, D2-APPT-12, D2-DOES-02
test.each(['CALL_AUDIO', 'APPOINTMENT_AUDIO'])('accepts media_url with %s', async (type) => {
	const body = appointment(owner, { media_url: audio, recording_type: type });
	expect((await api.save(body)).status).toBe(200);
});

// D2-TYPE-03
test('accepts CALL_AUDIO_WITH_LOCATION with a location', async () => {
	const body = { media_url: audio, recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Berlin' };
	expect((await api.save(appointment(owner, body))).status).toBe(200);
});

// D2-ERR-07, D2-BODY-01
test.each(['', '   ', null, 7, ['a@example.com']])(
	'responds to the user_email %j with the exact body',
	async (user_email) => {
		await expectRefused(400, { user_email }, 'user_email must be a non-empty string');
	},
);

// D2-ERR-08, D2-BODY-02, D2-APPT-03
test.each([null, 'a@example.com', [''], ['a@example.com', ' '], [7], {}, 7])(
	'responds to the attendee_emails %j with the exact body',
	async (attendee_emails) => {
		await expectRefused(400, { attendee_emails }, 'attendee_emails must be an array of non-empty strings');
	},
);

// D2-ERR-09, D2-BODY-03, D2-LIM-03, D2-APPT-11
test('responds to attendees with media_url with the exact body', async () => {
	const media = { media_url: audio, recording_type: 'CALL_AUDIO' };
	await expectRefused(
		400,
		{ ...media, attendee_emails: [owner] },
		'attendee_emails cannot be combined with media_url',
	);
	expect((await api.save(appointment(owner, { ...media, attendee_emails: [] }))).status).toBe(200);
});

// D2-ERR-17, D2-BODY-04, D2-ATT-03, D2-ATT-04
test('responds with 422 when nobody resolves', async () => {
	for (const more of [
		{ user_email: nobody },
		{ user_email: nobody, attendee_emails: [] },
		{ user_email: nobody, attendee_emails: [`other.${nobody}`] },
	]) {
		const response = await api.save(appointment(owner, more));
		expect(response.status).toBe(422);
		expect(response.text).toMatch(/^User email is not in \S+$/);
		expect(response.headers['content-type']).toMatch(/^text\/plain/);
	}
});

// D2-LIM-04, D2-APPT-10
test('price must be a number', async () => {
	await expectRefused(400, { price: '$1,200' });
	expect((await api.save(appointment(owner, { price: 1200.5 }))).status).toBe(200);
});

// D2-ERR-12
test.each([
	['POST', '/custom/appointments'],
	['POST', '/custom/appointment/'],
	['POST', '/custom/appointment%20'],
	['GET', '/custom/appointment'],
	['PUT', '/custom/appointment'],
	['POST', '/Custom/Appointment'],
	['DELETE', '/custom/appointment'],
	['DELETE', '/custom/appointment/'],
	['GET', '/custom/appointment/match'],
	['POST', '/custom/appointment/match/'],
	['POST', '/'],
] as const)('responds to %s %s with 404 and an object with a message', async (method, path) => {
	const response = await api.send(method, path, method === 'POST' ? appointment(owner) : undefined);
	expect(response.status).toBe(404);
	expect(response.json).toMatchObject({ message: expect.stringMatching(/^No matching route/) });
});

// D2-HEAD-03, D2-DOES-06
test('responds in JSON to Accept: application/json, in plain text otherwise', async () => {
	for (const [accept, type] of [
		['application/json', /^application\/json/],
		['text/plain', /^text\/plain/],
		['*/*', /^text\/plain/],
	] as const) {
		const good = await api.save(appointment(owner), { accept });
		const bad = await api.save(appointment(owner, { user_email: '' }), { accept });
		expect({ good: good.status, bad: bad.status }).toEqual({ good: 200, bad: 400 });
		for (const { headers } of [good, bad]) expect(headers['content-type']).toMatch(type);
	}
});

// D2-HEAD-02
test('refuses a body that is not sent as application/json', async () => {
	for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
		const response = await api.save(appointment(owner), { 'content-type': type });
		expect(Math.floor(response.status / 100)).toBe(4);
	}
	const withCharset = { 'content-type': 'application/json; charset=utf-8' };
	expect((await api.save(appointment(owner), withCharset)).status).toBe(200);
});
