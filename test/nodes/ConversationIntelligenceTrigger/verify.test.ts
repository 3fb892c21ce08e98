import * as fc from 'fast-check';
import { Rejection, verify, type Verified } from '../../../nodes/ConversationIntelligenceTrigger/verify';
import type { WebhookSettings } from '../../../nodes/ConversationIntelligenceTrigger/triggerParameters';
import { readSecrets } from '../../../nodes/ConversationIntelligenceTrigger/receive';
import { delivery, processedEvent, testEvent, sign } from '../../../harness/webhook/deliveries';
import { allCases } from '../../support/allPairs';
import { anyText } from '../../support/anyText';

const SECRET = 'the current secret';
const PREVIOUS = 'the previous secret';
const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const sentNow = <Event extends object>(event: Event) => ({ ...event, sent_at: iso(NOW) });
const PROCESSED = sentNow(processedEvent('id'));

interface Options extends Partial<WebhookSettings> {
	/** What the credential has. */
	saved?: object;
	/** Signs the delivery. */
	secret?: string;
	headers?: Record<string, unknown>;
}

/** Verifies an event or bytes, signed with the current secret by default. */
function verified(event: unknown, { saved = {}, headers, ...options }: Options = {}): Verified {
	const { body, headers: signed } = delivery(event, 'secret' in options ? options.secret : SECRET);
	const secrets = readSecrets({ signingSecret: SECRET, previousSigningSecret: PREVIOUS, ...saved });
	const defaults = {
		signatureHeader: 'X-Service-Signature',
		allowUnsigned: false,
		maximumAgeMs: 15 * MINUTE_MS,
	};
	const received = { rawBody: body, headers: { ...signed, ...headers } };
	return verify(received, secrets, { ...defaults, ...options }, NOW);
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

const RECEIVER = { receiverHeaderName: ' X-Receiver ', receiverHeaderSecret: 'token' };

/** What is saved and sent, and the code of the rejection if that is a fault. */
const RECEIVERS: Array<[saved: object, sent: unknown, fault?: string]> = [
	[{}, undefined],
	[RECEIVER, 'token'],
	...[undefined, '', 'Token', 'token2', ['token']].map(
		(sent) => [RECEIVER, sent, 'receiver_header_mismatch'] as [object, unknown, string],
	),
	[{ ...RECEIVER, receiverHeaderName: '' }, 'token', 'receiver_header_incomplete'],
	[{ receiverHeaderName: 'X-Receiver' }, '', 'receiver_header_incomplete'],
];
type EventCase = [type: string, data: unknown, fault?: string];
const EVENTS: EventCase[] = [
	['conversation_processed', PROCESSED.data],
	...[undefined, null, '', ' ', 7].map(
		(id): EventCase => ['conversation_processed', { conversation_id: id }, 'id_missing'],
	),
	['test', {}],
	['unknown', null],
];
/** Written in several ways: how a date is read has tests of its own. */
const TIMES: Array<[sentAt: unknown, fault?: string]> = [
	[iso(NOW)],
	['20260302T094500,000'],
	['20260302T094459,999', 'delivery_too_old'],
	[iso(NOW + 5 * MINUTE_MS + 1), 'delivery_ahead'],
	...['soon', undefined, NOW].map((sentAt): [unknown, string] => [sentAt, 'sent_at_unreadable']),
];
const CASES = allCases({
	secrets: [[], [SECRET], [PREVIOUS, SECRET]],
	secret: [SECRET, PREVIOUS, 'a guess', undefined],
	allowUnsigned: [false, true],
	receiver: RECEIVERS,
	event: EVENTS,
	time: TIMES,
	maximumAgeMs: [0, 15 * MINUTE_MS],
});
type Case = (typeof CASES)[number];

function expectedOf({ secrets, secret, allowUnsigned, receiver, event, time, maximumAgeMs }: Case): string {
	const isSigned = secrets.length > 0;
	if (!isSigned && !allowUnsigned) return 'signing_secret_missing';
	if (isSigned && secret === undefined) return 'signature_missing';
	if (isSigned && !secrets.includes(secret!)) return 'signature_mismatch';
	if (receiver[2]) return isSigned ? `${receiver[2]} told` : receiver[2];
	if (event[2]) return event[2];
	const hasAge = isSigned && maximumAgeMs > 0 && event[0] !== 'unknown';
	if (hasAge && time[1]) return `${time[1]} told`;
	return `${isSigned ? 'signed' : 'unsigned'} ${event[0]}`;
}

// D1-SIG-02, D1-SIG-04, D1-SIG-05, D1-SUB-02, D1-ENVELOPE-03, D1-WH-02..03
test('verifies signature, receiver header, envelope and age in this order, and tells only who signed', () => {
	const wrong = CASES.filter((one) => {
		const { secrets, receiver, event, time, ...options } = one;
		const [signingSecret, previousSigningSecret] = secrets;
		const saved = { signingSecret, previousSigningSecret, ...receiver[0] };
		const headers = { 'x-receiver': receiver[1], '': 'token' };
		const sent = { event_type: event[0], data: event[1], sent_at: time[0] };
		return resultOf(sent, { ...options, saved, headers }) !== expectedOf(one);
	});
	expect(wrong).toEqual([]);
});

describe('the signature', () => {
	// D1-SIG-01
	test('agrees with one computed by another program', () => {
		// printf '{"event_type":"new"}' | openssl dgst -sha256 -hmac 'the current secret'
		const header = 'sha256=55e5ca60676211af39d9e05c14e422e4a57cb46aef8c61ca44f1601df6c2bde5';
		const headers = { 'x-service-signature': header };
		expect(resultOf(Buffer.from('{"event_type":"new"}'), { headers })).toBe('signed unknown');
	});

	// D1-SIG-03
	test('fits any body, and none with a bit of the body or a digit of the signature changed', () => {
		fc.assert(
			fc.property(anyText(), fc.nat(), fc.nat(7), (summary, at, bit) => {
				const flipped = (bytes: Buffer) => {
					const copy = Buffer.from(bytes);
					copy[at % copy.length] ^= 1 << bit;
					return copy;
				};
				const { body } = delivery({ ...PROCESSED, data: { ...PROCESSED.data, summary } });
				const right = sign(body, SECRET);
				const digest = Buffer.from(right.slice('sha256='.length), 'hex');
				const results = [
					[body, right],
					[flipped(body), right],
					[body, `sha256=${flipped(digest).toString('hex')}`],
				].map(([bytes, header]) => resultOf(bytes, { headers: { 'x-service-signature': header } }));
				expect(results).toEqual([ACCEPTED, 'signature_mismatch', 'signature_mismatch']);
			}),
		);
	});

	test('is malformed, not wrong, as a list, twice, in uppercase, with another prefix or of another length', () => {
		const { body } = delivery(PROCESSED);
		const right = sign(body, SECRET);
		const others = [[right], `${right}, ${right}`, right.toUpperCase().replace('SHA', 'sha'), right.slice(7)];
		others.push(right.replace('sha256', 'sha1'), right.slice(0, -1), `${right}0`, `${right}\n`);
		const results = others.map((other) => resultOf(body, { headers: { 'x-service-signature': other } }));
		expect(results).toEqual(others.map(() => 'signature_malformed'));
	});

	test.each([
		...[' x-sERVICE-signature ', 'X-Service-Signature'].map((name) => [name, ACCEPTED]),
		...['X-Other', '__proto__', 'constructor'].map((name) => [name, 'signature_missing']),
	])('in the header %j, even where unsigned deliveries are allowed: %s', (signatureHeader, result) => {
		expect(resultOf(PROCESSED, { signatureHeader, allowUnsigned: true })).toBe(result);
	});
});

test.each(['Schlüssel', '鍵-🔑', '\u00a0token', 'Ã¼', ' padded\n'])(
	'secrets may have the value %j, which both sides may have saved with blanks, in UTF-8 or Latin-1',
	(value) => {
		const header = { receiverHeaderName: 'X-Receiver', receiverHeaderSecret: value };
		// As Node reads the bytes of a header.
		const sent = Buffer.from(value, 'utf8').toString('latin1');
		for (const [given, expected] of [
			[sent, ACCEPTED],
			[value, ACCEPTED],
			[value.trim(), ACCEPTED],
			[`${sent}x`, 'receiver_header_mismatch told'],
		]) {
			const saved = { previousSigningSecret: value, ...header };
			for (const secret of [value, value.trim()])
				expect(resultOf(PROCESSED, { saved, secret, headers: { 'x-receiver': given } })).toBe(expected);
		}
	},
);

describe('the envelope', () => {
	// D1-ENVELOPE-02, D1-TEST-01
	test('may have nulls, unknown extra fields, and a byte-order mark, as n8n accepts', () => {
		const test = JSON.stringify(sentNow(testEvent()));
		for (const mark of ['', '\uFEFF']) expect(resultOf(Buffer.from(mark + test))).toBe('signed test');
		const extra = { ...sentNow(processedEvent('id', { mood: '\uFEFFgood' })), version: 2 };
		expect(verified(extra).event).toEqual(extra);
	});

	test('must be an object with an event type that is text, and data that is an object', () => {
		const types = [undefined, '', 7].map((event_type) => ({ event_type, data: {} }));
		const datas = [undefined, []].map((data) => ({ event_type: 'test', data }));
		const bodies = [Buffer.alloc(0), null, [PROCESSED], 'conversation_processed', ...types, ...datas];
		expect(bodies.map((body) => resultOf(body))).toEqual(bodies.map(() => 'not_an_envelope'));
	});

	test.each([
		{ event_type: 'constructor', data: null },
		{ event_type: '__proto__', data: [], sent_at: 'old' },
	])('of an unknown event may be %j, of which only the type is read', ({ event_type, ...event }) => {
		const read = { event: { event_type, data: {} }, rule: undefined, isSigned: true };
		expect(verified({ event_type, ...event })).toEqual(read);
	});

	test('may have a hundred levels; a deeper one is refused instead of failing on it', () => {
		const nested = (levels: number) => {
			const [before, after] = JSON.stringify({ ...PROCESSED, nested: 'HERE' }).split('"HERE"');
			return Buffer.from(`${before}${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}${after}`);
		};
		// The event is a level.
		expect(resultOf(nested(99))).toBe(ACCEPTED);
		for (const levels of [100, 2600, 100_000]) expect(resultOf(nested(levels))).toBe('nested_too_deeply');
	});
});
