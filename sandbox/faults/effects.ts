import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Control } from '../control/control';
import type { FaultKind, FaultRequest } from './fault';

export interface Strike {
	fault: FaultRequest;
	request: FastifyRequest;
	reply: FastifyReply;
	control: Control;
}

export interface Effect {
	/** Runs before the service sees the request. True when it has sent the response. */
	before?(strike: Strike): boolean | Promise<boolean>;
	/** Runs after the service has done its work. Returns the payload to send instead. */
	answer?(strike: Strike, payload: unknown): unknown;
}

/** Responds instead of the service, with the fault's own status if it has one. */
const answering = (status: number, type: string, body: string): Effect => ({
	before: ({ fault, reply }) => {
		const { retryAfterSeconds: seconds, retryAfterAs } = fault;
		if (seconds !== undefined) {
			const date = new Date(Date.now() + seconds * 1000).toUTCString();
			reply.header('retry-after', retryAfterAs === 'date' ? date : String(seconds));
		}
		void reply
			.code(fault.status ?? status)
			.type(type)
			.send(body);
		return true;
	},
});

const page =
	'<!doctype html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n';

async function* partsOf(payload: unknown): AsyncGenerator<Buffer> {
	if (payload instanceof Readable) for await (const part of payload) yield Buffer.from(part);
	else if (typeof payload === 'string' || Buffer.isBuffer(payload)) yield Buffer.from(payload);
}

async function* cutInHalf(payload: unknown, length: number): AsyncGenerator<Buffer> {
	let left = Math.floor(length / 2);
	for await (const part of partsOf(payload)) {
		yield part.subarray(0, left);
		left -= part.length;
		if (left <= 0) break;
	}
	throw new Error('Cut on purpose.');
}

async function* slowed(payload: unknown, bytesPerSecond: number): AsyncGenerator<Buffer> {
	const step = Math.max(1, Math.floor(bytesPerSecond / 20));
	for await (const part of partsOf(payload)) {
		for (let start = 0; start < part.length; start += step) {
			yield part.subarray(start, start + step);
			await wait(50);
		}
	}
}

/** What each kind of fault does. Bodies are the sandbox's own choice. */
export const effects: Record<FaultKind, Effect> = {
	latency: {
		// Measured from the request's arrival, so it includes the service's own work.
		answer: async ({ fault, reply }, payload) => {
			await wait(Math.max(0, (fault.milliseconds ?? 1000) - reply.elapsedTime));
			return payload;
		},
	},
	tooManyRequests: answering(429, 'text/plain', 'Too Many Requests'),
	serverError: answering(500, 'text/plain', 'Internal Server Error'),
	htmlPage: answering(502, 'text/html', page),
	brokenJson: answering(200, 'application/json', '{"currentPage": 1, "conv'),
	expiredLink: answering(403, 'text/plain', 'Request has expired'),
	connectionReset: {
		before: ({ request, reply }) => {
			reply.hijack();
			request.raw.socket.resetAndDestroy();
			return true;
		},
	},
	lostAnswer: {
		answer: ({ request }, payload) => {
			request.raw.socket.resetAndDestroy();
			return payload;
		},
	},
	truncatedBody: {
		answer: ({ reply }, payload) => {
			const given = Number(reply.getHeader('content-length'));
			const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
			const length = given || Buffer.byteLength(isWhole ? payload : '');
			reply.header('content-length', length);
			return Readable.from(cutInHalf(payload, length), { objectMode: false });
		},
	},
	slowAudio: {
		answer: ({ fault }, payload) => {
			if (!(payload instanceof Readable)) return payload;
			return Readable.from(slowed(payload, fault.bytesPerSecond ?? 16_000), { objectMode: false });
		},
	},
	insertConversations: {
		before: ({ fault: { count, position = 0, date, fields }, control }) => {
			insertNow(control, { count, date: date ?? control.dateBefore(position, count), fields });
			return false;
		},
	},
	removeConversations: {
		before: ({ fault, control }) => {
			control.removeConversations(...control.conversationIds(fault.position ?? 0, fault.count ?? 1));
			return false;
		},
	},
	swapConversations: {
		before: ({ fault: { count = 1, position = 0, date, fields }, control }) => {
			control.removeConversations(...control.conversationIds(position, count));
			insertNow(control, { count, date: date ?? control.dateBefore(Infinity), fields });
			return false;
		},
	},
	clockAhead: {
		answer: ({ fault, reply }, payload) => {
			reply.header('date', new Date(Date.now() + (fault.milliseconds ?? 1000)).toUTCString());
			return payload;
		},
	},
	unreadableRow: {
		answer: ({ fault: { text = '', status }, reply }, payload) => {
			if (!Buffer.isBuffer(payload) || !payload.includes(text)) return payload;
			reply.code(status ?? 500).type('text/plain');
			return 'Internal Server Error';
		},
	},
};

/** Adds conversations that were processed just now, regardless of when they were recorded. */
function insertNow(control: Control, given: Parameters<Control['insertConversations']>[0]): void {
	control.insertConversations({ ...given, processedDate: new Date().toISOString() });
}
