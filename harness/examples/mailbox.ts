import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/**
 * Starts a mail server that accepts every message and keeps it, on a free port of the loopback address, without
 * encryption or sign-in.
 */
export async function startMailbox(mails: Email[] = []) {
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			const keep = async () => void mails.push(await PostalMime.parse(await buffer(stream)));
			void keep().then(() => done(), done);
		},
	});
	const listener = server.listen(0, '127.0.0.1');
	await once(listener, 'listening');
	const close = async () => await new Promise<void>((resolve) => server.close(() => resolve()));
	return { port: (listener.address() as AddressInfo).port, mails, close };
}
