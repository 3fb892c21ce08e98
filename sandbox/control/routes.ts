import type { FastifyInstance } from 'fastify';
import { messageOf, statusOf } from '../errors';
import type { FaultRequest } from '../faults/fault';
import type { Faults } from '../faults/faults';
import type { UsagePlan, UsagePlans } from '../faults/usagePlan';
import type { RequestLog } from '../requestLog';
import { clearFaultsSchema, type FinishRequest, type InsertRequest, recordingSchema } from './bodies';
import { checked, ControlError } from './checked';
import type { Control } from './control';

export interface ControlParts {
	control: Control;
	requests: RequestLog;
	faults: Faults;
	usagePlans: UsagePlans;
	/** What `GET /control/state` answers. */
	state(): Record<string, unknown>;
}

/**
 * The control address, mounted at `{url}/control`: JSON in, JSON out, no key. Not part of the service.
 * The bodies' types are what is asked for; whoever takes a body checks it.
 */
export function controlRoutes({ control, requests, faults, usagePlans, state }: ControlParts) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/state', async () => state());
		server.get('/users', async () => control.users());
		server.delete<{ Params: { key: string } }>('/keys/:key', async (request) => {
			control.deleteKey(request.params.key);
			return { done: true };
		});

		server.get<{ Querystring: { path?: string } }>('/requests', async (request) => {
			const list = requests.list({ path: request.query.path });
			return { count: list.length, requests: list };
		});
		server.delete('/requests', async () => {
			requests.reset();
			return { done: true };
		});

		server.post<{ Body: InsertRequest | null }>('/conversations', async (request) => ({
			conversationIds: control.insertConversations(request.body ?? {}),
		}));
		server.delete<{ Params: { id: string } }>('/conversations/:id', async (request) => {
			control.removeConversations(request.params.id);
			return { done: true };
		});

		server.post<{ Body: FinishRequest | null }>('/processing/finish', async (request) => ({
			conversationIds: control.finishProcessing(request.body ?? {}),
		}));
		server.post('/recordings', async (request) => {
			const { conversationId, state: recording } = checked(recordingSchema, request.body, 'Recording');
			control.setRecording(conversationId, recording);
			return { done: true };
		});
		server.get<{ Querystring: { key?: string } }>('/appointments', async (request) => ({
			appointments: control.appointments(request.query.key),
			outcomes: control.outcomes(request.query.key),
		}));
		server.get<{ Querystring: { key?: string } }>('/debugger', async (request) => ({
			events: control.debugger(request.query.key ?? ''),
		}));
		server.get('/dead-letters', async () => ({ deadLetters: control.deadLetters() }));

		server.get('/faults', async () => ({ faults: faults.list() }));
		server.post<{ Body: FaultRequest }>('/faults', async (request) => ({
			id: faults.add(request.body),
		}));
		server.delete('/faults', async (request) => {
			faults.clear(checked(clearFaultsSchema, request.query, 'Faults').id);
			return { done: true };
		});

		server.post<{ Body: UsagePlan }>('/usage-plan', async (request) => {
			usagePlans.set(request.body);
			return { done: true };
		});
		server.delete('/usage-plan', async () => {
			usagePlans.set(undefined);
			return { done: true };
		});

		server.setErrorHandler(async (error, _request, reply) => {
			const status = error instanceof ControlError ? 400 : statusOf(error);
			return reply.code(status).send({ message: messageOf(error) });
		});
	};
}
