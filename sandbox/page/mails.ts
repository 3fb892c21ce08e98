import type { FastifyInstance } from 'fastify';
import type { Email } from 'postal-mime';

/** A mail brings its own styles and loads nothing else. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The mails for the page's list, and each as a page of its own, as a mail client would show it. */
export function mailRoutes(mails: readonly Email[]) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/control/mails', async () => ({
			mails: mails.map(({ subject, to, date }, id) => ({
				id,
				subject: subject ?? 'No subject',
				to: to?.map(({ address }) => address).join(', '),
				date,
			})),
		}));
		server.get<{ Params: { id: string } }>('/mails/:id', async ({ params }, reply) => {
			const mail = mails[Number(params.id)];
			if (!mail) return await reply.code(404).send({ message: 'There is no such mail.' });
			const type = mail.html ? 'text/html' : 'text/plain';
			return await reply
				.type(`${type}; charset=utf-8`)
				.header('content-security-policy', policy)
				.send(mail.html ?? mail.text ?? '');
		});
	};
}
