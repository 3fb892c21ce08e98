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

test('[D1-EVENT-01] [D1-EVENT-04] [D1-DOES-04] each subscription gets each conversation once', async () => {
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

test('[D1-EVENT-02] one POST with Content-Type application/json', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	expect(receiver.received).toHaveLength(1);
	expect(receiver.received[0].method).toBe('POST');
	expect(receiver.received[0].headers['content-type']).toMatch(/^application\/json\b/);
});

test('[D1-SIG-01] [D1-EVENT-03] the signature is the lowercase hex HMAC-SHA256 of the raw bytes', async () => {
	const conversations = await webhooks.conversations(10);
	await webhooks.subscribe({ url: receiver.url, secret });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	for (const { headers, raw } of receiver.received) expect(headers['x-service-signature']).toBe(signed(raw));
	expect(receiver.received).toHaveLength(10);
});

test('[D1-SIG-04] without a secret there is no signature header', async () => {
	const [first] = await webhooks.conversations(1);
	const id = await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(first.conversationId);
	await webhooks.sendTest(id);
	expect(receiver.received).toHaveLength(2);
	for (const { headerNames } of receiver.received) expect(headerNames).not.toContain('x-service-signature');
});

test('[D1-EVENT-03] [D1-HDR-05] [D1-TEST-02] [D1-TEST-03] live and test deliveries carry headers and signature alike', async () => {
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

test('[D1-ENVELOPE-01..04] [D1-DATA-01..13] [D1-EVENTCUSTOMER-01..03] [D1-EVENTSURVEY-01..05] exact keys and types', async () => {
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

test('[D1-DATA-01..13] [D1-EVENTSURVEY-02] the data is that of the exported conversation', async () => {
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
			surveys: row?.surveyResults.map(({ surveyId, surveyName, data: answers }) => ({
				surveyId,
				surveyName,
				conversationId: row.conversationId,
				data: answers,
			})),
		});
		const { name = null, email = null, phone = null } = row?.customer ?? {};
		const hasContact = [name, email, phone].some((value) => value !== null);
		expect(data.customer).toEqual(hasContact ? { name, email, phone } : null);
	}
});

test('[D1-DATA-04] the transcript link opens without a credential and holds an array', async () => {
	const conversations = await webhooks.conversations(10);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	const links = receiver.received.flatMap((each) => envelopeOf(each).data.transcript_url ?? []);
	expect(links.length).toBeGreaterThan(0);
	const transcript = await call(String(links[0]));
	expect(transcript.status).toBe(200);
	expect(Array.isArray(transcript.json)).toBe(true);
});

test('[D1-DATA-01] [D1-WH-07] what was announced, or missed, is found through the export', async () => {
	const [first] = await webhooks.conversations(1);
	await webhooks.subscribe({ url: receiver.url });
	receiver.answer(status(200));
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

test('[D1-TEST-01] [D1-SUB-06] [D1-ENVELOPE-02] Send test sends a sample envelope', async () => {
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

test.each([
	[200, true],
	[201, true],
	[204, true],
	[299, true],
	[304, false],
	[400, false],
	[401, false],
	[500, false],
])('[D1-TEST-04] [D1-WH-01] the result of a test shows %i, success: %s', async (code, isSuccess) => {
	receiver.answer(status(code));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: code, isSuccess });
});

test('[D1-WH-06] with a custom header a redirect is not followed and is a failure, in tests', async () => {
	receiver.answer((response, { path }) => {
		if (path === '/elsewhere') response.writeHead(200).end();
		else response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
	});
	const id = await webhooks.subscribe({ url: receiver.url, customHeaders: { 'X-Token': 'private' } });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: 307, isSuccess: false });
	expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
});
