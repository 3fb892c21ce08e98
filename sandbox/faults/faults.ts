import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Random } from '../data/random';
import { hostOf, pathOf } from '../http';
import { checked, Problem } from '../problem';
import { type Buckets, effects, type Strike } from './effects';
import { type FaultRequest, faultSchema } from './fault';

interface ActiveFault {
	id: number;
	fault: FaultRequest;
	random: Random;
	buckets: Buckets;
	struck: number;
}

/** Simulated failures of the service, for tests and demos. */
export class Faults {
	private active: ActiveFault[] = [];
	private lastId = 0;
	private readonly onResponse = new WeakMap<FastifyRequest, Strike[]>();

	/** Adds a fault, which strikes `times` times or until it is cleared. Returns its number. */
	add(given: FaultRequest): number {
		const fault = checked(faultSchema, given);
		const id = ++this.lastId;
		const random = new Random(fault.seed ?? 1, 43);
		this.active.push({ id, fault, random, buckets: new Map(), struck: 0 });
		return id;
	}

	list() {
		return this.active.map(({ id, fault, struck }) => ({ ...fault, id, struck }));
	}

	/** Removes one fault or all. @throws Problem when no fault has this number. */
	clear(id?: number): void {
		if (id !== undefined && !this.active.some((entry) => entry.id === id)) {
			throw new Problem(`No fault has the number ${id}.`);
		}
		this.active = id === undefined ? [] : this.active.filter((entry) => entry.id !== id);
	}

	/** Applies faults to a server's requests. Call this before registering routes. */
	watch(server: FastifyInstance): void {
		server.addHook('preHandler', async (request, reply) => {
			if (this.active.length > 0 && hostOf(pathOf(request))) return await this.strike(request, reply);
		});
		server.addHook('onSend', async (request, _reply, payload) => {
			let sent: unknown = payload;
			for (const strike of this.onResponse.get(request) ?? []) {
				sent = (await effects[strike.fault.kind].after?.(strike, sent)) ?? sent;
			}
			return sent;
		});
	}

	private async strike(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
		for (const entry of [...this.active]) {
			if (!matches(entry.fault, request) || !draw(entry)) continue;
			const strike: Strike = { ...entry, request, reply };
			const effect = effects[entry.fault.kind];
			if (effect.after) this.onResponse.set(request, [...(this.onResponse.get(request) ?? []), strike]);
			if (await effect.before?.(strike)) return reply;
		}
		return undefined;
	}
}

function matches({ path = '/', method, body }: FaultRequest, request: FastifyRequest): boolean {
	if (!pathOf(request).startsWith(path)) return false;
	if (method !== undefined && request.method !== method) return false;
	const sent = new Map(Object.entries(request.body ?? {}));
	return Object.entries(body ?? {}).every(([name, value]) => sent.get(name) === value);
}

/** Whether the fault strikes a request that it describes. */
function draw(entry: ActiveFault): boolean {
	const { times = Infinity, probability = 1 } = entry.fault;
	if (!entry.random.chance(probability) || entry.struck >= times) return false;
	entry.struck++;
	return true;
}
