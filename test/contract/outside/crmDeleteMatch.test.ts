import { conversationsExportSchema } from '../../../nodes/shared/contract';
import { appointment, activeEmails, crm, saved } from '../support/crm';
import { exportGet, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const absent = '00000000-0000-4000-8000-000000000000';

/** A conversation that this test file has not used yet. */
let used = 0;
async function conversation() {
	return (await list(service, { limit: 50 })).conversations[used++];
}
const exported = async (id: string) => conversationsExportSchema.parse((await exportGet(service, id)).json);

describe('delete', () => {
	test('[D2-DEL-02] [D2-STATE-03] [D2-DOES-03] 200, text/plain, and gone afterwards', async () => {
		const eventId = await saved(service);
		const first = await api.remove(eventId);
		expect(first.status).toBe(200);
		expect(first.headers['content-type']).toMatch(/^text\/plain/);
		expect((await api.remove(eventId)).status).toBe(404);
	});

	test('[D2-DEL-05] [D2-ERR-13] [D2-ERR-00] 404 with a plain string for what is not there', async () => {
		const answer = await api.remove('never-created');
		expect(answer.status).toBe(404);
		expect(answer.headers['content-type']).toMatch(/^text\/plain/);
		expect(answer.json).toBeUndefined();
	});

	test.each(['a/b', 'a b', 'a+b', 'a%b', 'a%2Fb', 'ümlaut', '🎉', '...', '?x=1', '#x', 'match', "it's"])(
		'[D2-DEL-01] the event ID %j survives the path',
		async (event_id) => {
			const [owner] = await activeEmails(service);
			expect((await api.save({ ...appointment(owner), event_id })).status).toBe(200);
			expect((await api.remove(event_id)).status).toBe(200);
			expect((await api.remove(event_id)).status).toBe(404);
		},
	);

	test('[D2-DEL-03] [D2-ERR-00] 400 for an ID that is no valid parameter', async () => {
		const answer = await api.send('DELETE', '/custom/appointment/%E0%A4%A');
		expect(answer.status).toBe(400);
	});

	test('[D2-DEL-06] [D2-ERR-16] [D2-STATE-04] 409 while a recording is linked, also when repeated', async () => {
		const eventId = await saved(service);
		const { conversationId } = await conversation();
		await api.match({ event_id: eventId, conversation_id: conversationId });
		for (let attempt = 1; attempt <= 2; attempt++) expect((await api.remove(eventId)).status).toBe(409);
		expect((await exported(conversationId)).crmEventID).toBe(eventId);
	});
});

describe('match', () => {
	test('[D2-MATCH-01] [D2-STATE-05] [D2-DOES-04] the exact body, also when repeated', async () => {
		const body = { event_id: await saved(service), conversation_id: (await conversation()).conversationId };
		for (let attempt = 1; attempt <= 2; attempt++) {
			const answer = await api.match(body);
			expect([answer.status, answer.text]).toEqual([200, 'Successfully matched conversation to event']);
			expect(answer.headers['content-type']).toMatch(/^text\/plain/);
		}
	});

	test('[D2-MATCH-02] [D1-CONV-07] [D1-CONV-12] the conversation shows the event, and nothing else changes', async () => {
		const before = await conversation();
		const eventId = await saved(service, { price: 1234.5, result: 'Sold' });
		await api.match({ event_id: eventId, conversation_id: before.conversationId });
		const after = await exported(before.conversationId);
		expect(after).toMatchObject({ crmEventID: eventId, totalSold: 1234.5, outcome: 'Sold' });
		expect(after).toMatchObject({
			recordingId: before.recordingId,
			date: before.date,
			processedDate: before.processedDate,
			user: before.user,
			duration: before.duration,
			checklists: before.checklists,
		});
	});

	test('[D2-STATE-05] a later match overwrites the earlier link', async () => {
		const { conversationId } = await conversation();
		const [first, second] = [await saved(service), await saved(service)];
		await api.match({ event_id: first, conversation_id: conversationId });
		await api.match({ event_id: second, conversation_id: conversationId });
		expect((await exported(conversationId)).crmEventID).toBe(second);
		expect((await api.remove(first)).status).toBe(200);
		expect((await api.remove(second)).status).toBe(409);
	});

	test('[D2-MATCH-03] [D2-ERR-14] [D2-BODY-07] [D2-MATCHBODY-01] the exact body without such an event', async () => {
		const { conversationId } = await conversation();
		const answer = await api.match({ event_id: 'never-created', conversation_id: conversationId });
		expect([answer.status, answer.text]).toEqual([404, 'Event not found']);
	});

	test('[D2-MATCH-03] [D2-ERR-14] [D2-BODY-08] [D2-MATCHBODY-02] the exact body without such a conversation', async () => {
		const answer = await api.match({ event_id: await saved(service), conversation_id: absent });
		expect([answer.status, answer.text]).toEqual([404, 'Conversation not found']);
	});

	test('[D2-ERR-15] a conversation of another organization is answered like an absent one', async () => {
		const [theirs] = (await list(service, {}, service.keys.otherOrganization)).conversations;
		const event_id = await saved(service);
		const foreign = await api.match({ event_id, conversation_id: theirs.conversationId });
		const missing = await api.match({ event_id, conversation_id: absent });
		expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
	});

	test.each(['{"event_id":', 'event_id=a'])('[D2-BODY-05] the exact body for %j', async (body) => {
		const answer = await api.match(body);
		expect([answer.status, answer.text]).toEqual([400, 'Invalid JSON data']);
	});

	test.each([
		['event_id', { conversation_id: absent }],
		['conversation_id', { event_id: 'a' }],
		['both', {}],
	])('[D2-BODY-06] [D2-ERR-10] the exact body without %s', async (_case, body) => {
		const answer = await api.match(body);
		expect([answer.status, answer.text]).toEqual([400, 'Missing some required parameters in the body']);
	});

	test('[D2-STATE-06] [D2-STATE-07] a failed match leaves the earlier link', async () => {
		const { conversationId } = await conversation();
		const eventId = await saved(service);
		await api.match({ event_id: eventId, conversation_id: conversationId });
		expect((await api.match({ event_id: 'never-created', conversation_id: conversationId })).status).toBe(
			404,
		);
		expect((await exported(conversationId)).crmEventID).toBe(eventId);
	});
});
