import * as fc from 'fast-check';
import { Settings } from 'luxon';
import {
	verifyDelivery,
	type Verification,
	type VerifyOptions,
} from '../../../nodes/ConversationIntelligenceTrigger/verifyDelivery';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';

const SECRET = 'the current secret';
const NO_SECRET = { signing: [], hasShort: false, receiverHeader: { name: '', value: '' } };
/** Of nothing in particular. */
const DIGEST = `sha256=${'0'.repeat(64)}`;
const MINUTE_MS = 60_000;
const MAXIMUM_AGE_MS = 15 * MINUTE_MS;
const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

interface Options extends Partial<VerifyOptions> {
	secret?: string;
	headers?: Record<string, unknown>;
	now?: number;
}

/** Verifies an event or bytes, signed unless told otherwise. */
function verified(
	event: unknown,
	{ headers = {}, now = Date.now(), ...options }: Options = {},
): Verification {
	const { body, headers: signed } = delivery(event, 'secret' in options ? options.secret : SECRET);
	return verifyDelivery(
		{ rawBody: body, headers: { ...signed, ...headers } },
		{
			secrets: { ...NO_SECRET, signing: [SECRET, 'the previous secret'] },
			signatureHeader: 'X-Service-Signature',
			allowUnsigned: false,
			maximumAgeMs: MAXIMUM_AGE_MS,
			...options,
		},
		now,
	);
}

/** Describes the result in a word. */
function verify(event: unknown, options?: Options): string {
	const result = verified(event, options);
	if ('rejection' in result) return result.rejection.code;
	if ('unknownType' in result) return `unknown ${result.unknownType}`;
	return `${result.isSigned ? 'signed' : 'unsigned'} ${result.envelope.event_type}`;
}
const ACCEPTED = 'signed conversation_processed';

