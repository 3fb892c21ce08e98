import { createHmac } from 'node:crypto';

/** A mutated delivery, and whether the trigger must accept it. */
export interface Mutation {
	kind: string;
	accept: boolean;
	body: Buffer;
	/** Alternating names and values, so that a header can occur twice. */
	headers: string[];
}

export const SIGNATURE = 'X-Service-Signature';
export const JSON_TYPE = ['Content-Type', 'application/json'];

/** Lowercase hex digits of the HMAC. */
export const hmac = (bytes: Buffer, secret: string, algorithm = 'sha256') =>
	createHmac(algorithm, secret).update(bytes).digest('hex');

/** Creates a delivery of an event with a secret that the trigger knows. */
export type Make = (event: object, secret: string, fuzz: Fuzz) => Pick<Mutation, 'body' | 'headers'>;

/** Random values. */
export interface Fuzz {
	text: string;
	bytes: Uint8Array;
	at: number;
	json: unknown;
}

export const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
/** A body with any signature. */
export const withSignature = (body: Buffer, value: string, type = JSON_TYPE) => ({
	body,
	headers: [...type, SIGNATURE, value],
});
/** A body signed like the service does. */
export const signed = (body: Buffer, secret: string, type = JSON_TYPE) =>
	withSignature(body, `sha256=${hmac(body, secret)}`, type);
/** The event with changed data. */
export const withData = (event: object, data: object) => ({
	...event,
	data: { ...(event as { data: object }).data, ...data },
});
/** JSON with all non-ASCII characters escaped: other bytes for the same event. */
export const escaped = (value: unknown) =>
	Buffer.from(
		JSON.stringify(value).replace(
			/[^\x20-\x7e]/g,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
	);
/** Flips one bit. */
export function flipped(bytes: Buffer, at: number): Buffer {
	const changed = Buffer.from(bytes);
	changed[at % changed.length] ^= 1 << at % 8;
	return changed;
}
