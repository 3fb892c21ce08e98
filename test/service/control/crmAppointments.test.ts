import { activeEmails, appointment, crm, crmStore, saved } from '../support/crm';
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

// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-LIM-04
test('stores every field as sent', async () => {
	const media = { media_url: 'https://audio.example/1.mp3', recording_type: 'CALL_AUDIO_WITH_LOCATION' };
	const body = appointment(owner, { ...everything, ...media, result: 'Sold', attendee_emails: [] });
	expect((await api.save(body)).status).toBe(200);
	const { attendee_emails, ...fields } = body as typeof body & { attendee_emails: string[] };
	expect(await store.get(body.event_id)).toMatchObject(fields);
	expect(attendee_emails).toEqual([]);
});

// D2-RULE-01, D2-LIM-02
test('stores times exactly as sent', async () => {
	for (const [start_time, end_time] of [
		['2025-03-30 02:30:00', '2025-03-30 03:30:00'],
		['2024-02-29 23:59:59', '2024-03-01 00:00:00'],
	]) {
		const eventId = await saved(service, { start_time, end_time });
		expect(await store.get(eventId)).toMatchObject({ start_time, end_time });
	}
});

// D2-RULE-03, D2-STATE-02, D2-DOES-01
test('an update needs only event_id and user_email, and keeps all other fields', async () => {
	const eventId = await saved(service, everything);
	const before = await store.get(eventId);
	expect((await api.save({ event_id: eventId, user_email: owner })).status).toBe(200);
	expect(await store.get(eventId)).toEqual(before);
});

// D2-RULE-03
test.each([
	{ title: 'New title' },
	{ start_time: '2026-01-01 10:00:00' },
	{ price: 1 },
	{ type: 'Other' },
	{ lead_source: 'Web' },
])('an update of %j changes nothing else', async (change) => {
	const eventId = await saved(service, everything);
	const before = await store.get(eventId);
	await api.save({ event_id: eventId, user_email: owner, ...change });
	expect(await store.get(eventId)).toEqual({ ...before, ...change });
});

// D2-RULE-02
test('result matches an existing outcome regardless of case', async () => {
	const outcomes = await store.outcomes();
	const [existing] = outcomes;
	const eventId = await saved(service, { result: existing.toUpperCase() });
	expect(await store.get(eventId)).toMatchObject({ result: existing });
	await saved(service, { result: existing.toLowerCase() });
	expect(await store.outcomes()).toEqual(outcomes);
});

// D2-RULE-02, D2-STATE-01
test('a result that matches no outcome creates one, even if it is misspelled', async () => {
	const before = await store.outcomes();
	const misspelt = `${before[0]}x ${Date.now()}`;
	await saved(service, { result: misspelt });
	expect(await store.outcomes()).toEqual([...before, misspelt]);
	const eventId = await saved(service, { result: misspelt.toUpperCase() });
	expect(await store.get(eventId)).toMatchObject({ result: misspelt });
	expect(await store.outcomes()).toHaveLength(before.length + 1);
});

// D2-STATE-06
test.each([
	['a bad time', { start_time: '2025-01-01T00:00:00Z' }, 400],
	['an incomplete customer', { customer: { id: 'c-2' } }, 400],
	['a blank attendee', { attendee_emails: [' '] }, 400],
	['media without a recording type', { media_url: 'https://audio.example/2.mp3' }, 400],
	['an unknown owner', { user_email: 'nobody.at.all@example.invalid' }, 422],
])('an update with %s changes nothing', async (_case, change, code) => {
	const eventId = await saved(service, everything);
	const [before, outcomes] = [await store.get(eventId), await store.outcomes()];
	const update = { event_id: eventId, user_email: owner, title: 'Changed', result: 'Brand new outcome' };
	expect((await api.save({ ...update, ...change })).status).toBe(code);
	expect(await store.get(eventId)).toEqual(before);
	expect(await store.outcomes()).toEqual(outcomes);
});

// D2-DEL-01
test('an appointment cannot be deleted by its internal ID', async () => {
	const eventId = await saved(service);
	const { id } = (await store.get(eventId)) ?? { id: '' };
	expect(id).not.toBe(eventId);
	expect((await api.remove(id)).status).toBe(404);
	expect(await store.get(eventId)).toBeDefined();
});

// D2-STATE-03
test('after a delete, the same event ID creates a new appointment', async () => {
	const body = appointment(owner, everything);
	await api.save(body);
	const first = await store.get(body.event_id);
	await api.remove(body.event_id);
	expect(await store.get(body.event_id)).toBeUndefined();
	expect((await api.save({ event_id: body.event_id, user_email: owner })).status).toBe(400);
	await api.save(appointment(owner, { event_id: body.event_id }));
	expect((await store.get(body.event_id))?.id).not.toBe(first?.id);
});

// D2-EVENT-02, D2-RULE-01
test('the debugger view lists events received for a key, with payload and stored times', async () => {
	const { organization } = service.keys;
	const body = appointment(owner, everything);
	await api.save(body);
	await api.save({ event_id: body.event_id, user_email: owner, title: 'Second' });
	const mine = (await store.events(organization)).filter((event) => event.eventId === body.event_id);
	expect(mine.map((event) => event.payload)).toEqual([
		JSON.parse(JSON.stringify(body)),
		{ event_id: body.event_id, user_email: owner, title: 'Second' },
	]);
	expect(mine[1].stored).toMatchObject({ start_time: body.start_time, end_time: body.end_time });
	const others = await store.events(service.keys.team);
	expect(others.some((event) => event.eventId === body.event_id)).toBe(false);
});

// D2-EVENT-03
test('an event refused with 4xx is not in the debugger view', async () => {
	const refused = [
		appointment(owner, { title: undefined }),
		appointment('nobody.at.all@example.invalid'),
		appointment(owner, { start_time: 'noon' }),
	];
	for (const body of refused) expect((await api.save(body)).status).toBeGreaterThanOrEqual(400);
	const ids = (await store.events(service.keys.organization)).map((event) => event.eventId);
	for (const { event_id } of refused) expect(ids).not.toContain(event_id);
});
