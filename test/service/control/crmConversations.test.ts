import { conversationsExportSchema } from '../../../nodes/shared/exportApi/schemas';
import { activeEmails, appointment, crm, crmStore, saved } from '../support/crm';
import { control, exportGet, list } from '../support/http';
import { conversationOf, envelopeOf, useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { differences } from '../support/tables';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const api = crm(service);
const store = crmStore(service);
const media = { media_url: 'https://audio.example/call.mp3', recording_type: 'CALL_AUDIO' };

const exported = async (id: string) => conversationsExportSchema.parse((await exportGet(service, id)).json);

describe('media', () => {
	// D2-POST-02, D2-EVENT-01, D2-DOES-02, D2-STATE-01
	test('a success only confirms receipt; the conversation follows later', async () => {
		const before = (await list(service)).totalConversations;
		const eventId = await saved(service, { ...media, price: 50, result: 'Sold' });
		expect((await list(service)).totalConversations).toBe(before);
		const [conversationId] = await store.finish(eventId);
		expect((await list(service)).totalConversations).toBe(before + 1);
		const { json } = await exportGet(service, conversationId);
		expect(differences('ConversationsExport', json)).toEqual([]);
		expect(json).toMatchObject({
			crmEventID: eventId,
			title: 'Roof inspection',
			totalSold: 50,
			outcome: 'Sold',
		});
	});

	// D1-CONV-10, D1-CONV-11
	test('an ingested conversation has no job, like its appointment', async () => {
		for (let index = 0; index < 10; index++) {
			const [conversationId] = await store.finish(await saved(service, media));
			expect(await exported(conversationId)).toMatchObject({ jobNumber: null, stLink: null });
		}
	});

	// D2-EVENT-01, D1-DOES-04, D1-EVENT-01
	test('the webhook announces the end of processing', async () => {
		await webhooks.subscribe({ url: receiver.url });
		const eventId = await saved(service, media);
		const [conversationId] = await store.finish(eventId);
		const [delivered] = await receiver.got(1);
		expect(conversationOf(delivered)).toBe(conversationId);
		expect(envelopeOf(delivered)).toMatchObject({
			event_type: 'conversation_processed',
			data: { appointment_id: eventId },
		});
	});

	// D2-STATE-04, D2-DEL-06
	test('an appointment with an ingested recording cannot be deleted', async () => {
		const eventId = await saved(service, media);
		await store.finish(eventId);
		expect((await api.remove(eventId)).status).toBe(409);
		expect(await store.get(eventId)).toMatchObject({ hasRecording: true });
	});

	// D2-ATT-06, D2-TYPE-03
	test('a call imported by location belongs to an unassigned account instead of the owner', async () => {
		const [owner] = await activeEmails(service);
		const ofOwner = appointment(owner, media);
		const byLocation = appointment(owner, {
			...media,
			recording_type: 'CALL_AUDIO_WITH_LOCATION',
			location: 'Berlin',
		});
		await api.save(ofOwner);
		await api.save(byLocation);
		const [own] = await store.finish(ofOwner.event_id);
		const [unassigned] = await store.finish(byLocation.event_id);
		expect((await exported(own)).user.email).toBe(owner);
		expect((await exported(unassigned)).user.email).not.toBe(owner);
	});
});

describe('match', () => {
	// D2-BODY-10, D2-BODY-11, D2-ERR-19, D2-STATE-07
	test.each([
		['none', 'Conversation has no recording to link'],
		['missing', "Conversation's recording could not be found to link"],
	] as const)(
		'refuses a match with 422 and the exact body, and changes nothing, if the recording is "%s"',
		async (state, body) => {
			const [row] = (await list(service, { page: state === 'none' ? 1 : 2, limit: 5 })).conversations;
			const eventId = await saved(service);
			await store.setRecording(row.conversationId, state);
			const response = await api.match({ event_id: eventId, conversation_id: row.conversationId });
			expect(response).toMatchObject({ status: 422, text: body });
			expect((await exported(row.conversationId)).crmEventID).toBe(row.crmEventID);
			expect(await store.get(eventId)).toMatchObject({ hasRecording: false });
		},
	);

	// D2-MATCH-02
	test('a match does not change the appointment itself', async () => {
		const eventId = await saved(service);
		const before = await store.get(eventId);
		const [row] = (await list(service, { page: 3, limit: 5 })).conversations;
		await api.match({ event_id: eventId, conversation_id: row.conversationId });
		expect(await store.get(eventId)).toEqual({ ...before, hasRecording: true });
	});

	// D1-CONV-07, D1-CONV-10..13, D1-CONV-26
	test('event fields of a conversation follow its link', async () => {
		const row = (await list(service)).conversations.slice(20).find((each) => each.jobNumber && each.stLink);
		if (!row) throw new Error('No conversation is linked to a job.');
		const custom_fields = { 'Gate code': 7 };
		const eventId = await saved(service, { price: 12.5, result: 'Sold', custom_fields });
		await api.match({ event_id: eventId, conversation_id: row.conversationId });
		expect(await exported(row.conversationId)).toMatchObject({
			crmEventID: eventId,
			jobNumber: null,
			stLink: null,
			totalSold: 12.5,
			outcome: 'Sold',
			customFields: custom_fields,
		});
		const bare = await saved(service);
		await api.match({ event_id: bare, conversation_id: row.conversationId });
		expect(await exported(row.conversationId)).toMatchObject({
			crmEventID: bare,
			totalSold: null,
			outcome: null,
			customFields: null,
		});
	});

	// D2-ATT-01
	test('adding attendees does not rematch existing recordings', async () => {
		const [owner, other] = await activeEmails(service);
		const eventId = await saved(service);
		const before = (await list(service)).conversations;
		await api.save({ event_id: eventId, user_email: owner, attendee_emails: [other] });
		const linked = (rows: typeof before) => rows.map((row) => row.crmEventID);
		expect(linked((await list(service)).conversations)).toEqual(linked(before));
		expect(await store.get(eventId)).toMatchObject({ hasRecording: false });
	});
});

describe('limits and faults', () => {
	afterEach(async () => {
		await control(service, 'DELETE', '/usage-plan');
		await control(service, 'DELETE', '/faults');
	});

	// D2-ERR-20, D2-LIM-01
	test('responds with 429 beyond the usage plan, only for that key', async () => {
		const eventId = await saved(service);
		await control(service, 'POST', '/usage-plan', { ratePerSecond: 0.01, burst: 2 });
		const update = { event_id: eventId, user_email: (await activeEmails(service))[0] };
		const statuses = [];
		for (let request = 1; request <= 4; request++) statuses.push((await api.save(update)).status);
		expect(statuses).toEqual([200, 200, 429, 429]);
		const other = crm(service, service.keys.otherOrganization);
		expect((await other.remove('never-created')).status).toBe(404);
	});

	// D2-ERR-21
	test('an unexpected error leads to a 500 and a dead letter, and changes nothing', async () => {
		const eventId = await saved(service);
		const before = await store.get(eventId);
		await control(service, 'POST', '/faults', { kind: 'serverError', path: '/crm/', times: 1 });
		const [owner] = await activeEmails(service);
		const update = { event_id: eventId, user_email: owner, title: 'Lost' };
		const failed = await api.save(update);
		expect(failed.status).toBe(500);
		expect(failed.json).toBeUndefined();
		expect(await store.deadLetters()).toContain(eventId);
		expect(await store.get(eventId)).toEqual(before);
		expect((await api.save(update)).status).toBe(200);
	});
});
