import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FaultRequest } from '../faults/fault';
import type { Faults } from '../faults/faults';
import { done } from '../http';
import { checked } from '../problem';
import type { Control } from './control';

const faultQuery = z
	.object({ id: z.string().regex(/^\d+$/, 'must be the number of a fault').transform(Number).optional() })
	.strict();

interface WithKey {
	Querystring: { key?: string };
}

/** The control API at `{url}/control`, not part of the service. No key; each part validates its body. */
export function controlRoutes(control: Control, faults: Faults, state: () => object) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/state', async () => state());
		server.post<{ Body?: { eventId?: string } }>('/processing/finish', async ({ body }) => ({
			conversationIds: control.finishProcessing(body ?? {}),
		}));
		server.get('/appointments', async () => ({ appointments: control.appointments() }));
		server.get<WithKey>('/debugger', async ({ query }) => ({ events: control.debugger(query.key ?? '') }));
		server.get('/faults', async () => ({ faults: faults.list() }));
		server.post<{ Body: FaultRequest }>('/faults', async ({ body }) => ({ id: faults.add(body) }));
		server.delete('/faults', async ({ query }) => done(faults.clear(checked(faultQuery, query).id)));
	};
}
