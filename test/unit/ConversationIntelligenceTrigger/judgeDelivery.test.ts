import * as fc from 'fast-check';
import { Settings } from 'luxon';
import {
	judgeAge,
	judgeDelivery,
	judgeSender,
	readEnvelope,
	type Expectation,
} from '../../../nodes/ConversationIntelligenceTrigger/judgeDelivery';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { sign } from '../../../harness/webhook/sign';

const SECRET = 'current secret';
const rawBody = Buffer.from(JSON.stringify(processedEvent()));

const expecting = (more: Partial<Expectation> = {}): Expectation => ({
	secrets: { signing: [SECRET], receiverHeader: { name: '', value: '' } },
	signatureHeader: 'X-Service-Signature',
	allowUnsigned: false,
	maximumAgeMs: 60_000,
	...more,
});
const signed = (headers: Record<string, unknown> = {}) => ({
	rawBody,
	headers: { 'x-service-signature': sign(rawBody, SECRET), ...headers },
});

describe('judgeSender', () => {
	test('accepts a signed delivery, whatever the capitalization of the header name [D1-SIG-01]', () => {
		expect(judgeSender(signed(), expecting({ signatureHeader: ' x-sERVICE-signature ' }))).toBeUndefined();
	});

	test('reads the signature from the chosen header', () => {
		const expectation = expecting({ signatureHeader: 'X-Other' });
		expect(judgeSender(signed(), expectation)?.code).toBe('signature_missing');
		const delivery = { rawBody, headers: { 'x-other': sign(rawBody, SECRET) } };
		expect(judgeSender(delivery, expectation)).toBeUndefined();
	});

	test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
		'finds no signature in a header named %s',
		(signatureHeader) => {
			expect(judgeSender(signed(), expecting({ signatureHeader }))?.code).toBe('signature_missing');
		},
	);

	test.each(['sha256=00', 'sha1', ''])(
		'distinguishes the malformed signature %j from a wrong one',
		(header) => {
			const given = { rawBody, headers: { 'x-service-signature': header } };
			expect(judgeSender(given, expecting())?.code).toBe('signature_malformed');
			expect(judgeSender(signed({ 'x-service-signature': sign(rawBody, 'guess') }), expecting())?.code).toBe(
				'signature_mismatch',
			);
		},
	);

	test('refuses every delivery without a secret, unless unsigned deliveries are allowed', () => {
		const secrets = { signing: [], receiverHeader: { name: '', value: '' } };
		const unsigned = { rawBody, headers: {} };
		expect(judgeSender(unsigned, expecting({ secrets }))).toMatchObject({
			status: 401,
			code: 'signing_secret_missing',
		});
		expect(judgeSender(signed(), expecting({ secrets }))?.code).toBe('signing_secret_missing');
		expect(judgeSender(unsigned, expecting({ secrets, allowUnsigned: true }))).toBeUndefined();
	});

	test('requires a signature once a secret is saved, even where unsigned deliveries are allowed', () => {
		expect(judgeSender({ rawBody, headers: {} }, expecting({ allowUnsigned: true }))?.code).toBe(
			'signature_missing',
		);
	});

	test('requires the receiver header with exactly its value [D1-SIG-05]', () => {
		const receiverHeader = { name: 'X-Receiver', value: 'token' };
		const expectation = expecting({ secrets: { signing: [SECRET], receiverHeader } });
		expect(judgeSender(signed({ 'x-receiver': 'token' }), expectation)).toBeUndefined();
		for (const value of [undefined, '', 'Token', 'token2', ['token']]) {
			expect(judgeSender(signed({ 'x-receiver': value }), expectation)).toMatchObject({
				status: 401,
				code: 'receiver_header_mismatch',
			});
		}
	});

	test.each([
		{ name: 'X-Receiver', value: '' },
		{ name: '', value: 'token' },
	])('refuses every delivery while only half of a receiver header is saved: %o', (receiverHeader) => {
		const expectation = expecting({ secrets: { signing: [SECRET], receiverHeader } });
		expect(judgeSender(signed({ 'x-receiver': '' }), expectation)?.code).toBe('receiver_header_incomplete');
	});

	test('shows no secret, signature or body in a refusal', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 8 }), fc.string({ minLength: 8 }), (secret, other) => {
				fc.pre(secret !== other);
				const body = Buffer.from(JSON.stringify({ text: other }));
				const secrets = { signing: [secret], receiverHeader: { name: 'x', value: secret } };
				const header = sign(body, other);
				const refused = judgeSender(
					{ rawBody: body, headers: { 'x-service-signature': header } },
					expecting({ secrets }),
				);
				const shown = JSON.stringify(refused);
				expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
				expect(shown).not.toContain(header.slice(7));
			}),
		);
	});
});

