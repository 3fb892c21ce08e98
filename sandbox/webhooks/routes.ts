import type { FastifyInstance } from 'fastify';
import { sendError, done } from '../http';
import type { Webhooks } from '.';
import type { BurstRequest } from './burst';
import { shown } from './subscriptions';

type WithId = { Params: { id: string } };

const listed = 100;

/** The web app's webhook features, mounted at `{url}/control/webhooks`. Not part of the service's API. */
export function webhookRoutes(webhooks: Webhooks) {
	const { subscriptions, deliveries, engine } = webhooks;
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/subscriptions', async () => subscriptions.list().map(shown));
		server.post('/subscriptions', async (request, reply) =>
			reply.code(201).send(shown(subscriptions.add(request.body))),
		);
		server.patch<WithId>('/subscriptions/:id', async ({ params, body }) =>
			shown(subscriptions.change(params.id, body)),
		);
		server.delete<WithId>('/subscriptions/:id', async ({ params }) => done(subscriptions.remove(params.id)));
		server.post<WithId>('/subscriptions/:id/test', async ({ params }) => {
			const { attempts } = await engine.sendTest(subscriptions.get(params.id));
			return attempts[0];
		});

		server.get('/deliveries', async () => {
			const all = deliveries.list();
			return { count: all.length, deliveries: all.slice(0, listed) };
		});
		server.get('/dead-letters', async () => {
			const deadLetters = deliveries.deadLetters();
			return { count: deadLetters.length, deadLetters };
		});

		server.post<{ Body: BurstRequest }>('/emit', async (request) => await webhooks.emit(request.body));

		server.setErrorHandler(sendError);
	};
}
