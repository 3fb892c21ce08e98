import * as fc from 'fast-check';
import { Settings } from 'luxon';
import {
	Rejection,
	verify,
	type Verified,
	type VerifyOptions,
} from '../../../nodes/ConversationIntelligenceTrigger/verify';
import { readSecrets } from '../../../nodes/ConversationIntelligenceTrigger/receive';
import { delivery, processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { sign } from '../../../harness/webhook/sign';
import { anyText } from '../../support/anyText';

const SECRET = 'the current secret';
const PREVIOUS = 'the previous secret';
const NO_SECRET = { signing: [], receiverHeader: { name: '', values: [] as string[] } };
const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

interface Options extends Partial<VerifyOptions> {
	/** Signs the delivery. */
	secret?: string;
	headers?: Record<string, unknown>;
	now?: number;
}

/** Verifies an event or bytes, signed with the current secret by default. */
function verified(event: unknown, { headers = {}, now = Date.now(), ...options }: Options = {}): Verified {
	const { body, headers: signed } = delivery(event, 'secret' in options ? options.secret : SECRET);
	return verify(
		{ rawBody: body, headers: { ...signed, ...headers } },
		{
			secrets: { ...NO_SECRET, signing: [SECRET, PREVIOUS] },
			signatureHeader: 'X-Service-Signature',
			allowUnsigned: false,
			maximumAgeMs: 15 * MINUTE_MS,
			...options,
		},
		now,
	);
}

/** The result in a word or two: the code of a rejection, with "told" if the sender may read it. */
function resultOf(event: unknown, options?: Options): string {
	try {
		const result = verified(event, options);
		return `${result.isSigned ? 'signed' : 'unsigned'} ${result.rule ? result.event.event_type : 'unknown'}`;
	} catch (error) {
		const { code, isSigned } = error as Rejection;
		return isSigned ? `${code} told` : code;
	}
}
const ACCEPTED = 'signed conversation_processed';

describe('the signature', () => {
	// D1-SIG-01
	test('agrees with one computed by another program', () => {
		// printf '{"event_type":"new"}' | openssl dgst -sha256 -hmac 'the current secret'
		const header = 'sha256=55e5ca60676211af39d9e05c14e422e4a57cb46aef8c61ca44f1601df6c2bde5';
		const body = '{"event_type":"new"}';
		const headers = { 'x-service-signature': header };
		expect(resultOf(Buffer.from(body), { headers })).toBe('signed unknown');
		expect(resultOf(Buffer.from(body.replace('new', 'now')), { headers })).toBe('signature_mismatch');
	});

	// D1-SIG-02
	test('fits any body with the current or the previous secret, which both sides may have saved with blanks', () => {
		for (const secret of ['x', ' padded secret\n', 'padded secret']) {
			const secrets = readSecrets({ signingSecret: ' padded secret\n', previousSigningSecret: 'x' });
			expect(resultOf(processedEvent(), { secrets, secret })).toBe(ACCEPTED);
		}
		fc.assert(
			fc.property(anyText(), fc.constantFrom(SECRET, PREVIOUS), (summary, secret) => {
				expect(resultOf(processedEvent('id', { summary }), { secret })).toBe(ACCEPTED);
			}),
		);
		expect(resultOf(processedEvent(), { secret: 'a guess' })).toBe('signature_mismatch');
	});

	// D1-SIG-03
	test('does not fit with a single bit of the body or digit of the signature changed', () => {
		fc.assert(
			fc.property(fc.nat(), fc.nat(7), fc.nat(63), fc.integer({ min: 1, max: 15 }), (byte, bit, at, by) => {
				const { body } = delivery(processedEvent());
				const right = sign(body, SECRET);
				const changed = Buffer.from(body);
				changed[byte % changed.length] ^= 1 << bit;
				expect(resultOf(changed, { headers: { 'x-service-signature': right } })).toBe('signature_mismatch');
				const digits = [...right.slice('sha256='.length)];
				digits[at] = ((parseInt(digits[at], 16) + by) % 16).toString(16);
				const header = { 'x-service-signature': `sha256=${digits.join('')}` };
				expect(resultOf(body, { headers: header })).toBe('signature_mismatch');
			}),
		);
	});

	test.each<[string, (right: string) => unknown]>([
		['a list with the right value', (right) => [right]],
		['the right value twice, as repeated headers are joined', (right) => `${right}, ${right}`],
		['uppercase digits', (right) => right.toUpperCase().replace('SHA', 'sha')],
		['no prefix', (right) => right.slice('sha256='.length)],
		['another algorithm', (right) => right.replace('sha256', 'sha1')],
		['one digit fewer', (right) => right.slice(0, -1)],
		['one digit more', (right) => `${right}0`],
		['a line break after', (right) => `${right}\n`],
	])('is malformed, not wrong, as %s', (_, change) => {
		const { body } = delivery(processedEvent());
		const headers = { 'x-service-signature': change(sign(body, SECRET)) };
		expect(resultOf(body, { headers })).toBe('signature_malformed');
	});

	test.each([
		...[' x-sERVICE-signature ', 'X-Service-Signature'].map((name) => [name, ACCEPTED]),
		...['X-Other', '__proto__', 'constructor'].map((name) => [name, 'signature_missing']),
	])('in the header %j, even where unsigned deliveries are allowed: %s', (signatureHeader, result) => {
		expect(resultOf(processedEvent(), { signatureHeader, allowUnsigned: true })).toBe(result);
	});

	// D1-SIG-04, D1-SUB-02
	test('is required, unless no secret is saved and unsigned deliveries are allowed', () => {
		const secrets = NO_SECRET;
		expect(resultOf(processedEvent(), { secrets })).toBe('signing_secret_missing');
		const unsigned = { secrets, allowUnsigned: true, secret: undefined };
		expect(resultOf(processedEvent(), unsigned)).toBe('unsigned conversation_processed');
	});
});

describe('the receiver header', () => {
	// D1-SIG-02, D1-SIG-05
	test.each([
		['token', ACCEPTED],
		[undefined, 'receiver_header_mismatch told'],
		['', 'receiver_header_mismatch told'],
		['Token', 'receiver_header_mismatch told'],
		['token2', 'receiver_header_mismatch told'],
		[['token'], 'receiver_header_mismatch told'],
	])('must have exactly its value, not %j, and only a signed sender is told so', (value, expected) => {
		const receiverHeader = { name: 'X-Receiver', values: ['token'] };
		const headers = { 'x-receiver': value };
		const signed = { secrets: { ...NO_SECRET, signing: [SECRET], receiverHeader }, headers };
		expect(resultOf(processedEvent(), signed)).toBe(expected);
		expect(resultOf(processedEvent(), { ...signed, secret: 'a guess' })).toBe('signature_mismatch');
		const unsigned = { secrets: { ...NO_SECRET, receiverHeader }, headers, allowUnsigned: true };
		const untold = expected.replace(' told', '').replace('signed', 'unsigned');
		expect(resultOf(processedEvent(), unsigned)).toBe(untold);
	});

	test.each(['Schlüssel', '鍵-🔑', '\u00a0token', 'Ã¼'])(
		'may have the value %j, in UTF-8 or Latin-1',
		(value) => {
			const secrets = readSecrets({
				signingSecret: SECRET,
				receiverHeaderName: 'X-Receiver',
				receiverHeaderSecret: value,
			});
			// As Node reads the bytes of a header.
			const sent = { 'x-receiver': Buffer.from(value, 'utf8').toString('latin1') };
			expect(resultOf(processedEvent(), { secrets, headers: sent })).toBe(ACCEPTED);
			expect(resultOf(processedEvent(), { secrets, headers: { 'x-receiver': value } })).toBe(ACCEPTED);
			const other = { 'x-receiver': `${sent['x-receiver']}x` };
			expect(resultOf(processedEvent(), { secrets, headers: other })).toBe('receiver_header_mismatch told');
		},
	);

	test.each([
		{ name: 'X-Receiver', values: [] },
		{ name: '', values: ['token'] },
	])('rejects every delivery while only half of it is saved: %o', (receiverHeader) => {
		const secrets = { ...NO_SECRET, signing: [SECRET], receiverHeader };
		const headers = { 'x-receiver': '', '': 'token' };
		expect(resultOf(processedEvent(), { secrets, headers })).toBe('receiver_header_incomplete told');
	});
});

describe('the envelope', () => {
	// D1-ENVELOPE-02, D1-TEST-01
	test('may be of both event types, with nulls, unknown extra fields, and a byte-order mark, as n8n accepts', () => {
		for (const mark of ['', '\uFEFF'])
			expect(resultOf(Buffer.from(mark + JSON.stringify(testEvent())))).toBe('signed test');
		const extra = { ...processedEvent('id', { mood: '\uFEFFgood' }), version: 2 };
		expect(verified(extra).event).toEqual(extra);
	});

	test.each([undefined, null, '', ' ', 7])(
		'of a conversation must not have %p as its ID, that of a test may',
		(conversation_id) => {
			const { data, ...event } = testEvent();
			expect(resultOf({ ...event, data: { ...data, conversation_id } })).toBe('signed test');
			expect(resultOf(processedEvent('x', { conversation_id }))).toBe('conversation_id_missing');
		},
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
	])('must not be %s', (_, body) => expect(resultOf(body)).toBe('not_an_envelope'));

	test.each([
		{ event_type: 'conversation_deleted' },
		{ event_type: 'constructor', data: null },
		{ event_type: '__proto__', data: [], sent_at: '2001-01-01T00:00:00Z' },
	])('of an unknown event may be %j, because the event starts nothing', (event) => {
		expect(verified(event)).toEqual({
			event: { event_type: event.event_type, data: {} },
			rule: undefined,
			isSigned: true,
		});
		expect(resultOf(event, { secret: 'a guess' })).toBe('signature_mismatch');
	});

	test('may have a hundred levels; a deeper one is refused instead of failing on it', () => {
		const nested = (levels: number) => {
			const [before, after] = JSON.stringify(processedEvent('id', { nested: 'HERE' })).split('"HERE"');
			return Buffer.from(`${before}${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}${after}`);
		};
		// The event and its data are two levels.
		expect(resultOf(nested(98))).toBe(ACCEPTED);
		for (const levels of [99, 2600, 100_000]) expect(resultOf(nested(levels))).toBe('nested_too_deeply');
	});
});

