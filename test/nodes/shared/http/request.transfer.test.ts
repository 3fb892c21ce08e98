import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { scriptedEngine } from '../../../support/engine/fixtures';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { DELETE, runAppointments } from '../../ConversationIntelligenceAppointments/mapping';

// n8n's own helper, in whose time limit each byte counts, and which has no limit of size.
describe('A response', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligenceAppointments]);
	const usePolicy = (policy: object) => {
		for (const [name, value] of Object.entries(policy)) {
			jest.replaceProperty(POLICY as unknown as Record<string, unknown>, name, value);
		}
	};
	beforeEach(() => usePolicy({ maxRetries: { failed: 0, refused: 0, timedOut: 0 }, maxResponseMb: 1 }));

	const detailsOf = async () => {
		const { items, error } = await runAppointments(engine, DELETE, [{ id: 'a' }]);
		return error ? error.context?.details : items[0].json;
	};
	/** Writes to the connection until the node closes it; resolves then. */
	const drip = (write: (response: ServerResponse) => void) => {
		let settle = () => {};
		const closed = new Promise<void>((resolve) => (settle = resolve));
		const scripted: ScriptedResponse = async (request, response) => {
			request.socket.on('close', settle);
			write(response);
			for await (const isOpen of setInterval(200, true)) {
				if (!isOpen || request.socket.destroyed) return;
				write(response);
			}
		};
		return { scripted, closed };
	};

	test.each<[string, (response: ServerResponse) => void]>([
		['that drips its body', (response) => void response.write('.')],
		['that drips its headers', (response) => void response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n')],
		['that stops in its body', (response) => void (response.headersSent || response.write('.'))],
	])(
		'%s ends at a time limit, with its connection',
		async (_what, write) => {
			usePolicy({ stalledAfterMs: 1000, drippingAfterMs: 1000 });
			const { scripted, closed } = drip(write);
			server.respond([scripted]);
			expect(await detailsOf()).toMatchObject({ code: 'service_silent', retryable: true });
			await closed;
		},
		15_000,
	);

	test.each([
		[2 ** 20, 'as it is', undefined],
		[2 ** 20 + 1, 'as it is', 'response_unreadable'],
		[2 ** 20, 'compressed', undefined],
		[200 * 2 ** 20, 'compressed', 'response_unreadable'],
	])('of %i bytes, %s, is read up to a limit', async (bytes, form, code) => {
		const body = Buffer.alloc(bytes, ' ');
		server.respond([
			(_request, response) => {
				const isGzip = form === 'compressed';
				response.writeHead(200, isGzip ? { 'content-encoding': 'gzip' } : {});
				response.end(isGzip ? gzipSync(body) : body);
			},
		]);
		expect(await detailsOf()).toMatchObject(code === undefined ? { deleted: true } : { code, status: 200 });
	});
});
