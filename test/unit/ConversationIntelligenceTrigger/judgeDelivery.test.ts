import * as fc from 'fast-check';
import {
	judgeDelivery,
	judgeSender,
	readEnvelope,
	type Expectation,
} from '../../../nodes/ConversationIntelligenceTrigger/judgeDelivery';
import { processedEvent, testEvent } from '../../../playground/webhook/deliveries';
import { sign } from '../../../playground/webhook/sign';

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
	test('[D1-SIG-01] lets a signed delivery through, whatever the capitalization of the header name', () => {
		expect(judgeSender(signed(), expecting({ signatureHeader: ' x-sERVICE-signature ' }))).toBeUndefined();
	});

	test('another header name can be chosen', () => {
		const expectation = expecting({ signatureHeader: 'X-Other' });
		expect(judgeSender(signed(), expectation)?.code).toBe('signature_missing');
		const delivery = { rawBody, headers: { 'x-other': sign(rawBody, SECRET) } };
		expect(judgeSender(delivery, expectation)).toBeUndefined();
	});

	test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
		'a header named %s finds nothing that is not a header',
		(signatureHeader) => {
			expect(judgeSender(signed(), expecting({ signatureHeader }))?.code).toBe('signature_missing');
		},
	);

	test('fails closed without a secret, unless unsigned deliveries are allowed', () => {
		const secrets = { signing: [], receiverHeader: { name: '', value: '' } };
		const unsigned = { rawBody, headers: {} };
		expect(judgeSender(unsigned, expecting({ secrets }))).toMatchObject({
			status: 401,
			code: 'signing_secret_missing',
		});
		expect(judgeSender(signed(), expecting({ secrets }))?.code).toBe('signing_secret_missing');
		expect(judgeSender(unsigned, expecting({ secrets, allowUnsigned: true }))).toBeUndefined();
	});

	test('a saved secret is enforced even where unsigned deliveries are allowed', () => {
		expect(judgeSender({ rawBody, headers: {} }, expecting({ allowUnsigned: true }))?.code).toBe(
			'signature_missing',
		);
	});

	test('[D1-SIG-05] the receiver header must be there as well, with exactly its value', () => {
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
	])('a receiver header of which only one half is saved refuses: %o', (receiverHeader) => {
		const expectation = expecting({ secrets: { signing: [SECRET], receiverHeader } });
		expect(judgeSender(signed({ 'x-receiver': '' }), expectation)?.code).toBe('receiver_header_incomplete');
	});

	test('no refusal shows a secret, a signature or the body', () => {
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

	test('[D1-ENVELOPE-02] [D1-TEST-01] takes both event types, nulls and unknown extra fields', () => {
		expect(read(processedEvent())).toHaveProperty('envelope.event_type', 'conversation_processed');
		expect(read(testEvent())).toHaveProperty('envelope.data.user_id', null);
		const extra = read({ ...processedEvent('id', { mood: 'good' }), version: 2 });
		expect(extra).toMatchObject({ envelope: { version: 2, data: { mood: 'good' } } });
	});

	test('takes a byte-order mark before the JSON, as n8n does', () => {
		expect(readEnvelope(Buffer.from(`\uFEFF${JSON.stringify(testEvent())}`))).toHaveProperty('envelope');
	});

	test.each([
		['nothing', undefined],
		['null', null],
		['a list', [processedEvent()]],
		['a text', 'conversation_processed'],
		['no data', { event_type: 'test' }],
		['data that is a list', { event_type: 'test', data: [] }],
		['no event type', { data: {} }],
		['an event type that is not a text', { event_type: 7, data: {} }],
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

	test('judges the signature before the age, and no age where nothing is signed', () => {
		const forged = { rawBody: old, headers: { 'x-service-signature': sign(old, 'guess') } };
		expect(judgeDelivery(forged, expecting(), Date.now())).toMatchObject({
			refused: { code: 'signature_mismatch' },
		});
		const secrets = { signing: [], receiverHeader: { name: '', value: '' } };
		const unsigned = judgeDelivery(delivery, expecting({ secrets, allowUnsigned: true }), Date.now());
		expect(unsigned).toHaveProperty('envelope');
	});
});
