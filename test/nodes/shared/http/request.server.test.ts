import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { DELETE, runAppointments } from '../../ConversationIntelligenceAppointments/mapping';

// n8n's own helper, in whose time limit each byte counts, and which has no limit of size.
describe('A response', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligenceAppointments]);
	const usePolicy = (policy: object) => {
		for (const [name, value] of Object.entries(policy)) {
			jest.replaceProperty(POLICY as unknown as Record<string, unknown>, name, value);
		}
	};
	beforeEach(() => usePolicy({ maxRetries: { failed: 0, refused: 0, timedOut: 0 } }));

	const detailsOf = async (
		response: (response: ServerResponse, socket: ServerResponse['socket']) => void,
	) => {
		server.respond([(request, sent) => response(sent, request.socket)]);
		const { items, error } = await runAppointments(engine, DELETE, [{ id: 'a' }]);
		return error ? error.context?.details : items[0].json;
	};

	test.each<[string, (response: ServerResponse) => void]>([
		['drips its body', (response) => void response.write('.')],
		['drips its headers', (response) => void response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n')],
		['stops in its body', (response) => void (response.headersSent || response.write('.'))],
	])('that %s ends at a time limit, with its connection', async (_what, write) => {
		usePolicy({ stalledAfterMs: 1000, drippingAfterMs: 1000 });
		let closed: Promise<unknown> | undefined;
		const details = await detailsOf(async (response, socket) => {
			closed = once(socket!, 'close');
			for await (const isOpen of setInterval(200, true)) {
				if (!isOpen || socket!.destroyed) return;
				write(response);
			}
		});
		expect(details).toMatchObject({ code: 'service_silent', retryable: true });
		await closed;
	});

	test('that keeps coming is read for longer than it may stall', async () => {
		usePolicy({ stalledAfterMs: 1000 });
		const details = await detailsOf(async (response) => {
			let bytes = 0;
			for await (const isOpen of setInterval(200, true)) {
				if (!isOpen || ++bytes > 18) break;
				response.write(' ');
			}
			response.end();
		});
		expect(details).toMatchObject({ deleted: true });
	});

	test.each([
		[200, 2 ** 16, 'as it is', undefined],
		[200, 2 ** 16 + 1, 'as it is', 'response_too_large'],
		[200, 2 ** 16, 'compressed', undefined],
		[200, 200 * 2 ** 20, 'compressed', 'response_too_large'],
		[418, 200 * 2 ** 20, 'compressed', 'request_refused'],
	])('with status %i and %i bytes, %s, is read up to a limit', async (status, bytes, form, code) => {
		const body = Buffer.alloc(bytes, ' ');
		const details = await detailsOf((response) => {
			const isGzip = form === 'compressed';
			response.writeHead(status, isGzip ? { 'content-encoding': 'gzip' } : {});
			response.end(isGzip ? gzipSync(body) : body);
		});
		expect(details).toMatchObject(code === undefined ? { deleted: true } : { code, status });
	});
});
