import { activeEmails, appointment, crm, crmStore, saved } from '../support/crm';
import { control, nobody } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const store = crmStore(service);

let owner: string;
beforeAll(async () => {
	[owner] = await activeEmails(service);
});

const everything = {
	customer: { id: 'c-1', name: 'Ada', email: 'ada@example.com', phone: '+1 555', address: '1 Road' },
	type: 'Inspection',
	price: 1999.99,
	lead_source: 'Referral',
	location: 'Berlin',
	custom_fields: { nested: { deep: [1, null, 'ü'] }, Flag: true },
};
const media = { media_url: 'https://audio.example/1.mp3', recording_type: 'CALL_AUDIO_WITH_LOCATION' };

// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-LIM-02, D2-LIM-04, D2-RULE-01
test.each([
	{ ...everything, ...media, result: 'Sold' },
	{ start_time: '2025-03-30 02:30:00', end_time: '2025-03-30 03:30:00' },
	{ start_time: '2024-02-29 23:59:59', end_time: '2024-03-01 00:00:00' },
])('stores every field and time exactly as sent: %j', async (fields) => {
	const body = appointment(owner, fields);
	expect((await api.save({ ...body, attendee_emails: [] })).status).toBe(200);
	expect(await store.get(body.event_id)).toMatchObject(body);
});

// D2-RULE-03, D2-STATE-02, D2-DOES-01
test.each([{}, { title: 'New title' }, { start_time: '2026-01-01 10:00:00', price: 1 }])(
	'an update needs only event_id and user_email; %j changes nothing else',
	async (change) => {
		const eventId = await saved(service, everything);
		const before = await store.get(eventId);
		expect((await api.save({ event_id: eventId, user_email: owner, ...change })).status).toBe(200);
		expect(await store.get(eventId)).toEqual({ ...before, ...change });
	},
);

// D2-RULE-02, D2-STATE-01
test('result matches an existing outcome in any case; another one, even misspelled, is created', async () => {
	const before = await store.outcomes();
	const misspelled = `${before[0]}x ${Date.now()}`;
	const resultOf = async (result: string) => (await store.get(await saved(service, { result })))?.result;
	expect([await resultOf(before[0].toUpperCase()), await resultOf(before[0].toLowerCase())]).toEqual([
		before[0],
		before[0],
	]);
	expect(await store.outcomes()).toEqual(before);
	expect([await resultOf(misspelled), await resultOf(misspelled.toUpperCase())]).toEqual([
		misspelled,
		misspelled,
	]);
	expect(await store.outcomes()).toEqual([...before, misspelled]);
});

// D2-STATE-06
test.each<[object, number]>([
	[{ start_time: '2025-01-01T00:00:00Z' }, 400],
	[{ customer: { id: 'c-2' } }, 400],
	[{ attendee_emails: [' '] }, 400],
	[{ media_url: media.media_url }, 400],
	[{ user_email: nobody }, 422],
])('an update with %j gets %i and changes nothing', async (change, code) => {
	const eventId = await saved(service, everything);
	const state = async () => [await store.get(eventId), await store.outcomes()];
	const before = await state();
	const update = { event_id: eventId, user_email: owner, title: 'Changed', result: 'Brand new outcome' };
	expect((await api.save({ ...update, ...change })).status).toBe(code);
	expect(await state()).toEqual(before);
});

// D2-DEL-01, D2-STATE-03
test('is deleted by its event ID, not by its internal ID; then the event ID can be used again', async () => {
	const body = appointment(owner, everything);
	await api.save(body);
	const { id } = (await store.get(body.event_id)) ?? { id: '' };
	expect((await api.remove(id)).status).toBe(404);
	expect(await store.get(body.event_id)).toBeDefined();
	await api.remove(body.event_id);
	expect(await store.get(body.event_id)).toBeUndefined();
	expect((await api.save({ event_id: body.event_id, user_email: owner })).status).toBe(400);
	await api.save(body);
	expect((await store.get(body.event_id))?.id).not.toBe(id);
});

// D2-EVENT-02..03, D2-RULE-01
test('the debugger view of a key has what it sent and what was stored, but nothing refused', async () => {
	const { organization, team } = service.keys;
	const body = JSON.parse(JSON.stringify(appointment(owner, everything)));
	const update = { event_id: body.event_id, user_email: owner, title: 'Second' };
	await api.save(body);
	await api.save(update);
	for (const more of [{ start_time: 'noon' }, { title: '' }, { user_email: nobody }])
		expect((await api.save({ ...body, ...more })).status).toBeGreaterThanOrEqual(400);
	const sentWith = async (key: string) => {
		type View = { events: Array<{ eventId: string; payload: unknown; stored: unknown }> };
		const { events } = await control<View>(service, 'GET', `/debugger?key=${encodeURIComponent(key)}`);
		return events.filter((event) => event.eventId === body.event_id);
	};
	const mine = await sentWith(organization);
	expect(mine.map((event) => event.payload)).toEqual([body, update]);
	expect(mine[1].stored).toMatchObject({ start_time: body.start_time, end_time: body.end_time });
	expect(await sentWith(team)).toEqual([]);
});

// D2-AUTH-04
test('a deleted key is refused immediately, other keys are not', async () => {
	const { team } = service.keys;
	const statusOf = async (key?: string) => (await crm(service, key).save(appointment(owner))).status;
	expect(await statusOf(team)).toBe(200);
	await control(service, 'DELETE', `/keys/${team}`);
	expect([await statusOf(team), await statusOf()]).toEqual([403, 200]);
});
