import type { FastifyInstance } from 'fastify';
import { messageOf, statusOf } from '../errors';
import type { BurstRequest, Webhooks } from '.';
import type { Delivery } from './deliveries';
import { shown } from './subscriptions';

type WithId = { Params: { id: string } };
type DeliveryQuery = { Querystring: { limit?: string; state?: Delivery['state']; conversationId?: string } };

const defaultListed = 100;

/** What the web app offers for webhooks, mounted at `{url}/control/webhooks`. Not part of the service's API. */
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
		server.delete<WithId>('/subscriptions/:id', async ({ params }) => {
			subscriptions.remove(params.id);
			return { done: true };
		});
		server.post<WithId>('/subscriptions/:id/test', async ({ params }) => {
			const { attempts } = await engine.sendTest(subscriptions.get(params.id));
			return attempts[0];
		});

		server.get<DeliveryQuery>('/deliveries', async ({ query }) => {
			const { limit, ...filter } = query;
			const all = deliveries.list(filter);
			return { count: all.length, deliveries: all.slice(0, Number(limit ?? defaultListed)) };
		});
		server.get('/dead-letters', async () => {
			const deadLetters = deliveries.deadLetters();
			return { count: deadLetters.length, deadLetters };
		});
		server.delete('/deliveries', async () => {
			deliveries.reset();
			return { done: true };
		});

		server.post<{ Body: BurstRequest }>('/emit', async (request) => await webhooks.emit(request.body));

		server.setErrorHandler(async (error, _request, reply) => {
			return reply.code(statusOf(error)).send({ message: messageOf(error) });
		});
	};
}
