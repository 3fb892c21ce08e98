import { gzipSync } from 'node:zlib';
import {
	bytesOf,
	flipped,
	hmac,
	JSON_TYPE,
	SIGNATURE,
	signed,
	withData,
	withSignature,
	type Make,
} from './bytes';

/** Deliveries that must be refused without starting an execution. */
export const REFUSED: Record<string, Make> = {
	'no signature': (event) => ({ body: bytesOf(event), headers: JSON_TYPE }),
	'an empty signature': (event) => withSignature(bytesOf(event), ''),
	'another secret': (event, secret, { at }) => signed(bytesOf(event), `${secret}${at}`),
	'an empty secret': (event) => signed(bytesOf(event), ''),
	'a body with a flipped bit': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: flipped(body, at), headers };
	},
	'a body with additional bytes': (event, secret, { bytes }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: Buffer.concat([body, Buffer.from(bytes), Buffer.from(' ')]), headers };
	},
	'a truncated body': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: body.subarray(0, at % body.length), headers };
	},
	're-encoded JSON': (event, secret) => {
		const { headers } = signed(Buffer.from(JSON.stringify(event, null, 2)), secret);
		return { body: bytesOf(event), headers };
	},
	'another order of keys': (event, secret) => {
		const { headers } = signed(bytesOf(event), secret);
		return { body: bytesOf(Object.fromEntries(Object.entries(event).reverse())), headers };
	},
	'a changed digit': (event, secret, { at }) => {
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
	'a repeated header': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, ...headers.slice(-2)] };
	},
	'a second, wrong signature': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, SIGNATURE, `sha256=${'0'.repeat(64)}`] };
	},
	'a header with another name': (event, secret) => {
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
	'a plain body declared as gzip': (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, 'Content-Encoding', 'gzip'] };
	},
	'an empty body': (_event, secret) => signed(Buffer.alloc(0), secret),
	'signed bytes that are not JSON': (_event, secret, { bytes }) =>
		signed(Buffer.concat([Buffer.from('{'), Buffer.from(bytes)]), secret),
	'signed JSON that is not an envelope': (_event, secret, { json }) => signed(bytesOf({ json }), secret),
	'a signed list': (event, secret) => signed(bytesOf([event]), secret),
	'no conversation ID': (event, secret, { at }) =>
		signed(bytesOf(withData(event, { conversation_id: [null, '', 7, undefined][at % 4] })), secret),
	'sent too long ago': (event, secret, { at }) => {
		const sentAt = Date.now() - (16 + at) * 60_000;
		return signed(bytesOf({ ...event, sent_at: new Date(sentAt).toISOString() }), secret);
	},
	'no sent_at': (event, secret, { at, text }) =>
		signed(bytesOf({ ...event, sent_at: [null, 7, undefined, `x${text}`][at % 4] }), secret),
	'any bytes, any signature': (_event, _secret, { bytes, at }) =>
		withSignature(Buffer.from(bytes), `sha256=${hmac(Buffer.from(bytes), String(at))}`),
};
