import type { FastifyInstance } from 'fastify';
import { done } from '../http';
import type { Webhooks } from './';
import { shown } from './subscriptions';

type WithId = { Params: { id: string } };

const LISTED = 100;

/** The web app's webhook features, mounted at `{url}/control/webhooks`. Not part of the service's API. */
export function webhookRoutes(webhooks: Webhooks) {
	const { subscriptions } = webhooks;
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/subscriptions', async () => subscriptions.list().map(shown));
		server.post('/subscriptions', async (request, reply) =>
			reply.code(201).send(shown(subscriptions.add(request.body))),
		);
		server.patch<WithId>('/subscriptions/:id', async ({ params, body }) =>
			shown(subscriptions.change(params.id, body)),
		);
		server.delete<WithId>('/subscriptions/:id', async ({ params }) => done(subscriptions.remove(params.id)));
		server.post<WithId>('/subscriptions/:id/test', async ({ params }) =>
			webhooks.sendTest(subscriptions.get(params.id)),
		);

		server.get('/deliveries', async () => {
			const all = webhooks.deliveries();
			return { count: all.length, deliveries: all.slice(0, LISTED) };
		});
		server.get('/dead-letters', async () => {
			const deadLetters = webhooks.deadLetters();
			return { count: deadLetters.length, deadLetters };
		});
		server.post<{ Body: Parameters<Webhooks['emit']>[0] }>('/emit', async ({ body }) => webhooks.emit(body));
	};
}
