import { createHmac, randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { processedEvent } from './deliveries';

/** One mutated delivery and whether the trigger must take it. */
export interface Mutation {
	kind: string;
	accept: boolean;
	body: Buffer;
	/** Name and value in turn, so that a header can be there twice. */
	headers: string[];
}

export interface MutationSecrets {
	current: string;
	previous: string;
}

const SIGNATURE = 'X-Service-Signature';
const JSON_TYPE = ['Content-Type', 'application/json'];

const hmac = (bytes: Buffer, secret: string, algorithm = 'sha256') =>
	createHmac(algorithm, secret).update(bytes).digest('hex');

type Make = (event: object, secret: string, fuzz: Fuzz) => Pick<Mutation, 'body' | 'headers'>;

interface Fuzz {
	text: string;
	bytes: Uint8Array;
	at: number;
	json: unknown;
}

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const withSignature = (body: Buffer, value: string, type = JSON_TYPE) => ({
	body,
	headers: [...type, SIGNATURE, value],
});
const signed = (body: Buffer, secret: string, type = JSON_TYPE) =>
	withSignature(body, `sha256=${hmac(body, secret)}`, type);
const withData = (event: object, data: object) => ({
	...event,
	data: { ...(event as { data: object }).data, ...data },
});
/** Every character beyond ASCII as an escape: other bytes, the same event. */
const escaped = (value: unknown) =>
	Buffer.from(
		JSON.stringify(value).replace(
			/[^\x20-\x7e]/g,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
	);
/** Changes one byte to another one. */
function flipped(bytes: Buffer, at: number): Buffer {
	const changed = Buffer.from(bytes);
	changed[at % changed.length] ^= 1 << at % 8;
	return changed;
}

/** Signed as the service does it: must be taken. */
const ACCEPTED: Record<string, Make> = {
	plain: (event, secret) => signed(bytesOf(event), secret),
	'white space': (event, secret, { at }) =>
		signed(Buffer.from(`\n ${JSON.stringify(event, null, (at % 9) + 1)}\t\r\n`), secret),
	'other characters': (event, secret, { text }) =>
		signed(bytesOf(withData(event, { summary: text })), secret),
	escapes: (event, secret, { text }) => signed(escaped(withData(event, { summary: text })), secret),
	emoji: (event, secret) => signed(bytesOf(withData(event, { summary: '🏠 屋根 \u2028 \u0000' })), secret),
	'extra fields': (event, secret, { json }) =>
		signed(bytesOf({ ...withData(event, { extra: json }), more: json }), secret),
	'nulls and gaps': (event, secret) =>
		signed(bytesOf(withData(event, { summary: null, customer: null, surveys: undefined })), secret),
	gzip: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: gzipSync(body), headers: [...headers, 'Content-Encoding', 'gzip'] };
	},
	deflate: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: deflateSync(body), headers: [...headers, 'Content-Encoding', 'deflate'] };
	},
	'header in capitals': (event, secret) => {
		const body = bytesOf(event);
		return { body, headers: [...JSON_TYPE, SIGNATURE.toUpperCase(), `sha256=${hmac(body, secret)}`] };
	},
	'content type with a charset': (event, secret) =>
		signed(bytesOf(event), secret, ['Content-Type', 'application/json; charset=utf-8']),
	'no content type': (event, secret) => signed(bytesOf(event), secret, []),
	'another content type': (event, secret) =>
		signed(bytesOf(event), secret, ['Content-Type', 'application/octet-stream']),
	'a plain text type': (event, secret) => signed(bytesOf(event), secret, ['Content-Type', 'text/plain']),
	'other headers beside': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, 'X-Extra', `value ${at}`, 'X-Extra', 'again'] };
	},
};

