import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerOf } from '../http';
import type { FaultKind, FaultRequest } from './fault';

/** Requests that a key can send now, as of a time. */
export type Buckets = Map<string, { tokens: number; at: number }>;

export interface Strike {
	fault: FaultRequest;
	/** Of the fault, by key. */
	buckets: Buckets;
	request: FastifyRequest;
	reply: FastifyReply;
}

export interface Effect {
	/** Runs before the service sees the request. True when it has sent the response. */
	before?(strike: Strike): boolean | Promise<boolean>;
	/** Runs after the service has done its work. Returns the payload to send instead. */
	after?(strike: Strike, payload: unknown): unknown;
}

/** Responds instead of the service, with the fault's own status and text if it has them. */
const responding = (status: number, type: string, body: string): Effect => ({
	before: ({ fault, reply }) => {
		const { retryAfterSeconds: seconds } = fault;
		if (seconds !== undefined) reply.header('retry-after', String(seconds));
		void reply
			.code(fault.status ?? status)
			.type(type)
			.send(fault.text ?? body);
		return true;
	},
});

const page =
	'<!doctype html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n';

async function* firstHalf(body: Buffer, end: () => Promise<unknown>): AsyncGenerator<Buffer> {
	yield body.subarray(0, Math.floor(body.length / 2));
	await end();
}

/** Sends the headers and half of the body, then does this. */
const halved = (end: (reply: FastifyReply) => Promise<unknown>): Effect => ({
	after: ({ reply }, payload) => {
		const body = Buffer.from(payload as string | Buffer);
		reply.header('content-length', body.length);
		return Readable.from(
			firstHalf(body, () => end(reply)),
			{ objectMode: false },
		);
	},
});

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const mapValues = (row: Row, change: (value: unknown) => unknown) =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));

/** Text for a number, and a number for a boolean. */
const wrongType = (value: unknown) =>
	typeof value === 'number' ? 'wrong' : typeof value === 'boolean' ? 1 : value;

/** Changes the first row of each list in a JSON response, or its only row. */
const changing = (change: (row: Row, fields: Row | undefined) => unknown): Effect => ({
	after: ({ fault: { fields }, reply }, payload) => {
		if (!String(reply.getHeader('content-type')).includes('json')) return payload;
		const inList = (value: unknown) =>
			Array.isArray(value)
				? value.map((row, index) => (index === 0 && isRow(row) ? change(row, fields) : row))
				: value;
		const data: unknown = JSON.parse(String(payload));
		if (!isRow(data)) return JSON.stringify(inList(data));
		return JSON.stringify('conversationId' in data ? change(data, fields) : mapValues(data, inList));
	},
});

const tooManyRequests = responding(429, 'text/plain', 'Too Many Requests');

function takesToken({ fault: { ratePerSecond = 10, burst = 20 }, buckets, request }: Strike): boolean {
	const key = headerOf(request, 'x-api-key') ?? headerOf(request, 'authorization') ?? '';
	const now = performance.now();
	const bucket = buckets.get(key) ?? { tokens: burst, at: now };
	const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * ratePerSecond);
	buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
	return tokens >= 1;
}

/** What each kind of fault does. Bodies are the sandbox's own choice. */
export const effects: Record<FaultKind, Effect> = {
	latency: {
		// Measured from the request's arrival, so it includes the service's own work.
		after: async ({ fault, reply }, payload) => {
			await wait(Math.max(0, (fault.milliseconds ?? 1000) - reply.elapsedTime));
			return payload;
		},
	},
	tooManyRequests,
	// The gateway's usage plan (D2 § Limits): one token bucket per key. Sandbox's own choice: no Retry-After.
	usagePlan: { before: (strike) => !takesToken(strike) && tooManyRequests.before!(strike) },
	serverError: responding(500, 'text/plain', 'Internal Server Error'),
	htmlPage: responding(502, 'text/html', page),
	brokenJson: responding(200, 'application/json', '{"currentPage": 1, "conv'),
	connectionReset: {
		before: ({ request, reply }) => {
			reply.hijack();
			request.raw.socket.resetAndDestroy();
			return true;
		},
	},
	lostResponse: {
		after: ({ request }, payload) => {
			request.raw.socket.resetAndDestroy();
			return payload;
		},
	},
	truncatedBody: halved(() => Promise.reject(new Error('Cut on purpose.'))),
	stalledBody: halved((reply) => once(reply.raw, 'close')),
	stall: {
		before: ({ reply }) => {
			reply.hijack();
			return true;
		},
	},
	unreadableRow: {
		after: ({ fault: { text = '', status }, reply }, payload) => {
			if (!Buffer.isBuffer(payload) || !payload.includes(text)) return payload;
			reply.code(status ?? 500).type('text/plain');
			return 'Internal Server Error';
		},
	},
	changedRow: changing((row, fields) => ({ ...row, ...fields })),
	nullRow: changing(() => null),
	wrongTypes: changing((row) => mapValues(row, wrongType)),
};
