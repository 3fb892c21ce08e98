import { crm, saved } from '../support/crm';
import { absentId, conversation, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const api = crm(service);

/** A conversation that this file has not used yet. */
let used = 0;
const fresh = async () => (await list(service)).conversations[used++];
const match = (event_id: string, conversation_id: string) => api.match({ event_id, conversation_id });

describe('delete', () => {
	// D2-DEL-02, D2-DEL-05, D2-STATE-03, D2-DOES-03, D2-DOES-05, D2-ERR-00, D2-ERR-13
	test('gets 200, and 404 if the organization has no such appointment, both in plain text', async () => {
		const eventId = await saved(service);
		const responses = [
			await crm(service, service.keys.otherOrganization).remove(eventId),
			await api.remove(eventId),
			await api.remove(eventId),
			await api.remove('never-created'),
		];
		expect(responses.map(({ status }) => status)).toEqual([404, 200, 404, 404]);
		for (const { headers } of responses) expect(headers['content-type']).toMatch(/^text\/plain/);
	});

	// D2-DEL-01
	test('finds any event ID when it is URL-encoded', async () => {
		for (const event_id of ['a/b', '/%2F', 'a b+c', '%', '%E0%A4%A', 'ü🎉', '...', '?x=1', '#x', 'match']) {
			await saved(service, { event_id });
			const removals = [await api.remove(event_id), await api.remove(event_id)];
			expect([event_id, ...removals.map(({ status }) => status)]).toEqual([event_id, 200, 404]);
		}
	});

	// D2-DEL-06, D2-ERR-16, D2-STATE-04
	test('gets 409 while a recording is linked, even when repeated', async () => {
		const eventId = await saved(service);
		const { conversationId } = await fresh();
		await match(eventId, conversationId);
		for (let attempt = 1; attempt <= 2; attempt++) expect((await api.remove(eventId)).status).toBe(409);
		expect((await conversation(service, conversationId)).crmEventID).toBe(eventId);
	});
});

describe('match', () => {
	// D2-MATCH-01..02, D2-STATE-05, D2-DOES-04, D1-CONV-07, D1-CONV-12
	test('gets the exact body, even when repeated, and changes only what comes from the event', async () => {
		const before = await fresh();
		const eventId = await saved(service, { price: 1234.5, result: 'Sold' });
		for (let attempt = 1; attempt <= 2; attempt++) {
			const response = await match(eventId, before.conversationId);
			expect(response).toMatchObject({ status: 200, text: 'Successfully matched conversation to event' });
			expect(response.headers['content-type']).toMatch(/^text\/plain/);
		}
		const { recordingId, date, processedDate, user, duration, checklists } = before;
		expect(await conversation(service, before.conversationId)).toMatchObject({
			...{ recordingId, date, processedDate, user, duration, checklists },
			...{ crmEventID: eventId, totalSold: 1234.5, outcome: 'Sold' },
		});
	});

	// D2-STATE-05
	test('replaces an earlier link', async () => {
		const { conversationId } = await fresh();
		const [first, second] = [await saved(service), await saved(service)];
		await match(first, conversationId);
		await match(second, conversationId);
		expect((await conversation(service, conversationId)).crmEventID).toBe(second);
		expect((await api.remove(first)).status).toBe(200);
		expect((await api.remove(second)).status).toBe(409);
	});

	// D2-MATCH-03, D2-ERR-14..15, D2-BODY-07..08, D2-MATCHBODY-01..02, D2-STATE-06..07
	test('of what does not exist in the organization gets 404 with the exact body, and keeps the link', async () => {
		const { conversationId } = await fresh();
		const eventId = await saved(service);
		await match(eventId, conversationId);
		const [theirs] = (await list(service, {}, service.keys.otherOrganization)).conversations;
		for (const [response, text] of [
			[await match('never-created', conversationId), 'Event not found'],
			[await match(eventId, absentId), 'Conversation not found'],
			[await match(eventId, theirs.conversationId), 'Conversation not found'],
		] as const)
			expect(response).toMatchObject({ status: 404, text });
		expect((await conversation(service, conversationId)).crmEventID).toBe(eventId);
	});
});
