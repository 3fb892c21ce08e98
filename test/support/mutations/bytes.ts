import { createHmac } from 'node:crypto';

/** One mutated delivery and whether the trigger must take it. */
export interface Mutation {
	kind: string;
	accept: boolean;
	body: Buffer;
	/** Name and value in turn, so that a header can be there twice. */
	headers: string[];
}

export const SIGNATURE = 'X-Service-Signature';
export const JSON_TYPE = ['Content-Type', 'application/json'];

/** Lowercase hex digits of the HMAC. */
export const hmac = (bytes: Buffer, secret: string, algorithm = 'sha256') =>
	createHmac(algorithm, secret).update(bytes).digest('hex');

/** Makes a delivery of an event, with a secret that the trigger knows. */
export type Make = (event: object, secret: string, fuzz: Fuzz) => Pick<Mutation, 'body' | 'headers'>;

/** What is random about it. */
export interface Fuzz {
	text: string;
	bytes: Uint8Array;
	at: number;
	json: unknown;
}

/** A value as JSON. */
export const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
/** A body with any value as its signature. */
export const withSignature = (body: Buffer, value: string, type = JSON_TYPE) => ({
	body,
	headers: [...type, SIGNATURE, value],
});
/** A body signed as the service does it. */
export const signed = (body: Buffer, secret: string, type = JSON_TYPE) =>
	withSignature(body, `sha256=${hmac(body, secret)}`, type);
/** The event with other data. */
export const withData = (event: object, data: object) => ({
	...event,
	data: { ...(event as { data: object }).data, ...data },
});
/** Every character beyond ASCII as an escape: other bytes, the same event. */
export const escaped = (value: unknown) =>
	Buffer.from(
		JSON.stringify(value).replace(
			/[^\x20-\x7e]/g,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
	);
/** Changes one byte to another one. */
export function flipped(bytes: Buffer, at: number): Buffer {
	const changed = Buffer.from(bytes);
	changed[at % changed.length] ^= 1 << at % 8;
	return changed;
}
