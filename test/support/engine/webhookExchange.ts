import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { jsonParse, type INode } from 'n8n-workflow';

/** A delivery to a webhook. */
export interface WebhookCall {
	body?: Buffer;
	headers?: IncomingHttpHeaders;
	mode?: 'webhook' | 'manual';
	/** What reading the body throws, e.g. for one that is too large. */
	unreadable?: Error;
	/** Of the trigger that receives it, if not the usual one. */
	node?: Partial<INode>;
	workflowId?: string;
	/** The usual one records what is sent. */
	response?: RecordedResponse;
}

/** Creates a request like n8n passes to nodes: with headers, raw bytes, and the parsed body if it is JSON. */
export function createRequest({ body: rawBody, headers = {}, unreadable }: WebhookCall) {
	const body = rawBody && jsonParse<unknown>(rawBody.toString(), { fallbackValue: null });
	const readRawBody = async () => {
		if (unreadable) throw unreadable;
	};
	return { headers, query: {}, params: {}, rawBody, body, readRawBody };
}

/** Records a node's response: what a node uses of Express's, and what it emits. */
export class RecordedResponse extends EventEmitter {
	statusCode = 200;
	body: unknown;
	closed = false;
	headersSent = false;
	writableFinished = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.body = body;
		return this.end();
	}

	end(): this {
		this.headersSent = this.writableFinished = true;
		return this.abort();
	}

	/** Closes the connection; alone, before the response is sent. */
	abort(): this {
		this.closed = true;
		this.emit('close');
		return this;
	}
}
