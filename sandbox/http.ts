import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf, statusOf } from './problem';

/** The path as received, without the query. */
export const pathOf = (request: FastifyRequest) => request.originalUrl.split('?', 1)[0];

/** False for a path with a broken percent-encoding, such as `/%E0%A4%A`. */
export function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}

/** For `rewriteUrl`: escapes a path that cannot be decoded, which Fastify would refuse before any hook. */
export function routableUrl({ url = '/' }: IncomingMessage): string {
	const [path] = url.split('?', 1);
	return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

/** A header's value as received. Node has already trimmed it. */
export const headerOf = (request: FastifyRequest, name: string) => request.headers[name]?.toString();

/** Whether the host name of a URL, with or without brackets, means this machine. */
export const isLoopback = (name: string) =>
	['localhost', '::1', '[::1]'].includes(name) || /^127(\.\d{1,3}){3}$/.test(name);

/** The part of the service that a path belongs to, if it is not the control API or web page. */
export function hostOf(path: string): 'api' | 'media' | undefined {
	if (/^\/(data|crm)(\/|$)/.test(path)) return 'api';
	return /^\/(audio|transcripts)\//.test(path) ? 'media' : undefined;
}

/** For Fastify's `setErrorHandler`: sends the message and the invalid fields as JSON. */
export const sendError = async (error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
	reply.code(statusOf(error)).send({ message: messageOf(error), fields: Object(error).fields });

/** The response of a control route without a result. */
export const done = (nothing: void) => ({ done: nothing === undefined });