/** Anything else: must be refused, and start nothing. */
const REFUSED: Record<string, Make> = {
	'no signature': (event) => ({ body: bytesOf(event), headers: JSON_TYPE }),
	'an empty signature': (event) => withSignature(bytesOf(event), ''),
	'another secret': (event, secret, { at }) => signed(bytesOf(event), `${secret}${at}`),
	'an empty secret': (event) => signed(bytesOf(event), ''),
	'a body with a bit changed': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: flipped(body, at), headers };
	},
	'a body with bytes added': (event, secret, { bytes }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: Buffer.concat([body, Buffer.from(bytes), Buffer.from(' ')]), headers };
	},
	'a body cut off': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: body.subarray(0, at % body.length), headers };
	},
	'JSON encoded anew': (event, secret) => {
		const { headers } = signed(Buffer.from(JSON.stringify(event, null, 2)), secret);
		return { body: bytesOf(event), headers };
	},
	'another order of keys': (event, secret) => {
		const { headers } = signed(bytesOf(event), secret);
		return { body: bytesOf(Object.fromEntries(Object.entries(event).reverse())), headers };
	},
	'a digit changed': (event, secret, { at }) => {
		const body = bytesOf(event);
		const digits = hmac(body, secret);
		const place = at % 64;
		const other = ((parseInt(digits[place], 16) + 1 + (at % 15)) % 16).toString(16);
		return withSignature(body, `sha256=${digits.slice(0, place)}${other}${digits.slice(place + 1)}`);
	},
	'uppercase digits': (event, secret) => {
		const body = bytesOf(event);
		const digits = hmac(body, secret).toUpperCase();
		return withSignature(body, `sha256=${digits}`);
	},
	'no prefix': (event, secret) => withSignature(bytesOf(event), hmac(bytesOf(event), secret)),
	'another prefix': (event, secret, { at }) =>
		withSignature(
			bytesOf(event),
			`${['SHA256=', 'sha512=', 'sha1=', 'sha256:', 'sha256 ='][at % 5]}${hmac(bytesOf(event), secret)}`,
		),
	'another algorithm': (event, secret) =>
		withSignature(bytesOf(event), `sha1=${hmac(bytesOf(event), secret, 'sha1')}`),
	'too few or too many digits': (event, secret, { at }) => {
		const digits = hmac(bytesOf(event), secret);
		const length = at % 2 ? at % 64 : 65 + (at % 400);
		return withSignature(bytesOf(event), `sha256=${digits.repeat(8).slice(0, length)}`);
	},
	'the header twice': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, ...headers.slice(-2)] };
	},
	'a second, wrong signature': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, SIGNATURE, `sha256=${'0'.repeat(64)}`] };
	},
	'a header of another name': (event, secret) => {
		const body = bytesOf(event);
		return { body, headers: [...JSON_TYPE, 'X-Signature', `sha256=${hmac(body, secret)}`] };
	},
	'a signature over the compressed bytes': (event, secret) => {
		const body = gzipSync(bytesOf(event));
		return { body, headers: [...signed(body, secret).headers, 'Content-Encoding', 'gzip'] };
	},
	'broken gzip': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		const zipped = gzipSync(body);
		const broken = at % 2 ? zipped.subarray(0, 20) : Buffer.from(zipped).fill(0, 12, 60);
		return { body: broken, headers: [...headers, 'Content-Encoding', 'gzip'] };
	},
	'plain that says gzip': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, 'Content-Encoding', 'gzip'] };
	},
	'an empty body': (_event, secret) => signed(Buffer.alloc(0), secret),
	'signed bytes that are no JSON': (_event, secret, { bytes }) =>
		signed(Buffer.concat([Buffer.from('{'), Buffer.from(bytes)]), secret),
	'signed JSON that is no envelope': (_event, secret, { json }) => signed(bytesOf({ json }), secret),
	'a signed list': (event, secret) => signed(bytesOf([event]), secret),
	'an unknown event type': (event, secret, { text }) =>
		signed(bytesOf({ ...event, event_type: `x${text}` }), secret),
	'no conversation ID': (event, secret, { at }) =>
		signed(bytesOf(withData(event, { conversation_id: [null, '', 7, undefined][at % 4] })), secret),
	'any bytes, any signature': (_event, _secret, { bytes, at }) =>
		withSignature(Buffer.from(bytes), `sha256=${hmac(Buffer.from(bytes), String(at))}`),
};

const KINDS = [
	...Object.entries(ACCEPTED).map(([kind, make]) => ({ kind, make, accept: true })),
	...Object.entries(REFUSED).map(([kind, make]) => ({ kind, make, accept: false })),
];

/**
 * Mutated deliveries, the same for the same seed but for their conversation IDs. About one in seven must be taken.
 */
export function mutations(count: number, seed: number, { current, previous }: MutationSecrets): Mutation[] {
	const taken = KINDS.filter(({ accept }) => accept);
	const refused = KINDS.filter(({ accept }) => !accept);
	const fuzz: fc.Arbitrary<Fuzz> = fc.record({
		text: fc.string({ unit: 'binary', maxLength: 60 }),
		bytes: fc.uint8Array({ maxLength: 300 }),
		at: fc.nat(1_000_000),
		json: fc.jsonValue({ maxDepth: 2 }),
	});
	const kind = fc.oneof(
		{ weight: 1, arbitrary: fc.constantFrom(...taken) },
		{ weight: 6, arbitrary: fc.constantFrom(...refused) },
	);
	return fc
		.sample(fc.tuple(kind, fuzz, fc.boolean()), { numRuns: count, seed })
		.map(([{ kind: name, make, accept }, given, byPrevious]) => {
			const event = processedEvent(randomUUID());
			return { kind: name, accept, ...make(event, byPrevious ? previous : current, given) };
		})
		.filter(
			({ kind: name, headers }) => name !== 'uppercase digits' || /=[^a-f]*[A-F]/.test(headers.at(-1) ?? ''),
		);
}
