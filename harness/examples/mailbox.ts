import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
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
			void read(stream).then((mail) => {
				mails.push(mail);
				done();
			}, done);
		},
	});
	const listener = server.listen(0, '127.0.0.1');
	await once(listener, 'listening');
	return {
		port: (listener.address() as AddressInfo).port,
		mails,
		close: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<Email> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return await PostalMime.parse(Buffer.concat(chunks));
}
