import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Attachment, Email } from 'postal-mime';
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

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const nameOf = ({ filename }: Attachment) => filename ?? 'attachment';

/** Recipient, subject and attachments, above what the mail says. */
function headOf({ to, subject, attachments }: Email, id: string): string {
	const links = attachments.map(
		(one, index) => `<a href="/mails/${id}/${index}" download>${escaped(nameOf(one))}</a>`,
	);
	const lines = [
		['To', escaped(to?.map(({ address }) => address).join(', ') ?? '')],
		['Subject', escaped(subject ?? '')],
		['Attachments', links.join(', ')],
	];
	const rows = lines
		.filter(([, value]) => value)
		.map(([name, value]) => `<div><b>${name}:</b> ${value}</div>`);
	return `<!doctype html><title>${escaped(subject ?? 'Mail')}</title>${rows.join('')}<hr>`;
}

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
			mails: mails.map(({ subject, to, date, attachments }, id) => ({
				id,
				subject: subject ?? 'No subject',
				to: to?.map(({ address }) => address).join(', '),
				date,
				attachments: attachments.map(nameOf),
			})),
		}));
		server.get<ById>('/mails/:id', async ({ params }, reply) => {
			const mail = mails[Number(params.id)];
			if (!mail) return await reply.code(404).send({ message: 'There is no such mail.' });
			return await reply
				.type('text/html; charset=utf-8')
				.header('content-security-policy', MAIL_POLICY)
				.send(headOf(mail, params.id) + (mail.html ?? `<pre>${escaped(mail.text ?? '')}</pre>`));
		});
		server.get<ById & { Params: { index: string } }>('/mails/:id/:index', async ({ params }, reply) => {
			const attachment = mails[Number(params.id)]?.attachments[Number(params.index)];
			if (!attachment) return await reply.code(404).send({ message: 'There is no such attachment.' });
			const name = encodeURIComponent(nameOf(attachment));
			return await reply
				.type('application/octet-stream')
				.header('content-disposition', `attachment; filename*=UTF-8''${name}`)
				.send(Buffer.from(attachment.content as Uint8Array));
		});
	};
