import { createHmac } from 'node:crypto';
import { useService } from '../support/service';
import { differences } from '../support/tables';
import { conversationOf, status, useReceiver, useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 120, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const secret = 'a secret with ümlauts & spaces';
const signed = (raw: Buffer) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;

const keys = (body: object) => Object.keys(body).sort();

/** Announces conversations and returns them. */
async function announce(count: number) {
	const conversations = await webhooks.conversations(count);
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	return conversations;
}

// D1-EVENT-01, D1-EVENT-04, D1-DOES-04, D1-SIG-04
test('each subscription receives each conversation once, with its own event ID, unsigned without a secret', async () => {
	for (const path of ['one', 'two']) await webhooks.subscribe({ url: `${receiver.url}/${path}` });
	const expected = (await announce(5)).flatMap(({ conversationId }) => [
		`/one ${conversationId}`,
		`/two ${conversationId}`,
	]);
	const got = receiver.received.map((each) => `${each.path} ${String(conversationOf(each))}`);
	expect(got.sort()).toEqual(expected.sort());
	expect(new Set(receiver.received.map((each) => each.json.webhook_event_id)).size).toBe(10);
	expect(receiver.received.flatMap(({ headerNames }) => headerNames)).not.toContain('x-service-signature');
});

// D1-EVENT-02..03, D1-SIG-01, D1-HDR-05, D1-TEST-01..03, D1-SUB-06, D1-ENVELOPE-02
test('live and test deliveries are one signed POST of JSON with the same keys and the custom headers', async () => {
	const customHeaders = { Authorization: 'Bearer receiver', 'X-Service': 'signature-1' };
	const id = await webhooks.subscribe({ url: receiver.url, secret, customHeaders });
	await announce(10);
	await webhooks.sendTest(id);
	const types = receiver.received.map((each) => each.json.event_type);
	expect(types).toEqual([...Array(10).fill('conversation_processed'), 'test']);
	const [{ json: live }] = receiver.received;
	for (const { method, headers, headerNames, raw, json } of receiver.received) {
		expect([json, json.data].map(keys)).toEqual([live, live.data].map(keys));
		expect(method).toBe('POST');
		expect(headers).toMatchObject({ authorization: 'Bearer receiver', 'x-service': 'signature-1' });
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		expect(headers['x-service-signature']).toBe(signed(raw));
		const own = headerNames.filter((name) => ['content-type', 'x-service-signature'].includes(name));
		expect(own).toHaveLength(2);
	}
});

// D1-ENVELOPE-01..04, D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05
test('an envelope has exactly the documented keys and types, and the data of the exported conversation', async () => {
	await webhooks.subscribe({ url: receiver.url });
	const rows = new Map((await announce(50)).map((row) => [row.conversationId, row]));
	expect(receiver.received).toHaveLength(50);
	const envelopes = receiver.received.map(({ json }) => json);
	expect(envelopes.flatMap((body) => differences('Envelope', body)).slice(0, 5)).toEqual([]);
	expect(envelopes.some(({ data }) => Array.isArray(data.surveys) && data.surveys.length > 0)).toBe(true);
	expect(envelopes.some(({ data }) => data.customer !== null)).toBe(true);
	for (const { data, sent_at } of envelopes) {
		expect(Math.abs(Date.now() - Date.parse(sent_at))).toBeLessThan(60_000);
		const row = rows.get(String(data.conversation_id));
		const { name = null, email = null, phone = null } = row?.customer ?? {};
		const hasContact = [name, email, phone].some((value) => value !== null);
		expect(data).toMatchObject({
			conversation_url: row?.serviceUrl,
			user_id: row?.user.id,
			user_email: row?.user.email,
			recorded_at: row?.date,
			recording_duration_seconds: row?.duration,
			summary: row?.jobSummary,
			custom_insights: row?.customSummary,
			appointment_id: row?.crmEventID,
			surveys: row?.surveyResults.map((survey) => ({ ...survey, conversationId: row.conversationId })),
			customer: hasContact ? { name, email, phone } : null,
		});
	}
});

// D1-TEST-04, D1-WH-01
test.each([
	[299, true],
	[304, false],
	[500, false],
])('the result of Send test for a response with %i has isSuccess %s', async (code, isSuccess) => {
	receiver.respond(status(code));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: code, isSuccess });
});

// D1-WH-05..06
test('a redirect of Send test is not followed to an endpoint without HTTPS', async () => {
	receiver.respond(status(307, { location: 'http://example.com/' }));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: null, isSuccess: false });
	expect(receiver.received).toHaveLength(1);
});
