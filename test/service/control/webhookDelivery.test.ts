import { createHmac } from 'node:crypto';
import { call, exportGet, list } from '../support/http';
import { conversationOf, envelopeOf, status, useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { differences } from '../support/tables';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 120, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const secret = 'a secret with ümlauts & spaces';
const signed = (raw: Buffer) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;

// D1-EVENT-01, D1-EVENT-04, D1-DOES-04
test('each subscription receives each conversation once', async () => {
	const conversations = await webhooks.conversations(5);
	await webhooks.subscribe({ url: `${receiver.url}/one` });
	await webhooks.subscribe({ url: `${receiver.url}/two` });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	for (const path of ['/one', '/two']) {
		const got = receiver.received.filter((delivered) => delivered.path === path).map(conversationOf);
		expect(got.sort()).toEqual(conversations.map((row) => row.conversationId).sort());
	}
	const ids = receiver.received.map((delivered) => envelopeOf(delivered).webhook_event_id);
	expect(new Set(ids).size).toBe(10);
});

// D1-EVENT-02
test('a delivery is one POST with Content-Type application/json', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	expect(receiver.received).toHaveLength(1);
	expect(receiver.received[0].method).toBe('POST');
	expect(receiver.received[0].headers['content-type']).toMatch(/^application\/json\b/);
});

// D1-SIG-01, D1-EVENT-03
test('the signature is the lowercase hex HMAC-SHA256 of the raw bytes', async () => {
	const conversations = await webhooks.conversations(10);
	await webhooks.subscribe({ url: receiver.url, secret });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	for (const { headers, raw } of receiver.received) expect(headers['x-service-signature']).toBe(signed(raw));
	expect(receiver.received).toHaveLength(10);
});

// D1-SIG-04
test('a delivery without a secret has no signature header', async () => {
	const [first] = await webhooks.conversations(1);
	const id = await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	await webhooks.sendTest(id);
	expect(receiver.received).toHaveLength(2);
	for (const { headerNames } of receiver.received) expect(headerNames).not.toContain('x-service-signature');
});

// D1-EVENT-03, D1-HDR-05, D1-TEST-02, D1-TEST-03
test('live and test deliveries have the custom headers and the signature', async () => {
	const [first] = await webhooks.conversations(1);
	const customHeaders = { Authorization: 'Bearer receiver', 'X-Service': 'signature-1' };
	const id = await webhooks.subscribe({ url: receiver.url, secret, customHeaders });
	await webhooks.emit(first.conversationId);
	await webhooks.sendTest(id);
	expect(receiver.received.map((each) => envelopeOf(each).event_type)).toEqual([
		'conversation_processed',
		'test',
	]);
	for (const { headers, headerNames, raw } of receiver.received) {
		expect(headers).toMatchObject({ authorization: 'Bearer receiver', 'x-service': 'signature-1' });
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		expect(headers['x-service-signature']).toBe(signed(raw));
		for (const name of ['content-type', 'x-service-signature']) {
			expect(headerNames.filter((sent) => sent === name)).toHaveLength(1);
		}
	}
});

// D1-ENVELOPE-01..04, D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05
test('an envelope has exactly the documented keys and types', async () => {
	const conversations = await webhooks.conversations(50);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	expect(receiver.received).toHaveLength(50);
	const envelopes = receiver.received.map(envelopeOf);
	expect(envelopes.flatMap((body) => differences('Envelope', body)).slice(0, 5)).toEqual([]);
	expect(envelopes.some(({ data }) => Array.isArray(data.surveys) && data.surveys.length > 0)).toBe(true);
	expect(envelopes.some(({ data }) => data.customer !== null)).toBe(true);
	for (const { event_type, sent_at } of envelopes) {
		expect(event_type).toBe('conversation_processed');
		expect(Math.abs(Date.now() - Date.parse(sent_at))).toBeLessThan(60_000);
	}
});

// D1-DATA-01..13, D1-EVENTSURVEY-02
test('the data matches the exported conversation', async () => {
	const conversations = await webhooks.conversations(50);
	const rows = new Map(conversations.map((row) => [row.conversationId, row]));
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(...rows.keys());
	for (const delivered of receiver.received) {
		const { data } = envelopeOf(delivered);
		const row = rows.get(String(data.conversation_id));
		expect(data).toMatchObject({
			conversation_url: row?.serviceUrl,
			user_id: row?.user.id,
			user_email: row?.user.email,
			recorded_at: row?.date,
			recording_duration_seconds: row?.duration,
			summary: row?.jobSummary,
			custom_insights: row?.customSummary,
			appointment_id: row?.crmEventID,
			surveys: row?.surveyResults.map(({ surveyId, surveyName, data: responses }) => ({
				surveyId,
				surveyName,
				conversationId: row.conversationId,
				data: responses,
			})),
		});
		const { name = null, email = null, phone = null } = row?.customer ?? {};
		const hasContact = [name, email, phone].some((value) => value !== null);
		expect(data.customer).toEqual(hasContact ? { name, email, phone } : null);
	}
});

// D1-DATA-04
test('the transcript link works without a credential and returns an array', async () => {
	const conversations = await webhooks.conversations(10);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	const links = receiver.received.flatMap((each) => envelopeOf(each).data.transcript_url ?? []);
	expect(links.length).toBeGreaterThan(0);
	const transcript = await call(String(links[0]));
	expect(transcript.status).toBe(200);
	expect(Array.isArray(transcript.json)).toBe(true);
});

// D1-DATA-01, D1-WH-07
test('an announced conversation can be found through the export', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: receiver.url });
	receiver.respond(status(200));
	await webhooks.emit(first.conversationId);
	const id = String(conversationOf(receiver.received[0]));
	expect((await exportGet(service, id)).status).toBe(200);
	const page = await list(service, {
		dateType: 'processedDate',
		fromDate: first.processedDate,
		toDate: new Date(Date.parse(first.processedDate) + 1).toISOString(),
	});
	expect(page.conversations.map((row) => row.conversationId)).toContain(id);
});

// D1-TEST-01, D1-SUB-06, D1-ENVELOPE-02
test('Send test sends a sample envelope', async () => {
	const id = await webhooks.subscribe({ url: receiver.url });
	await webhooks.sendTest(id);
	const { event_type, data, ...rest } = envelopeOf(receiver.received[0]);
	expect(event_type).toBe('test');
	const keys = (body: object) => Object.keys(body).sort();
	const [first] = await webhooks.conversations(1);
	await webhooks.emit(first.conversationId);
	const live = envelopeOf(receiver.received[1]);
	expect(keys(data)).toEqual(keys(live.data));
	expect(keys({ event_type, data, ...rest })).toEqual(keys(live));
});

// D1-TEST-04, D1-WH-01
test.each([
	[200, true],
	[201, true],
	[204, true],
	[299, true],
	[304, false],
	[400, false],
	[401, false],
	[500, false],
])('the test result for a response with %i has isSuccess %s', async (code, isSuccess) => {
	receiver.respond(status(code));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: code, isSuccess });
});

// D1-WH-06
test('a test with custom headers fails on a redirect instead of following it', async () => {
	receiver.respond((response, { path }) => {
		if (path === '/elsewhere') response.writeHead(200).end();
		else response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
	});
	const id = await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: 307, isSuccess: false });
	expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
});
