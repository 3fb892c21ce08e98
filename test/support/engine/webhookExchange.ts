import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** A delivery to a webhook. */
export interface WebhookCall {
	body?: Buffer;
	headers?: IncomingHttpHeaders;
	query?: Record<string, string>;
	mode?: 'webhook' | 'manual';
	/** What reading the body throws, e.g. for one that is too large. */
	unreadable?: Error;
	/** Which trigger of which workflow receives it, if not the usual one. */
	nodeId?: string;
	workflowId?: string;
}

/** Creates a request like n8n passes to nodes: with headers, raw bytes, and the parsed body if it is JSON. */
export function createRequest({ body, headers = {}, query = {}, unreadable }: WebhookCall) {
	return Object.assign(new EventEmitter(), {
		method: 'POST',
		headers,
		query,
		params: {},
		rawBody: body,
		body: body && parse(body),
		contentType: headers['content-type'],
		readRawBody: async () => {
			if (unreadable) throw unreadable;
		},
	});
}

function parse(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString()) as unknown;
	} catch {
		return undefined;
	}
}

/** Records a node's response. Emits `finish` and `close` like a real response. */
export class RecordedResponse extends EventEmitter {
	statusCode = 200;
	headers: Record<string, unknown> = {};
	body: unknown;
	ended = false;
	closed = false;
	headersSent = false;
	writableFinished = false;
	writableEnded = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(name: string, value: unknown): this {
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	set(name: string, value: unknown): this {
		return this.setHeader(name, value);
	}

	type(value: string): this {
		return this.setHeader('content-type', value);
	}

	json(body: unknown): this {
		return this.end(body);
	}

	send(body?: unknown): this {
		return this.end(body);
	}

	/** Completes the response: emits `finish`, then `close`. */
	end(body?: unknown): this {
		this.body = body ?? this.body;
		this.ended = this.headersSent = this.writableFinished = this.writableEnded = true;
		this.emit('finish');
		return this.close();
	}

	/** Breaks the connection before the response is sent. */
	abort(): this {
		return this.close();
	}

	private close(): this {
		this.closed = true;
		this.emit('close');
		return this;
	}
}
