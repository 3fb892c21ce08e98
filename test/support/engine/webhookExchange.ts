import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** What a webhook test sends. */
export interface WebhookCall {
	body?: Buffer;
	headers?: IncomingHttpHeaders;
	query?: Record<string, string>;
	mode?: 'webhook' | 'manual';
	/** Which trigger of which workflow receives it, if not the usual one. */
	nodeId?: string;
	workflowId?: string;
}

/** The request as n8n hands it to a node: parsed headers, raw bytes, body parsed where it is JSON. */
export function createRequest({ body = Buffer.alloc(0), headers = {}, query = {} }: WebhookCall) {
	return Object.assign(new EventEmitter(), {
		method: 'POST',
		headers,
		query,
		params: {},
		rawBody: body,
		body: parse(body),
		contentType: headers['content-type'],
		readRawBody: async () => {},
	});
}

function parse(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString()) as unknown;
	} catch {
		return undefined;
	}
}

/** Records what a node answers; `finish` and `close` fire as on a real response. */
export class RecordedResponse extends EventEmitter {
	statusCode = 200;
	headers: Record<string, unknown> = {};
	body: unknown;
	ended = false;
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

	/** The answer left in full, as `finish` then `close` tell. */
	end(body?: unknown): this {
		this.body = body ?? this.body;
		this.ended = this.headersSent = this.writableFinished = this.writableEnded = true;
		this.emit('finish');
		this.emit('close');
		return this;
	}

	/** The connection broke before the answer left. */
	abort(): this {
		this.emit('close');
		return this;
	}
}
