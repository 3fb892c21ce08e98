import { appointment, expectDocumented, nobody, useReceiver, useService } from '../client';

// Of its people, Diego and Xenia each share a prefix with a colleague, Hugo is hidden and Liam was removed.
const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const api = service.crm();
const [ava, ben, carla] = ['ava.adams@example.com', 'ben.hansen@example.com', 'carla.ortiz@example.com'];
const [diego, diegoToo] = ['Diego.Vargas@example.com', 'diego.vargas@branch.example.net'];
const gone = ['hugo.stone@example.com', 'liam.parker@example.com', nobody];
const media = { media_url: 'https://audio.example/1.mp3', recording_type: 'CALL_AUDIO' };
const everything = {
	customer: { id: 'c-1', name: 'Ada', email: 'ada@example.com', phone: '+1 555', address: '1 Road' },
	...{ type: 'Inspection', price: 1999.99, lead_source: 'Referral', location: 'Berlin' },
	custom_fields: { nested: { deep: [1, null, 'ü'] }, Flag: true },
};
/** Finishes processing an event's media and returns the new conversation's ID. */
const finish = (eventId: string) => service.control.finishProcessing({ eventId })[0];

// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-LIM-02, D2-LIM-04, D2-RULE-01, D2-RULE-03, D2-STATE-02, D2-DOES-01
test.each([
	{ ...everything, ...media, result: 'Sold' },
	{ start_time: '2025-03-30 02:30:00', end_time: '2025-03-30 03:30:00' },
	{ start_time: '2024-02-29 23:59:59', end_time: '2024-03-01 00:00:00' },
])(
	'fields and times are stored exactly as sent; an update keeps what it does not have: %j',
	async (fields) => {
		const body = appointment(ava, fields);
		expect((await api.save({ ...body, attendee_emails: [] })).status).toBe(200);
		const before = service.stored(body.event_id);
		expect(before).toMatchObject(body);
		for (const change of [{}, { title: 'New title', price: 1 }]) {
			await api.save({ event_id: body.event_id, user_email: ava, ...change });
			expect(service.stored(body.event_id)).toEqual({ ...before, ...change });
		}
	},
);

// D2-RULE-02, D2-STATE-01
test('result matches an existing outcome in any case; another one, even misspelled, is created', async () => {
	const before = service.control.outcomes();
	for (const [sent, stored] of [
		[before[0].toUpperCase(), before[0]],
		['Solld', 'Solld'],
		['SOLLD', 'Solld'],
	])
		expect(service.stored(await service.saved({ result: sent }))?.result).toBe(stored);
	expect(service.control.outcomes()).toEqual([...before, 'Solld']);
});

// D2-EVENT-02..03, D2-STATE-06, D2-ERR-21, D2-RULE-01
test('what is refused changes nothing and is in no debugger view; an unexpected error leaves a dead letter', async () => {
	const { organization, team } = service.keys;
	const body = JSON.parse(JSON.stringify(appointment(ava, everything)));
	const { event_id, start_time, end_time } = body;
	const update = { event_id, user_email: ava, title: 'Second' };
	for (const sent of [body, update]) await api.save(sent);
	const received = (key: string) =>
		service.control.debugger(key).filter((event) => event.eventId === event_id);
	const state = () => [service.stored(event_id), service.control.outcomes(), received(organization)];
	const before = state();
	expect(received(organization)).toMatchObject([{ payload: body }, { payload: update }]);
	expect(received(organization)[1].stored).toMatchObject({ start_time, end_time, title: 'Second' });
	expect(received(team)).toEqual([]);
	service.faults.add({ kind: 'serverError', body: { title: 'A fault' }, times: 1 });
	for (const [change, status] of [
		[{ start_time: 'x' }, 400],
		[{ customer: { id: 'c-2' } }, 400],
		[{ attendee_emails: [' '] }, 400],
		[{ media_url: media.media_url }, 400],
		[{ title: '' }, 400],
		[{ user_email: nobody }, 422],
		[{ title: 'A fault' }, 500],
	] as const) {
		const response = await api.save({ ...update, title: 'Changed', result: 'Brand new outcome', ...change });
		expect([change, response.status, state()]).toEqual([change, status, before]);
	}
	expect(service.control.journals.deadLetters).toMatchObject([{ payload: { event_id } }]);
});

// D2-AUTH-04, D2-ERR-20, D2-LIM-01
test('a deleted key is refused immediately, a key beyond its usage plan gets 429; other keys are not', async () => {
	const { team, otherOrganization } = service.keys;
	const statuses = [(await service.crm(team).save(appointment(ava))).status];
	service.control.deleteKey(team);
	statuses.push((await service.crm(team).save(appointment(ava))).status);
	const limit = service.faults.add({ kind: 'usagePlan', ratePerSecond: 0.01, burst: 2 });
	for (let request = 1; request <= 4; request++) statuses.push((await api.save(appointment(ava))).status);
	statuses.push((await service.crm(otherOrganization).remove('never-created')).status);
	expect(statuses).toEqual([200, 403, 200, 200, 429, 429, 404]);
	service.faults.clear(limit);
});

