import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Email } from 'postal-mime';
import { buildConversation } from '../data/conversation';
import type { Organization } from '../data/organization';

const PACKAGES = '../../../node_modules';
/** The type and file of each path. */
const FILES = {
	'/': ['text/html', 'index.html'],
	'/icon.svg': ['image/svg+xml', 'icon.svg'],
	'/page.css': ['text/css', 'page.css'],
	'/page.js': ['text/javascript', 'page.js'],
	'/pico.css': ['text/css', `${PACKAGES}/@picocss/pico/css/pico.min.css`],
	'/preact.js': ['text/javascript', `${PACKAGES}/htm/preact/standalone.module.js`],
};
// All resources come from the sandbox, so the page works without a network. Pico's style has its icons inside.
const POLICY =
	"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A mail brings its own styles and loads nothing else. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

interface ById {
	Params: { id: string };
}

/** The web page at `{url}/`, in place of the service's web app, and what it links to. It has no build step. */
export const pageRoutes =
	(organization: Organization, mails: readonly Email[]) => async (server: FastifyInstance) => {
		for (const [path, [type, file]] of Object.entries(FILES)) {
			server.get(path, async (_request, reply) =>
				reply
					.type(`${type}; charset=utf-8`)
					.header('content-security-policy', POLICY)
					.header('cache-control', 'no-cache')
					.send(await readFile(join(__dirname, 'files', file))),
			);
		}
		// `serviceUrl` and `conversation_url` of D1 lead here.
		server.get<ById>('/app/conversations/:id', async ({ params }, reply) => {
			const conversation = buildConversation(organization, organization.conversation(params.id));
			return reply.type('application/json; charset=utf-8').send(JSON.stringify(conversation, null, 2));
		});
		server.get('/control/mails', async () => ({
			mails: mails.map(({ subject, to, date }, id) => ({
				id,
				subject: subject ?? 'No subject',
				to: to?.map(({ address }) => address).join(', '),
				date,
			})),
		}));
		server.get<ById>('/mails/:id', async ({ params }, reply) => {
			const mail = mails[Number(params.id)];
			if (!mail) return await reply.code(404).send({ message: 'There is no such mail.' });
			return await reply
				.type(`${mail.html ? 'text/html' : 'text/plain'}; charset=utf-8`)
				.header('content-security-policy', MAIL_POLICY)
				.send(mail.html ?? mail.text ?? '');
		});
	};
