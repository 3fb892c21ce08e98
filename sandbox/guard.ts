import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headerOf, isLoopback } from './http';

/** The name or address in a `Host` header, without port and brackets; empty when it is none. */
const hostName = (host = '') =>
	URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';

/** Whether another site's page sent the request. Other clients, such as curl, send neither header. */
function isCrossOrigin(request: FastifyRequest): boolean {
	const origin = headerOf(request, 'origin');
	const site = headerOf(request, 'sec-fetch-site') ?? 'none';
	if (site !== 'same-origin' && site !== 'none') return true;
	return origin !== undefined && origin !== `${request.protocol}://${request.headers.host}`;
}

/**
 * Keeps other sites that a browser on this machine shows away from the service: by DNS rebinding they would read it, and
 * by a form they would control it.
 */
export function guard(server: FastifyInstance, names: readonly string[]): void {
	server.addHook('onRequest', async (request, reply) => {
		const name = hostName(request.headers.host);
		const own = request.socket.localAddress?.replace(/^::ffff:/, '');
		if (!isLoopback(name) && name !== own && !names.includes(name)) {
			const message = `This service does not answer as "${name}": use localhost, or start it with --allowedHosts ${name}.`;
			return await reply.code(421).send({ message });
		}
		if (request.routeOptions.url?.startsWith('/control/') && isCrossOrigin(request)) {
			const message = 'The control API takes no requests from pages of other sites.';
			return await reply.code(403).send({ message });
		}
	});
}