// D2-ATT-01..05, D2-STATE-01..02
test.each<[what: string, owner: string, attendees: string[] | undefined, expected: string[]]>([
	['every resolved person', ava, [ben, carla], [ava, ben, carla]],
	['the owner alone without a list', ava, undefined, [ava]],
	['the owner alone with an empty list', ava, [], [ava]],
	['addresses in any case, trimmed', '  AVA.ADAMS@EXAMPLE.COM\t', [' Ben.Hansen@example.com '], [ava, ben]],
	['an alternate email', 'CORTIZ2@mail.example.org', undefined, [carla]],
	['several emails of a user once', carla, [carla.toUpperCase(), 'cortiz2@mail.example.org'], [carla]],
	['a first.last prefix with any domain', 'AVA.Adams@elsewhere.example', undefined, [ava]],
	['users who share a prefix by their primary email', diego, [diegoToo], [diego, diegoToo]],
	['a list without removed, hidden and unresolved people', ava, [...gone, ben], [ava, ben]],
	['an attendee alone if the owner does not resolve', nobody, [ava], [ava]],
	['nobody by a prefix that two people share', 'diego.vargas@elsewhere.example', undefined, []],
	['nobody by a prefix that is no first.last', 'ava@elsewhere.example', undefined, []],
	['nobody by another letter, without an @', 'ava.adamsX', undefined, []],
	['nobody by a letter more', 'ava.adamsX@elsewhere.example', undefined, []],
	['nobody by a letter less', 'ava.adam@elsewhere.example', undefined, []],
	['nobody by a prefix after the @', 'someone@ava.adams', undefined, []],
])('resolves %s, in place of everybody before', async (_what, user_email, attendee_emails, expected) => {
	const event_id = await service.saved({ attendee_emails: [carla] });
	const before = service.stored(event_id)!.attendees;
	const { status } = await api.save({ event_id, user_email, attendee_emails });
	const isRefused = expected.length === 0;
	expect([status, service.stored(event_id)?.attendees]).toEqual(isRefused ? [422, before] : [200, expected]);
});

// D2-POST-02, D2-EVENT-01, D2-DOES-02, D2-STATE-01, D2-STATE-04, D2-DEL-06
// D1-CONV-10..11, D1-DOES-04, D1-EVENT-01, D1-DATA-01, D1-WH-07
test('audio is only received at first; processed, it is exported, announced and keeps its appointment', async () => {
	service.control.finishProcessing();
	service.webhooks.subscriptions.add({ url: receiver.url });
	const count = async () => (await service.list()).totalConversations;
	const before = await count();
	const eventId = await service.saved({ ...media, price: 50, result: 'Sold' });
	expect(await count()).toBe(before);
	const id = finish(eventId);
	expect(await count()).toBe(before + 1);
	const conversation = await service.conversation(id);
	expectDocumented('ConversationsExport', [conversation]);
	const appointed = { crmEventID: eventId, title: 'Roof inspection', totalSold: 50, outcome: 'Sold' };
	expect(conversation).toMatchObject({ ...appointed, jobNumber: null, stLink: null });
	const [delivered] = await receiver.got(1);
	const data = { conversation_id: id, appointment_id: eventId };
	expect(delivered.json).toMatchObject({ event_type: 'conversation_processed', data });
	expect((await api.remove(eventId)).status).toBe(409);
	expect(service.stored(eventId)).toMatchObject({ hasRecording: true });
});

// D2-ATT-06, D2-TYPE-03
test('audio belongs to an unassigned account instead of the owner if it is imported by location', async () => {
	const byLocation = { recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Berlin' };
	const recorders = [{}, byLocation].map(async (more) => {
		const { user } = await service.conversation(finish(await service.saved({ ...media, ...more })));
		return user.email;
	});
	expect(await Promise.all(recorders)).toEqual([ava, 'unassigned@system.example']);
});

// D2-BODY-10..11, D2-ERR-19, D2-STATE-07
test.each([
	['none', 'Conversation has no recording to link'],
	['missing', "Conversation's recording could not be found to link"],
] as const)(
	'match with a recording that is "%s" gets 422 with "%s" and changes nothing',
	async (state, text) => {
		const [row] = (await service.list({ page: state === 'none' ? 1 : 2, limit: 5 })).conversations;
		const event_id = await service.saved();
		service.control.setRecording(row.conversationId, state);
		expect(await api.match(event_id, row.conversationId)).toMatchObject({ status: 422, text });
		expect((await service.conversation(row.conversationId)).crmEventID).toBe(row.crmEventID);
		expect(service.stored(event_id)).toMatchObject({ hasRecording: false });
	},
);

// D2-MATCH-02, D1-CONV-07, D1-CONV-10..13, D1-CONV-26
test('match clears what the event lacks from the conversation, and does not change the appointment', async () => {
	const rows = (await service.list()).conversations.slice(20);
	const { conversationId } = rows.find(
		(row) => row.jobNumber && row.stLink && row.outcome && row.customFields,
	)!;
	const event_id = await service.saved();
	const before = service.stored(event_id);
	await api.match(event_id, conversationId);
	const cleared = { jobNumber: null, stLink: null, totalSold: null, outcome: null, customFields: null };
	expect(await service.conversation(conversationId)).toMatchObject({ crmEventID: event_id, ...cleared });
	expect(service.stored(event_id)).toEqual({ ...before, hasRecording: true });
});
