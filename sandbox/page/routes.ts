import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Addresses, buildConversation } from '../data/conversation';
import type { Organization } from '../data/organization';

const folder = join(__dirname, 'files');
const types: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};
// All resources come from the sandbox, so the page works without a network.
const policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The web page at `{url}/`, in place of the service's web app. It has no build step. */
export const pageRoutes =
	(organization: Organization, addresses: Addresses) => async (server: FastifyInstance) => {
		const serve = (path: string, file: string) =>
			server.get(path, async (_request, reply) =>
				reply
					.type(types[extname(file)])
					.header('content-security-policy', policy)
					.header('cache-control', 'no-cache')
					.send(await readFile(join(folder, file))),
			);
		serve('/', 'index.html');
		// `serviceUrl` and `conversation_url` of D1 lead here.
		server.get<{ Params: { id: string } }>('/app/conversations/:id', async ({ params }, reply) => {
			const conversation = buildConversation(organization, organization.conversation(params.id), addresses);
			return reply.type('application/json; charset=utf-8').send(JSON.stringify(conversation, null, 2));
		});
		// One route per existing file, so that no other path can be requested.
		for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
			if (extname(file) in types) serve(`/${file}`, file);
		}
	};
