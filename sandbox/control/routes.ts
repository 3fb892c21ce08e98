import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FaultRequest } from '../faults/fault';
import type { Faults } from '../faults/faults';
import { done } from '../http';
import { checked } from '../problem';
import type { RequestLog } from '../requestLog';
import { type Control, recordingShape } from './control';

const faultQuery = z
	.object({ id: z.string().regex(/^\d+$/, 'must be the number of a fault').transform(Number).optional() })
	.strict();

interface Shape {
	Params: { id: string };
	Querystring: { key?: string; path?: string };
}

/** The control API at `{url}/control`, not part of the service. No key; each part validates its body. */
export function controlRoutes(control: Control, requests: RequestLog, faults: Faults, state: () => object) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/state', async () => state());
		server.get('/users', async () => control.users());
		server.delete<Shape>('/keys/:id', async ({ params }) => done(control.deleteKey(params.id)));

		server.get<Shape>('/requests', async ({ query }) => {
			const list = requests.list({ path: query.path });
			return { count: list.length, requests: list };
		});
		server.delete('/requests', async () => done(requests.reset()));

		server.post<Shape>('/conversations', async ({ body }) => ({
			conversationIds: control.insertConversations(body ?? {}),
		}));
		server.delete<Shape>('/conversations/:id', async ({ params }) =>
			done(control.removeConversations(params.id)),
		);
		server.post<Shape>('/processing/finish', async ({ body }) => ({
			conversationIds: control.finishProcessing(body ?? {}),
		}));
		server.post('/recordings', async ({ body }) => {
			const { conversationId, state: recording } = checked(recordingShape, body);
			return done(control.setRecording(conversationId, recording));
		});
		server.get<Shape>('/appointments', async ({ query: { key } }) => ({
			appointments: control.appointments(key),
			outcomes: control.outcomes(key),
		}));
		server.get<Shape>('/debugger', async ({ query }) => ({ events: control.debugger(query.key ?? '') }));
		server.get('/dead-letters', async () => ({ deadLetters: control.deadLetters() }));

		server.get('/faults', async () => ({ faults: faults.list() }));
		server.post<{ Body: FaultRequest }>('/faults', async ({ body }) => ({ id: faults.add(body) }));
		server.delete('/faults', async ({ query }) => done(faults.clear(checked(faultQuery, query).id)));
	};
}
