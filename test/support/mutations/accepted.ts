import { deflateSync, gzipSync } from 'node:zlib';
import { bytesOf, escaped, hmac, JSON_TYPE, SIGNATURE, signed, withData, type Make } from './bytes';

/** Deliveries that are signed like the service's and must be accepted. */
export const ACCEPTED: Record<string, Make> = {
	plain: (event, secret) => signed(bytesOf(event), secret),
	whitespace: (event, secret, { at }) =>
		signed(Buffer.from(`\n ${JSON.stringify(event, null, (at % 9) + 1)}\t\r\n`), secret),
	'other characters': (event, secret, { text }) =>
		signed(bytesOf(withData(event, { summary: text })), secret),
	escapes: (event, secret, { text }) => signed(escaped(withData(event, { summary: text })), secret),
	emoji: (event, secret) => signed(bytesOf(withData(event, { summary: '🏠 屋根 \u2028 \u0000' })), secret),
	'extra fields': (event, secret, { json }) =>
		signed(bytesOf({ ...withData(event, { extra: json }), more: json }), secret),
	'null and missing values': (event, secret) =>
		signed(bytesOf(withData(event, { summary: null, customer: null, surveys: undefined })), secret),
	'a clock that is ahead': (event, secret, { at }) =>
		signed(bytesOf({ ...event, sent_at: new Date(Date.now() + (at % 240_000)).toISOString() }), secret),
	gzip: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: gzipSync(body), headers: [...headers, 'Content-Encoding', 'gzip'] };
	},
	deflate: (event, secret) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body: deflateSync(body), headers: [...headers, 'Content-Encoding', 'deflate'] };
	},
	'a header in upper case': (event, secret) => {
		const body = bytesOf(event);
		return { body, headers: [...JSON_TYPE, SIGNATURE.toUpperCase(), `sha256=${hmac(body, secret)}`] };
	},
	'content type with a charset': (event, secret) =>
		signed(bytesOf(event), secret, ['Content-Type', 'application/json; charset=utf-8']),
	'no content type': (event, secret) => signed(bytesOf(event), secret, []),
	'another content type': (event, secret) =>
		signed(bytesOf(event), secret, ['Content-Type', 'application/octet-stream']),
	'a plain text type': (event, secret) => signed(bytesOf(event), secret, ['Content-Type', 'text/plain']),
	'additional headers': (event, secret, { at }) => {
		const { body, headers } = signed(bytesOf(event), secret);
		return { body, headers: [...headers, 'X-Extra', `value ${at}`, 'X-Extra', 'again'] };
	},
};
