import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sendError, done } from '../http';
import { checked } from '../problem';
import type { Webhooks } from '.';
import type { BurstRequest } from './burst';
import { deliveryStates } from './deliveries';
import { shown } from './subscriptions';

type WithId = { Params: { id: string } };

const deliveryQuery = z
	.object({
		/** Maximum number of deliveries to return. */
		limit: z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).default('100'),
		state: z.enum(deliveryStates).optional(),
		conversationId: z.string().optional(),
	})
	.strict();

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

		server.get('/deliveries', async ({ query }) => {
			const { limit, ...filter } = checked(deliveryQuery, query);
			const all = deliveries.list(filter);
			return { count: all.length, deliveries: all.slice(0, limit) };
		});
		server.get('/dead-letters', async () => {
			const deadLetters = deliveries.deadLetters();
			return { count: deadLetters.length, deadLetters };
		});
		server.delete('/deliveries', async () => done(deliveries.reset()));

		server.post<{ Body: BurstRequest }>('/emit', async (request) => await webhooks.emit(request.body));

		server.setErrorHandler(sendError);
	};
}
