import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Organization } from '../data/organization';
import { talkOf } from '../data/rows';
import { pathOf } from '../http';
import { messageOf, Problem, statusOf } from '../problem';
import { wav } from './audio';
import type { LinkSigner } from './links';
import { transcriptOf } from './transcript';

const noHead = { exposeHeadRoute: false };

/**
 * The object store behind `transcriptUrl` and `audioUrl`: no credentials. Sandbox's own choice: the service's origin,
 * because the nodes open links to this machine only there; the bodies, and 400 for a credential, because object
 * stores refuse two kinds of authorization.
 */
export function mediaRoutes(signer: LinkSigner, organizations: readonly Organization[]) {
	return async (server: FastifyInstance): Promise<void> => {
		server.addHook('preHandler', async (request) => {
			const { authorization, 'x-api-key': xApiKey } = request.headers;
			if (authorization !== undefined || xApiKey !== undefined)
				throw new Problem('Only one authentication mechanism is allowed', 400);
			const verdict = signer.check(request.originalUrl);
			if (verdict === 'expired') throw new Problem('Request has expired', 403);
			if (verdict === 'forged') throw new Problem('Signature does not match', 403);
		});
		server.setErrorHandler(async (error, _request, reply) =>
			reply.code(statusOf(error)).type('text/plain').send(messageOf(error)),
		);

		const find = (request: FastifyRequest) => {
			const id = pathOf(request).replace(/^.*\/|\.[a-z]+$/g, '');
			for (const organization of organizations) {
				const row = organization.findConversation(id);
				if (row) return { seed: organization.seed, row };
			}
			throw new Problem('No such object', 404);
		};
		server.get('/transcripts/:file', noHead, async (request, reply) => {
			const { seed, row } = find(request);
			return reply.type('application/json').send(transcriptOf(seed, row));
		});
		server.get('/audio/:file', noHead, async (request, reply) => {
			const { seed, row } = find(request);
			return reply.type('audio/wav').send(wav(200 + (talkOf(seed, row).duration % 400)));
		});
	};
}
