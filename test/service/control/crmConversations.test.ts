import { activeEmails, crm, crmStore, saved } from '../support/crm';
import { control, conversation, exportGet, list } from '../support/http';
import { useService } from '../support/service';
import { differences } from '../support/tables';
import { conversationOf, useReceiver, useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const api = crm(service);
const store = crmStore(service);
const media = { media_url: 'https://audio.example/call.mp3', recording_type: 'CALL_AUDIO' };
const noJob = { jobNumber: null, stLink: null };

describe('hosted audio', () => {
	// D2-POST-02, D2-EVENT-01, D2-DOES-02, D2-STATE-01, D2-STATE-04, D2-DEL-06
	// D1-CONV-10..11, D1-DOES-04, D1-EVENT-01, D1-DATA-01, D1-WH-07
	test('is only received at first; processed, it is exported, announced and keeps its appointment', async () => {
		await webhooks.subscribe({ url: receiver.url });
		const before = (await list(service)).totalConversations;
		const eventId = await saved(service, { ...media, price: 50, result: 'Sold' });
		expect((await list(service)).totalConversations).toBe(before);
		const id = await store.finish(eventId);
		expect((await list(service)).totalConversations).toBe(before + 1);
		const { json } = await exportGet(service, id);
		expect(differences('ConversationsExport', json)).toEqual([]);
		const appointed = { crmEventID: eventId, title: 'Roof inspection', totalSold: 50, outcome: 'Sold' };
		expect(json).toMatchObject({ ...appointed, ...noJob });
		const [delivered] = await receiver.got(1);
		expect(conversationOf(delivered)).toBe(id);
		const event = { event_type: 'conversation_processed', data: { appointment_id: eventId } };
		expect(delivered.json).toMatchObject(event);
		expect((await api.remove(eventId)).status).toBe(409);
		expect(await store.get(eventId)).toMatchObject({ hasRecording: true });
	});

	// D2-ATT-06, D2-TYPE-03
	test('belongs to an unassigned account instead of the owner if it is imported by location', async () => {
		const [owner] = await activeEmails(service);
		const recorder = async (more: object) => {
			const id = await store.finish(await saved(service, { ...media, ...more }));
			return (await conversation(service, id)).user.email;
		};
		expect(await recorder({})).toBe(owner);
		expect(await recorder({ recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Berlin' })).not.toBe(
			owner,
		);
	});
});

describe('match', () => {
	// D2-BODY-10..11, D2-ERR-19, D2-STATE-07
	test.each([
		['none', 'Conversation has no recording to link'],
		['missing', "Conversation's recording could not be found to link"],
	] as const)('of a recording that is "%s" gets 422 with "%s" and changes nothing', async (state, text) => {
		const [row] = (await list(service, { page: state === 'none' ? 1 : 2, limit: 5 })).conversations;
		const eventId = await saved(service);
		const { conversationId } = row;
		await control(service, 'POST', '/recordings', { conversationId, state });
		const response = await api.match({ event_id: eventId, conversation_id: conversationId });
		expect(response).toMatchObject({ status: 422, text });
		expect((await conversation(service, conversationId)).crmEventID).toBe(row.crmEventID);
		expect(await store.get(eventId)).toMatchObject({ hasRecording: false });
	});

	// D2-MATCH-02, D1-CONV-07, D1-CONV-10..13, D1-CONV-26
	test('changes what a conversation shows of its event, but not the appointment', async () => {
		const row = (await list(service)).conversations.slice(20).find((each) => each.jobNumber && each.stLink);
		const conversation_id = row?.conversationId ?? '';
		const event = { price: 12.5, result: 'Sold', custom_fields: { 'Gate code': 7 } };
		for (const [fields, shown] of [
			[event, { totalSold: 12.5, outcome: 'Sold', customFields: event.custom_fields }],
			[{}, { totalSold: null, outcome: null, customFields: null }],
		]) {
			const eventId = await saved(service, fields);
			const before = await store.get(eventId);
			await api.match({ event_id: eventId, conversation_id });
			const expected = { crmEventID: eventId, ...noJob, ...shown };
			expect(await conversation(service, conversation_id)).toMatchObject(expected);
			expect(await store.get(eventId)).toEqual({ ...before, hasRecording: true });
		}
	});
});

describe('limits and faults', () => {
	const update = async () => ({
		event_id: await saved(service),
		user_email: (await activeEmails(service))[0],
	});
	afterEach(async () => void (await control(service, 'DELETE', '/faults')));

	// D2-ERR-20, D2-LIM-01
	test('a key gets 429 beyond its usage plan, other keys do not', async () => {
		const body = await update();
		await control(service, 'POST', '/faults', { kind: 'usagePlan', ratePerSecond: 0.01, burst: 2 });
		const statuses = [];
		for (let request = 1; request <= 4; request++) statuses.push((await api.save(body)).status);
		expect(statuses).toEqual([200, 200, 429, 429]);
		const other = crm(service, service.keys.otherOrganization);
		expect((await other.remove('never-created')).status).toBe(404);
	});

	// D2-ERR-21
	test('an unexpected error gets 500 with a plain string and a dead letter, and changes nothing', async () => {
		const body = await update();
		const before = await store.get(body.event_id);
		await control(service, 'POST', '/faults', { kind: 'serverError', path: '/crm/', times: 1 });
		expect(await api.save({ ...body, title: 'Lost' })).toMatchObject({ status: 500, json: undefined });
		const deadLetters = await control(service, 'GET', '/dead-letters');
		expect(JSON.stringify(deadLetters)).toContain(body.event_id);
		expect(await store.get(body.event_id)).toEqual(before);
		expect((await api.save(body)).status).toBe(200);
	});
});
