import { createHmac, randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { processedEvent } from '../../harness/webhook/deliveries';

/** A delivery that is signed like the service's or forged, and whether the trigger must accept it. */
export interface Mutation {
	kind: string;
	accept: boolean;
	body: Buffer;
	/** Alternating names and values, so that a header can occur twice. */
	headers: string[];
}

export interface MutationSecrets {
	current: string;
	previous: string;
}

/** Random values. */
interface Fuzz {
	text: string;
	bytes: Uint8Array;
	at: number;
	json: unknown;
}

type Event = ReturnType<typeof processedEvent>;
type Sent = Pick<Mutation, 'body' | 'headers'>;

const SIGNATURE = 'X-Service-Signature';
const JSON_TYPE = ['Content-Type', 'application/json'];

const hmac = (body: Buffer, secret: string, algorithm = 'sha256') =>
	createHmac(algorithm, secret).update(body).digest('hex');
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
/** A body signed like the service does. */
const signed = (body: Buffer, secret: string, type = JSON_TYPE): Sent => ({
	body,
	headers: [...type, SIGNATURE, `sha256=${hmac(body, secret)}`],
});
const withData = (event: Event, data: object) => ({ ...event, data: { ...event.data, ...data } });
const encoded = ({ body, headers }: Sent, encoding: string): Sent => ({
	body,
	headers: [...headers, 'Content-Encoding', encoding],
});
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** The same bytes, under other content types. */
const TYPES: Record<string, string[]> = {
	plain: JSON_TYPE,
	'content type with a charset': ['Content-Type', 'application/json; charset=utf-8'],
	'no content type': [],
	'another content type': ['Content-Type', 'application/octet-stream'],
	'a plain text type': ['Content-Type', 'text/plain'],
};

/** Bodies that are accepted with their signature. */
const BODIES: Record<string, (event: Event, fuzz: Fuzz) => unknown> = {
	whitespace: (event, { at }) => Buffer.from(`\n ${JSON.stringify(event, null, (at % 9) + 1)}\t\r\n`),
	'other characters': (event, { text }) => withData(event, { summary: text }),
	escapes: (event, { text }) =>
		Buffer.from(
			JSON.stringify(withData(event, { summary: text })).replace(
				/[^\x20-\x7e]/g,
				(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
			),
		),
	emoji: (event) => withData(event, { summary: '🏠 屋根 \u2028 \u0000' }),
	'extra fields': (event, { json }) => ({ ...withData(event, { extra: json }), more: json }),
	'null and missing values': (event) =>
		withData(event, { summary: null, customer: null, surveys: undefined }),
	'a clock that is ahead': (event, { at }) => ({ ...event, sent_at: minutesAgo(-(at % 4)) }),
};

/** Bodies that are refused although their signature is right. */
const WRONG_BODIES: typeof BODIES = {
	'an empty body': () => Buffer.alloc(0),
	'signed bytes that are not JSON': (_event, { bytes }) => Buffer.concat([Buffer.from('{'), bytes]),
	'signed JSON that is not an envelope': (_event, { json }) => ({ json }),
	'a signed list': (event) => [event],
	'no conversation ID': (event, { at }) =>
		withData(event, { conversation_id: [null, '', 7, undefined][at % 4] }),
	'sent too long ago': (event, { at }) => ({ ...event, sent_at: minutesAgo(16 + at) }),
	'no sent_at': (event, { at, text }) => ({ ...event, sent_at: [null, 7, undefined, `x${text}`][at % 4] }),
};

/** Bodies that the signature is not of. */
const CHANGED_BODIES: Record<string, (body: Buffer, fuzz: Fuzz) => Buffer> = {
	'a body with a flipped bit': (body, { at }) =>
		Buffer.from(body.map((byte, index) => (index === at % body.length ? byte ^ (1 << at % 8) : byte))),
	'a body with additional bytes': (body, { bytes }) => Buffer.concat([body, bytes, Buffer.from(' ')]),
	'a truncated body': (body, { at }) => body.subarray(0, at % body.length),
	're-encoded JSON': (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2)),
	'any bytes': (_body, { bytes }) => Buffer.from(bytes),
};

/** Values of the signature header that are not the body's signature. */
const SIGNATURES: Record<string, (digits: string, fuzz: Fuzz) => string> = {
	'an empty signature': () => '',
	'a changed digit': (digits, { at }) => {
		const place = at % 64;
		const other = ((parseInt(digits[place], 16) + 1 + (at % 15)) % 16).toString(16);
		return `sha256=${digits.slice(0, place)}${other}${digits.slice(place + 1)}`;
	},
	'uppercase digits': (digits) => `sha256=${digits.toUpperCase()}`,
	'no prefix': (digits) => digits,
	'another prefix': (digits, { at }) =>
		`${['SHA256=', 'sha512=', 'sha1=', 'sha256:', 'sha256 ='][at % 5]}${digits}`,
	'too few or too many digits': (digits, { at }) =>
		`sha256=${digits.repeat(8).slice(0, at % 2 ? at % 64 : 65 + (at % 400))}`,
};

/** Deliveries of an event with a secret that the trigger knows, by kind. */
type Kinds = Record<string, (event: Event, secret: string, fuzz: Fuzz) => Sent>;

/** One kind for each row of a table. */
const each = <Row>(table: Record<string, Row>, make: (row: Row) => Kinds[string]): Kinds =>
	Object.fromEntries(Object.entries(table).map(([kind, row]) => [kind, make(row)]));

const ofBody = (make: (typeof BODIES)[string]) => (event: Event, secret: string, fuzz: Fuzz) => {
	const value = make(event, fuzz);
	return signed(Buffer.isBuffer(value) ? value : bytesOf(value), secret);
};

const ACCEPTED: Kinds = {
	...each(TYPES, (type) => (event, secret) => signed(bytesOf(event), secret, type)),
	...each(BODIES, ofBody),
	gzip: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return encoded({ body: gzipSync(body), headers }, 'gzip');
	},
	deflate: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return encoded({ body: deflateSync(body), headers }, 'deflate');
	},
	'a header in upper case': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: headers.map((text) => (text === SIGNATURE ? text.toUpperCase() : text)) };
	},
	'additional headers': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, 'X-Extra', `value ${at}`, 'X-Extra', 'again'] };
	},
};

