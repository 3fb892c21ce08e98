import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** The path without the query, as it came over the wire. */
export function pathOf(request: FastifyRequest): string {
	return request.originalUrl.split('?', 1)[0];
}

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
export function headerOf(request: FastifyRequest, name: string): string | undefined {
	const value = request.headers[name];
	return typeof value === 'string' ? value : undefined;
}

/** True for what belongs to the service, as opposed to the control address and the web page. */
export function isService(host: 'api' | 'media', path: string): boolean {
	return host === 'media' || /^\/(data|crm)(\/|$)/.test(path);
}
