import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scopes } from '../keys';
import { headerOf, isDecodable, pathOf } from '../http';
import { Problem, statusOf } from '../problem';
import { appointmentIn, matchIn } from './appointment';
import type { Ingestion } from './ingestion';
import type { Journals } from './journal';

const keyOf = (request: FastifyRequest) => headerOf(request, 'x-api-key') ?? '';

/** Sends plain text. Sandbox's own choice: a JSON string for `Accept: application/json`. */
function say(request: FastifyRequest, reply: FastifyReply, status: number, text: string): FastifyReply {
	const wantsJson = /^application\/json\b/i.test(request.headers.accept?.trim() ?? '');
	return wantsJson
		? reply.code(status).type('application/json').send(JSON.stringify(text))
		: reply.code(status).type('text/plain').send(text);
}

const noRoute = (request: FastifyRequest, reply: FastifyReply) =>
	reply.code(404).send({ message: `No matching route for ${request.method} ${pathOf(request)}` });

/** The CRM Appointment Ingestion API, mounted at `{crm_base_url}` (D2 § Endpoints). */
export function crmRoutes(scopes: Scopes, ingestion: Ingestion, journals: Journals) {
	/** @throws Problem 422 for a known key without an active organization. */
	const bookOf = (request: FastifyRequest) => {
		const book = scopes.get(keyOf(request))?.book;
		if (!book) throw new Problem('Key is not mapped to an active organization', 422);
		return book;
	};

	return async (server: FastifyInstance): Promise<void> => {
		server.removeAllContentTypeParsers();
		// Undefined stands for invalid JSON.
		server.addContentTypeParser(
			'application/json',
			{ parseAs: 'string' },
			async (_request: FastifyRequest, body: string): Promise<unknown> => {
				try {
					return JSON.parse(body);
				} catch {
					return undefined;
				}
			},
		);
		// The JSON content type is required. Sandbox's own choice: without it, a body counts as invalid JSON.
		server.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));

		// The gateway refuses keys "before reaching the application". Sandbox's own choice: before routing, too.
		server.addHook('onRequest', async (request, reply) => {
			if (!scopes.has(keyOf(request))) return reply.code(403).type('text/plain').send('Forbidden');
		});
		server.addHook('onSend', async (request, reply) => {
			if (reply.statusCode === 500) journals.addDead(request.method, pathOf(request), request.body ?? null);
		});

		server.post('/custom/appointment', async (request, reply) => {
			const book = bookOf(request);
			const input = appointmentIn(request.body);
			const appointment = book.save(input);
			journals.addReceived(keyOf(request), request.body, appointment);
			if (input.media_url !== undefined) ingestion.accept(book, appointment);
			return say(request, reply, 200, 'Appointment saved');
		});

		server.post('/custom/appointment/match', async (request, reply) => {
			const book = bookOf(request);
			const { event_id, conversation_id } = matchIn(request.body);
			book.match(event_id, conversation_id);
			return say(request, reply, 200, 'Successfully matched conversation to event');
		});

		server.delete<{ Params: { id: string } }>('/custom/appointment/:id', async (request, reply) => {
			const { id } = request.params;
			if (id === '') return noRoute(request, reply);
			const book = bookOf(request);
			if (id.trim() === '' || !isDecodable(pathOf(request))) throw new Problem('Invalid parameters', 400);
			book.remove(id);
			return say(request, reply, 200, 'Appointment deleted');
		});

		server.setNotFoundHandler(noRoute);
		server.setErrorHandler(async (error, request, reply) => {
			if (error instanceof Problem) return say(request, reply, error.statusCode, error.message);
			const status = statusOf(error);
			return say(request, reply, status, status < 500 ? 'Invalid parameters' : 'Internal Server Error');
		});
	};
}