describe('readEnvelope', () => {
	const read = (value: unknown) => readEnvelope(Buffer.from(JSON.stringify(value) ?? ''));

	test('accepts both event types, nulls and unknown extra fields [D1-ENVELOPE-02] [D1-TEST-01]', () => {
		expect(read(processedEvent())).toHaveProperty('envelope.event_type', 'conversation_processed');
		expect(read(testEvent())).toHaveProperty('envelope.data.user_id', null);
		const extra = read({ ...processedEvent('id', { mood: 'good' }), version: 2 });
		expect(extra).toMatchObject({ envelope: { version: 2, data: { mood: 'good' } } });
	});

	test('accepts a byte-order mark before the JSON, as n8n does', () => {
		expect(readEnvelope(Buffer.from(`\uFEFF${JSON.stringify(testEvent())}`))).toHaveProperty('envelope');
		const title = 'A \uFEFFtitle';
		expect(read(processedEvent('id', { title }))).toHaveProperty('envelope.data.title', title);
	});

	test.each([undefined, null, ''])('accepts a test whose conversation ID is %p', (conversation_id) => {
		const { data, ...event } = testEvent();
		expect(read({ ...event, data: { ...data, conversation_id } })).toHaveProperty('envelope');
	});

	test.each([
		['nothing', undefined],
		['null', null],
		['a list', [processedEvent()]],
		['text', 'conversation_processed'],
		['no data', { event_type: 'test' }],
		['data that is a list', { event_type: 'test', data: [] }],
		['no event type', { data: {} }],
		['an event type that is not text', { event_type: 7, data: {} }],
	])('refuses %s with 422', (_, body) => {
		expect(read(body)).toMatchObject({ refused: { status: 422, code: 'not_an_envelope' } });
	});

	test('refuses an unknown event type with 400', () => {
		const refused = read({ ...processedEvent(), event_type: 'conversation_deleted' });
		expect(refused).toMatchObject({ refused: { status: 400, code: 'unknown_event_type' } });
	});

	test.each([undefined, null, '', ' ', 7])('refuses a conversation whose ID is %p', (id) => {
		const event = processedEvent('x', { conversation_id: id });
		expect(read(event)).toMatchObject({ refused: { status: 422, code: 'conversation_id_missing' } });
	});
});

describe('judgeDelivery', () => {
	const sentAt = Date.parse('2025-01-15T10:00:00.000Z');
	const old = Buffer.from(JSON.stringify({ ...processedEvent(), sent_at: new Date(sentAt).toISOString() }));
	const delivery = { rawBody: old, headers: { 'x-service-signature': sign(old, SECRET) } };

	test('refuses a correctly signed delivery once it is older than the maximum age', () => {
		expect(judgeDelivery(delivery, expecting(), sentAt + 60_000)).toHaveProperty('envelope');
		expect(judgeDelivery(delivery, expecting(), sentAt + 60_001)).toMatchObject({
			refused: { status: 401, code: 'delivery_too_old' },
		});
	});

	test('refuses a correctly signed body that is not an event', () => {
		const junk = Buffer.from('{}');
		const headers = { 'x-service-signature': sign(junk, SECRET) };
		expect(judgeDelivery({ rawBody: junk, headers }, expecting(), sentAt)).toMatchObject({
			refused: { code: 'not_an_envelope' },
		});
	});

	test('checks the signature before the age, and never the age of an unsigned delivery', () => {
		const forged = { rawBody: old, headers: { 'x-service-signature': sign(old, 'guess') } };
		expect(judgeDelivery(forged, expecting(), Date.now())).toMatchObject({
			refused: { code: 'signature_mismatch' },
		});
		const secrets = { signing: [], receiverHeader: { name: '', value: '' } };
		const unsigned = judgeDelivery(delivery, expecting({ secrets, allowUnsigned: true }), Date.now());
		expect(unsigned).toHaveProperty('envelope');
	});
});

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

describe('judgeAge', () => {
	test('accepts every age up to the maximum, and refuses every older one', () => {
		const age = fc.integer({ min: -24 * HOUR_MS, max: 10_000 * HOUR_MS });
		const hours = fc.integer({ min: 1, max: 1000 });
		fc.assert(
			fc.property(age, hours, (ageMs, maximumHours) => {
				const isOld = ageMs > maximumHours * HOUR_MS;
				const refused = judgeAge(iso(NOW - ageMs), maximumHours * HOUR_MS, NOW);
				expect(refused?.code).toBe(isOld ? 'delivery_too_old' : undefined);
			}),
		);
	});

	test('accepts a sender whose clock is ahead by 90 seconds or by hours, however small the maximum', () => {
		for (const ahead of [90_000, 24 * HOUR_MS]) expect(judgeAge(iso(NOW + ahead), 1, NOW)).toBeUndefined();
	});

	test('refuses a time more than a day ahead, because it could be replayed for days', () => {
		expect(judgeAge(iso(NOW + 24 * HOUR_MS + 1), HOUR_MS, NOW)?.code).toBe('delivery_too_old');
	});

	test('accepts any time of sending with a maximum of 0', () => {
		for (const sentAt of ['2001-01-01T00:00:00Z', undefined, 'soon']) {
			expect(judgeAge(sentAt, 0, NOW)).toBeUndefined();
		}
	});

	test.each([undefined, null, '', 'yesterday', 1_767_225_600_000, {}, '2026-02-30T10:00:00Z', [iso(NOW)]])(
		'refuses a signed delivery whose time of sending is %p',
		(sentAt) => {
			expect(judgeAge(sentAt, HOUR_MS, NOW)).toMatchObject({ status: 401, code: 'sent_at_unreadable' });
		},
	);

	test.each([
		'2026-03-02T10:00:00',
		'2026-03-02T15:30:00+05:30',
		'2026-03-02T10:00:00.123456Z',
		'20260302T100000Z',
	])('reads %s as the same moment, whatever the time zone of n8n', (sentAt) => {
		const { defaultZone } = Settings;
		Settings.defaultZone = 'Asia/Tokyo';
		const refused = [NOW, NOW + 2000].map((now) => judgeAge(sentAt, 1000, now)?.code);
		Settings.defaultZone = defaultZone;
		expect(refused).toEqual([undefined, 'delivery_too_old']);
	});
});
