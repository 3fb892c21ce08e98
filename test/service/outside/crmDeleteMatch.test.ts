import { conversationsExportSchema } from '../../../nodes/shared/exportApi/schemas';
import { appointment, activeEmails, crm, saved } from '../support/crm';
import { exportGet, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const absent = '00000000-0000-4000-8000-000000000000';

/** Returns a conversation that this file has not used yet. */
let used = 0;
async function conversation() {
	return (await list(service, { limit: 50 })).conversations[used++];
}
const exported = async (id: string) => conversationsExportSchema.parse((await exportGet(service, id)).json);

describe('delete', () => {
	// D2-DEL-02, D2-STATE-03, D2-DOES-03
	test('deletes the appointment and responds with 200 and plain text', async () => {
		const eventId = await saved(service);
		const first = await api.remove(eventId);
		expect(first.status).toBe(200);
		expect(first.headers['content-type']).toMatch(/^text\/plain/);
		expect((await api.remove(eventId)).status).toBe(404);
	});

	// D2-DEL-05, D2-ERR-13, D2-ERR-00
	test('responds with 404 and a plain string if the appointment does not exist', async () => {
		const response = await api.remove('never-created');
		expect(response.status).toBe(404);
		expect(response.headers['content-type']).toMatch(/^text\/plain/);
		expect(response.json).toBeUndefined();
	});

	// D2-DEL-01
	test.each([
		'a/b',
		'/%2F',
		'a b',
		'a+b',
		'a%2Fb',
		'%',
		'%zz',
		'%E0%A4%A',
		'ümlaut',
		'🎉',
		'...',
		'?x=1',
		'#x',
		'match',
		"it's",
	])('finds the event ID %j when it is URL-encoded', async (event_id) => {
		const [owner] = await activeEmails(service);
		expect((await api.save({ ...appointment(owner), event_id })).status).toBe(200);
		expect((await api.remove(event_id)).status).toBe(200);
		expect((await api.remove(event_id)).status).toBe(404);
	});

	// D2-DEL-03, D2-ERR-00
	test('responds with 400 if the ID is not a valid parameter', async () => {
		const response = await api.send('DELETE', '/custom/appointment/%E0%A4%A');
		expect(response.status).toBe(400);
	});

	// D2-DEL-06, D2-ERR-16, D2-STATE-04
	test('responds with 409 while a recording is linked, even when repeated', async () => {
		const eventId = await saved(service);
		const { conversationId } = await conversation();
		await api.match({ event_id: eventId, conversation_id: conversationId });
		for (let attempt = 1; attempt <= 2; attempt++) expect((await api.remove(eventId)).status).toBe(409);
		expect((await exported(conversationId)).crmEventID).toBe(eventId);
	});
});

describe('match', () => {
	// D2-MATCH-01, D2-STATE-05, D2-DOES-04
	test('responds with the exact body, even when repeated', async () => {
		const body = { event_id: await saved(service), conversation_id: (await conversation()).conversationId };
		for (let attempt = 1; attempt <= 2; attempt++) {
			const response = await api.match(body);
			expect(response).toMatchObject({
				status: 200,
				text: 'Successfully matched conversation to event',
			});
			expect(response.headers['content-type']).toMatch(/^text\/plain/);
		}
	});

	// D2-MATCH-02, D1-CONV-07, D1-CONV-12
	test('the conversation shows the event and is otherwise unchanged', async () => {
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

	// D2-STATE-05
	test('a later match replaces the earlier link', async () => {
		const { conversationId } = await conversation();
		const [first, second] = [await saved(service), await saved(service)];
		await api.match({ event_id: first, conversation_id: conversationId });
		await api.match({ event_id: second, conversation_id: conversationId });
		expect((await exported(conversationId)).crmEventID).toBe(second);
		expect((await api.remove(first)).status).toBe(200);
		expect((await api.remove(second)).status).toBe(409);
	});

	// D2-MATCH-03, D2-ERR-14, D2-BODY-07, D2-MATCHBODY-01
	test('responds with the exact body if the event does not exist', async () => {
		const { conversationId } = await conversation();
		const response = await api.match({ event_id: 'never-created', conversation_id: conversationId });
		expect(response).toMatchObject({
			status: 404,
			text: 'Event not found',
		});
	});

	// D2-MATCH-03, D2-ERR-14, D2-BODY-08, D2-MATCHBODY-02
	test('responds with the exact body if the conversation does not exist', async () => {
		const response = await api.match({ event_id: await saved(service), conversation_id: absent });
		expect(response).toMatchObject({
			status: 404,
			text: 'Conversation not found',
		});
	});

	// D2-ERR-15
	test('a conversation of another organization gets the same response as a missing one', async () => {
		const [theirs] = (await list(service, {}, service.keys.otherOrganization)).conversations;
		const event_id = await saved(service);
		const foreign = await api.match({ event_id, conversation_id: theirs.conversationId });
		const missing = await api.match({ event_id, conversation_id: absent });
		expect(foreign).toMatchObject({
			status: missing.status,
			text: missing.text,
		});
	});

	// D2-BODY-05
	test.each(['{"event_id":', 'event_id=a'])(
		'responds to the invalid JSON %j with the exact body',
		async (body) => {
			const response = await api.match(body);
			expect(response).toMatchObject({
				status: 400,
				text: 'Invalid JSON data',
			});
		},
	);

	// D2-BODY-06, D2-ERR-10
	test.each([
		['event_id', { conversation_id: absent }],
		['conversation_id', { event_id: 'a' }],
		['both IDs', {}],
	])('responds to a body without %s with the exact body', async (_case, body) => {
		const response = await api.match(body);
		expect(response).toMatchObject({
			status: 400,
			text: 'Missing some required parameters in the body',
		});
	});

	// D2-STATE-06, D2-STATE-07
	test('a failed match keeps the earlier link', async () => {
		const { conversationId } = await conversation();
		const eventId = await saved(service);
		await api.match({ event_id: eventId, conversation_id: conversationId });
		expect((await api.match({ event_id: 'never-created', conversation_id: conversationId })).status).toBe(
			404,
		);
		expect((await exported(conversationId)).crmEventID).toBe(eventId);
	});
});
