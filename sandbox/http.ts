import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf, statusOf } from './problem';

/** The path without the query, as it came over the wire. */
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

/**
 * For Fastify's `rewriteUrl`: a path that cannot be decoded is routed as the text that it is. Fastify would
 * answer it before any hook, which means before the gateway, the export API's key check and the request log.
 */
export function routableUrl({ url = '/' }: IncomingMessage): string {
	const [path] = url.split('?', 1);
	return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

/** A header's only value as it came over the wire; Node's own parser has already removed the outer blanks. */
export const headerOf = (request: FastifyRequest, name: string) => request.headers[name]?.toString();

/** True for what belongs to the service, as opposed to the control address and the web page. */
export const isService = (host: 'api' | 'media', path: string) =>
	host === 'media' || /^\/(data|crm)(\/|$)/.test(path);

/** For Fastify's `setErrorHandler`: a JSON object with the message. */
export const answerError = async (error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
	reply.code(statusOf(error)).send({ message: messageOf(error) });

/** The answer of a control route that returns nothing. */
export const done = (nothing: void) => ({ done: nothing === undefined });