describe('the sender', () => {
	// D1-SIG-01
	test('is known by a signature with the current or the previous secret', () => {
		expect(verify(processedEvent())).toBe(ACCEPTED);
		expect(verify(processedEvent(), { secret: 'the previous secret' })).toBe(ACCEPTED);
		expect(verify(processedEvent(), { secret: 'a guess' })).toBe('signature_mismatch');
	});

	test.each([' x-sERVICE-signature ', 'X-Service-Signature'])(
		'is read from the header %j, whatever its capitalization',
		(signatureHeader) => expect(verify(processedEvent(), { signatureHeader })).toBe(ACCEPTED),
	);

	test.each(['X-Other', '__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
		'has no signature in a header named %s',
		(signatureHeader) => expect(verify(processedEvent(), { signatureHeader })).toBe('signature_missing'),
	);

	test.each(['sha256=00', 'sha1', '', ` ${DIGEST}`, `${DIGEST}0`])(
		'has a malformed signature, not a wrong one, in %j',
		(header) =>
			expect(verify(processedEvent(), { headers: { 'x-service-signature': header } })).toBe(
				'signature_malformed',
			),
	);

	test('is rejected without a saved secret, unless unsigned deliveries are allowed', () => {
		const secrets = NO_SECRET;
		expect(verify(processedEvent(), { secrets })).toBe('signing_secret_missing');
		expect(verify(processedEvent(), { secrets, allowUnsigned: true, secret: undefined })).toBe(
			'unsigned conversation_processed',
		);
	});

	test('is rejected while only a short secret is saved, even where unsigned deliveries are allowed', () => {
		const secrets = { ...NO_SECRET, hasShort: true };
		expect(verify(processedEvent(), { secrets, allowUnsigned: true })).toBe('signing_secret_short');
	});

	test('is told that its secret is short if only the previous one is long enough', () => {
		const secrets = { ...NO_SECRET, signing: ['the previous secret'], hasShort: true };
		expect(verify(processedEvent(), { secrets, secret: 'newSecret123' })).toBe('signing_secret_short');
		expect(verify(processedEvent(), { secrets, secret: 'the previous secret' })).toBe(ACCEPTED);
		const unsigned = { 'x-service-signature': undefined };
		expect(verify(processedEvent(), { secrets, headers: unsigned })).toBe('signature_missing');
	});

	test('must sign once a secret is saved, even where unsigned deliveries are allowed', () => {
		const unsigned = { headers: { 'x-service-signature': undefined }, allowUnsigned: true };
		expect(verify(processedEvent(), unsigned)).toBe('signature_missing');
	});

	// D1-SIG-05
	test.each([
		['token', ACCEPTED],
		[undefined, 'receiver_header_mismatch'],
		['', 'receiver_header_mismatch'],
		['Token', 'receiver_header_mismatch'],
		['token2', 'receiver_header_mismatch'],
		[['token'], 'receiver_header_mismatch'],
	])('must also send the receiver header with exactly its value, not %j', (value, expected) => {
		const receiverHeader = { name: 'X-Receiver', value: 'token' };
		const secrets = { ...NO_SECRET, signing: [SECRET], receiverHeader };
		expect(verify(processedEvent(), { secrets, headers: { 'x-receiver': value } })).toBe(expected);
	});

	test.each([
		{ name: 'X-Receiver', value: '' },
		{ name: '', value: 'token' },
	])('is rejected while only half of a receiver header is saved: %o', (receiverHeader) => {
		const secrets = { ...NO_SECRET, signing: [SECRET], receiverHeader };
		expect(verify(processedEvent(), { secrets, headers: { 'x-receiver': '' } })).toBe(
			'receiver_header_incomplete',
		);
	});
});

describe('the envelope', () => {
	// D1-ENVELOPE-02, D1-TEST-01
	test('may be of both event types, with nulls and unknown extra fields', () => {
		expect(verify(testEvent())).toBe('signed test');
		const extra = { ...processedEvent('id', { mood: '\uFEFFgood' }), version: 2 };
		expect(verified(extra)).toMatchObject({ envelope: { version: 2, data: { mood: '\uFEFFgood' } } });
	});

	test('may begin with a byte-order mark, as n8n accepts one too', () => {
		expect(verify(Buffer.from(`\uFEFF${JSON.stringify(testEvent())}`))).toBe('signed test');
	});

	test.each([undefined, null, ''])('of a test may have %p as conversation ID', (conversation_id) => {
		const { data, ...event } = testEvent();
		expect(verify({ ...event, data: { ...data, conversation_id } })).toBe('signed test');
	});

	test.each([undefined, null, '', ' ', 7])('of a conversation must not have %p as its ID', (id) =>
		expect(verify(processedEvent('x', { conversation_id: id }))).toBe('conversation_id_missing'),
	);

	test.each([
		['nothing', Buffer.alloc(0)],
		['null', null],
		['a list', [processedEvent()]],
		['text', 'conversation_processed'],
		['no data', { event_type: 'test' }],
		['data that is a list', { event_type: 'test', data: [] }],
		['no event type', { data: {} }],
		['an empty event type', { event_type: '', data: {} }],
		['an event type that is not text', { event_type: 7, data: {} }],
	])('must not be %s', (_, body) => expect(verify(body)).toBe('not_an_envelope'));

	test.each([{}, { data: null }, { sent_at: '2001-01-01T00:00:00Z' }, { data: [] }])(
		'of an unknown event may hold %j, because the event starts nothing',
		(more) => {
			expect(verify({ event_type: 'conversation_deleted', ...more })).toBe('unknown conversation_deleted');
			const secret = 'a guess';
			expect(verify({ event_type: 'conversation_deleted', ...more }, { secret })).toBe('signature_mismatch');
		},
	);
});

describe('the age', () => {
	const sentAt = (sent_at: unknown, options: Options = {}) =>
		verify({ ...processedEvent(), sent_at }, { now: NOW, ...options });

	test('is accepted up to the maximum and five minutes ahead, and rejected beyond', () => {
		const age = fc.integer({ min: -60 * MINUTE_MS, max: 1000 * MINUTE_MS });
		const minutes = fc.integer({ min: 1, max: 900 });
		fc.assert(
			fc.property(age, minutes, (ageMs, maximum) => {
				const isOld = ageMs > maximum * MINUTE_MS;
				const isAhead = ageMs < -5 * MINUTE_MS;
				expect(sentAt(iso(NOW - ageMs), { maximumAgeMs: maximum * MINUTE_MS })).toBe(
					isOld ? 'delivery_too_old' : isAhead ? 'delivery_ahead' : ACCEPTED,
				);
			}),
		);
		expect(sentAt(iso(NOW + 5 * MINUTE_MS))).toBe(ACCEPTED);
		expect(sentAt(iso(NOW + 5 * MINUTE_MS + 1))).toBe('delivery_ahead');
		expect(sentAt(iso(NOW - MAXIMUM_AGE_MS))).toBe(ACCEPTED);
		expect(sentAt(iso(NOW - MAXIMUM_AGE_MS - 1))).toBe('delivery_too_old');
	});

	test.each(['2001-01-01T00:00:00Z', iso(NOW + 99 * MINUTE_MS), undefined, 'soon'])(
		'is not checked with a maximum of 0, nor of an unsigned delivery: %p',
		(sent) => {
			expect(sentAt(sent, { maximumAgeMs: 0 })).toBe(ACCEPTED);
			expect(sentAt(sent, { secrets: NO_SECRET, allowUnsigned: true })).toBe(
				'unsigned conversation_processed',
			);
		},
	);

	test.each([undefined, null, '', 'yesterday', 1_767_225_600_000, {}, '2026-02-30T10:00:00Z', [iso(NOW)]])(
		'is unknown when the time of sending is %p',
		(sent) => expect(sentAt(sent)).toBe('sent_at_unreadable'),
	);

	test.each([
		'2026-03-02T10:00:00',
		'2026-03-02T15:30:00+05:30',
		'2026-03-02T10:00:00.123456Z',
		'20260302T100000Z',
	])('is the same for %s, whatever the time zone of n8n', (sent) => {
		const { defaultZone } = Settings;
		Settings.defaultZone = 'Asia/Tokyo';
		const results = [NOW, NOW + 2000].map((now) => sentAt(sent, { now, maximumAgeMs: 1000 }));
		Settings.defaultZone = defaultZone;
		expect(results).toEqual([ACCEPTED, 'delivery_too_old']);
	});
});
