import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf, pathOf } from './http';

/** A received request. Never contains a key or the query of a presigned link. */
export interface RecordedRequest {
	method: string;
	path: string;
	/** 0 before the response, or when a fault cut the connection. */
	status: number;
	/** ISO 8601. */
	at: string;
	host: 'api' | 'media';
	headersSeen: { authorization: boolean; xApiKey: boolean };
	body?: unknown;
}

/** Bounds memory; more than a large test sends. */
const maxEntries = 50_000;

/** The requests since the last reset, in order of arrival. */
export class RequestLog {
	private entries: RecordedRequest[] = [];
	private readonly byRequest = new WeakMap<FastifyRequest, RecordedRequest>();

	list(filter: { path?: string } = {}): RecordedRequest[] {
		return this.entries.filter((entry) => entry.path.startsWith(filter.path ?? ''));
	}

	count(pathPrefix = ''): number {
		return this.list({ path: pathPrefix }).length;
	}

	reset(): void {
		this.entries = [];
	}

	/** Records a server's requests, except those for the control API and web page. */
	watch(server: FastifyInstance): void {
		server.addHook('onRequest', async (request) => {
			const path = pathOf(request);
			const host = hostOf(path);
			if (!host) return;
			const { method, headers } = request;
			const headersSeen = { authorization: 'authorization' in headers, xApiKey: 'x-api-key' in headers };
			const at = new Date().toISOString();
			const entry: RecordedRequest = { method, path, status: 0, at, host, headersSeen };
			this.byRequest.set(request, entry);
			if (this.entries.length >= maxEntries) this.entries.splice(0, maxEntries / 2);
			this.entries.push(entry);
		});
		server.addHook('preHandler', async (request) => {
			const entry = this.byRequest.get(request);
			if (entry && request.body !== undefined && request.body !== null) entry.body = request.body;
		});
		server.addHook('onResponse', async (request, reply) => {
			const entry = this.byRequest.get(request);
			if (entry) entry.status = reply.raw.writableFinished ? reply.statusCode : 0;
		});
	}
}
