import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { headerOf, pathOf } from '../http';
import { checked } from '../problem';

/** Body of `POST /control/usage-plan`. */
const usagePlanSchema = z
	.object({
		/** Average requests per second for each key. */
		ratePerSecond: z.number().positive().finite(),
		/** Requests that a key can send at once after a pause. */
		burst: z.number().min(1).finite(),
	})
	.strict();

export type UsagePlan = z.infer<typeof usagePlanSchema>;

/** The gateway's usage plan (D2 § Limits): one token bucket per key. Off until set. */
export class UsagePlans {
	private plan: UsagePlan | undefined;
	private readonly buckets = new Map<string, { tokens: number; at: number }>();

	/** @param isKnown unknown keys have no plan, because they get 403 */
	constructor(private readonly isKnown: (key: string) => boolean) {}

	/** Sets every key's plan; undefined turns it off. @throws Problem that names each invalid field. */
	set(plan: UsagePlan | undefined): void {
		this.plan = plan === undefined ? undefined : checked(usagePlanSchema, plan);
		this.buckets.clear();
	}

	watch(server: FastifyInstance): void {
		server.addHook('onRequest', async (request, reply) => {
			// Only for the CRM API: D1 mentions no rate limit.
			if (!this.plan || !pathOf(request).startsWith('/crm')) return;
			const key = headerOf(request, 'x-api-key') ?? '';
			// Sandbox's own choice: the body, and no Retry-After.
			if (this.isKnown(key) && !this.take(key, this.plan))
				return reply.code(429).type('text/plain').send('Too Many Requests');
		});
	}

	private take(key: string, { ratePerSecond, burst }: UsagePlan): boolean {
		const now = performance.now();
		const bucket = this.buckets.get(key) ?? { tokens: burst, at: now };
		const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * ratePerSecond);
		this.buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
		return tokens >= 1;
	}
}
