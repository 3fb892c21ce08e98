import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { processedEvent, sign } from '../../harness/webhook/deliveries';

export interface SentDelivery {
	body: Buffer;
	/** Alternating names and values, so that a header can occur twice. */
	headers: string[];
}

const SIGNATURE = 'X-Service-Signature';
const JSON_TYPE = ['Content-Type', 'application/json'];

/** Deliveries whose result depends on how n8n reads bodies and headers, each of an event of its own, by what is special. */
export function deliveriesAsRead(secret: string) {
	const newBody = (indent?: string) =>
		Buffer.from(JSON.stringify(processedEvent(randomUUID(), { summary: '🏠 屋根 \u2028 \0' }), null, indent));
	const signed = (body: Buffer, ...more: string[]): SentDelivery => ({
		body,
		headers: [SIGNATURE, sign(body, secret), ...more],
	});
	const typed = (...type: string[]) => signed(newBody(), ...type);
	const asJson = (body = newBody()) => signed(body, ...JSON_TYPE);
	const packed = (pack: (body: Buffer) => Buffer, encoding: string): SentDelivery => {
		const { body, headers } = asJson();
		return { body: pack(body), headers: [...headers, 'Content-Encoding', encoding] };
	};
	const written = asJson(newBody('\t'));
	const { body, headers } = asJson();
	return {
		accepted: {
			'plain JSON': asJson(),
			'JSON with whitespace': asJson(newBody('  ')),
			'a content type with a charset': typed('Content-Type', 'application/json; charset=utf-8'),
			'no content type': typed(),
			'another content type': typed('Content-Type', 'application/octet-stream'),
			'a plain text type': typed('Content-Type', 'text/plain'),
			gzip: packed(gzipSync, 'gzip'),
			deflate: packed(deflateSync, 'deflate'),
			'a header twice': typed(...JSON_TYPE, 'X-Extra', 'one', 'X-Extra', 'two'),
			'a signature header in upper case': { body, headers: [SIGNATURE.toUpperCase(), ...headers.slice(1)] },
		},
		refused: {
			'an empty body': asJson(Buffer.alloc(0)),
			'JSON written again': {
				...written,
				body: Buffer.from(JSON.stringify(JSON.parse(String(written.body)))),
			},
			'a cut body': { headers, body: body.subarray(0, 100) },
			'the same signature twice': { body, headers: [...headers, ...headers.slice(0, 2)] },
			'a second, wrong signature': { body, headers: [...headers, SIGNATURE, `sha256=${'0'.repeat(64)}`] },
			'a signature of the compressed bytes': signed(gzipSync(body), ...JSON_TYPE, 'Content-Encoding', 'gzip'),
			'broken gzip': packed((bytes) => gzipSync(bytes).subarray(0, 20), 'gzip'),
			'gzip that is none': packed((bytes) => bytes, 'gzip'),
		},
	};
}