describe('the age', () => {
	const sentAt = (sent_at: unknown, options: Options = {}) =>
		resultOf({ ...processedEvent(), sent_at }, { now: NOW, ...options });

	// D1-ENVELOPE-03, D1-WH-02..03
	test('is accepted up to the maximum and five minutes ahead, and rejected beyond', () => {
		const age = fc.integer({ min: -60 * MINUTE_MS, max: 1000 * MINUTE_MS });
		const minutes = fc.integer({ min: 1, max: 900 });
		fc.assert(
			fc.property(age, minutes, (ageMs, maximum) => {
				const isOld = ageMs > maximum * MINUTE_MS;
				const isAhead = ageMs < -5 * MINUTE_MS;
				expect(sentAt(iso(NOW - ageMs), { maximumAgeMs: maximum * MINUTE_MS })).toBe(
					isOld ? 'delivery_too_old told' : isAhead ? 'delivery_ahead told' : ACCEPTED,
				);
			}),
		);
		expect(sentAt(iso(NOW + 5 * MINUTE_MS))).toBe(ACCEPTED);
		expect(sentAt(iso(NOW + 5 * MINUTE_MS + 1))).toBe('delivery_ahead told');
		expect(sentAt(iso(NOW - 15 * MINUTE_MS))).toBe(ACCEPTED);
		expect(sentAt(iso(NOW - 15 * MINUTE_MS - 1))).toBe('delivery_too_old told');
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
		(sent) => expect(sentAt(sent)).toBe('sent_at_unreadable told'),
	);

	test.each([
		'20260302T100000,000Z',
		'2026-03-02T10:00:00',
		'2026-03-02T15:30:00+05:30',
		'2026-03-02T10:00:00.123456Z',
		'20260302T100000Z',
	])('is the same for %s, whatever the time zone of n8n', (sent) => {
		const { defaultZone } = Settings;
		Settings.defaultZone = 'Asia/Tokyo';
		const results = [NOW, NOW + 2000].map((now) => sentAt(sent, { now, maximumAgeMs: 1000 }));
		Settings.defaultZone = defaultZone;
		expect(results).toEqual([ACCEPTED, 'delivery_too_old told']);
	});
});
