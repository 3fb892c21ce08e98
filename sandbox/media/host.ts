import Fastify, { type FastifyInstance } from 'fastify';
import type { Organization } from '../data/organization';
import { talkOf } from '../data/rows';
import { pathOf, routableUrl } from '../paths';
import { wavBytes, wavStream } from './audio';
import type { LinkSigner } from './links';
import { transcriptOf } from './transcript';

export interface MediaHostParts {
	signer: LinkSigner;
	organizations: readonly Organization[];
	audioSeconds: number;
	/** Called before the host's own hooks are set, so that faults come first. */
	watch(server: FastifyInstance): void;
}

/**
 * The object store behind `transcriptUrl` and `audioUrl`: another origin, no credential. Sandbox's own
 * choice: the bodies, and 400 for a credential, as object stores answer two kinds of authorization at once.
 */
export function makeMediaHost({
	signer,
	organizations,
	audioSeconds,
	watch,
}: MediaHostParts): FastifyInstance {
	const server = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false, rewriteUrl: routableUrl });
	watch(server);

	server.addHook('preHandler', async (request, reply) => {
		const { authorization, 'x-api-key': xApiKey } = request.headers;
		if (authorization !== undefined || xApiKey !== undefined) {
			return reply.code(400).type('text/plain').send('Only one authentication mechanism is allowed');
		}
		const verdict = signer.check(request.originalUrl);
		if (verdict === 'expired') return reply.code(403).type('text/plain').send('Request has expired');
		if (verdict === 'forged') return reply.code(403).type('text/plain').send('Signature does not match');
	});

	const find = (id: string) => {
		for (const organization of organizations) {
			const row = organization.findConversation(id);
			if (row) return { organization, row };
		}
		return undefined;
	};
	const idIn = (path: string) => path.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

	server.get('/transcripts/:file', async (request, reply) => {
		const found = find(idIn(pathOf(request)));
		if (!found) return reply.code(404).type('text/plain').send('No such object');
		return reply.type('application/json').send(transcriptOf(found.organization, found.row));
	});

	server.get('/audio/:file', async (request, reply) => {
		const found = find(idIn(pathOf(request)));
		if (!found) return reply.code(404).type('text/plain').send('No such object');
		const pitch = 200 + (talkOf(found.organization, found.row).duration % 400);
		return reply
			.type('audio/wav')
			.header('content-length', wavBytes(audioSeconds))
			.send(wavStream(audioSeconds, pitch));
	});

	server.setNotFoundHandler(async (_request, reply) =>
		reply.code(404).type('text/plain').send('No such object'),
	);
	return server;
}