const REFUSED: Kinds = {
	...each(WRONG_BODIES, ofBody),
	...each(CHANGED_BODIES, (change) => (event, secret, fuzz) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: change(body, fuzz), headers };
	}),
	...each(SIGNATURES, (valueOf) => (event, secret, fuzz) => {
		const body = bytesOf(event);
		return { body, headers: [...JSON_TYPE, SIGNATURE, valueOf(hmac(body, secret), fuzz)] };
	}),
	'no signature': (event) => ({ body: bytesOf(event), headers: JSON_TYPE }),
	'another secret': (event, secret, { at }) => signed(bytesOf(event), `${secret}${at}`),
	'an empty secret': (event) => signed(bytesOf(event), ''),
	'another algorithm': (event, secret) => {
		const body = bytesOf(event);
		return { body, headers: [...JSON_TYPE, SIGNATURE, `sha256=${hmac(body, secret, 'sha1')}`] };
	},
	'a repeated header': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, ...headers.slice(-2)] };
	},
	'a second, wrong signature': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, SIGNATURE, `sha256=${'0'.repeat(64)}`] };
	},
	'a header with another name': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: headers.map((text) => (text === SIGNATURE ? 'X-Signature' : text)) };
	},
	'a signature over the compressed bytes': (event, secret) =>
		encoded(signed(gzipSync(bytesOf(event)), secret), 'gzip'),
	'broken gzip': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		const zipped = gzipSync(body);
		return encoded({ body: at % 2 ? zipped.subarray(0, 20) : zipped.fill(0, 12, 60), headers }, 'gzip');
	},
	'a plain body declared as gzip': (event, secret) => encoded(signed(bytesOf(event), secret), 'gzip'),
};

/** Generates mutated deliveries from a seed, with new IDs and times. About one in seven must be accepted. */
export function mutations(count: number, seed: number, { current, previous }: MutationSecrets): Mutation[] {
	const kindsOf = (kinds: Kinds, accept: boolean) =>
		fc.constantFrom(...Object.entries(kinds).map(([kind, make]) => ({ kind, make, accept })));
	const anyKind = fc.oneof(
		{ weight: 1, arbitrary: kindsOf(ACCEPTED, true) },
		{ weight: 6, arbitrary: kindsOf(REFUSED, false) },
	);
	const fuzz: fc.Arbitrary<Fuzz> = fc.record({
		text: fc.string({ unit: 'binary', maxLength: 60 }),
		bytes: fc.uint8Array({ maxLength: 300 }),
		at: fc.nat(1_000_000),
		json: fc.jsonValue({ maxDepth: 2 }),
	});
	return fc
		.sample(fc.tuple(anyKind, fuzz, fc.boolean()), { numRuns: count, seed })
		.map(([{ kind, make, accept }, given, byPrevious]) => ({
			kind,
			accept,
			...make(processedEvent(randomUUID()), byPrevious ? previous : current, given),
		}));
}
