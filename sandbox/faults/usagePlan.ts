import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { headerOf, pathOf } from '../http';
import { checked } from '../problem';

/** What `POST /control/usage-plan` takes. */
const usagePlanSchema = z
	.object({
		/** Requests a second that a key may send on average. */
		ratePerSecond: z.number().positive().finite(),
		/** Requests that it may send at once after a pause. */
		burst: z.number().min(1).finite(),
		/** D2 names usage plans; D1 shows no rate limit. Default: `['crm']`. */
		appliesTo: z.enum(['crm', 'export']).array().min(1).optional(),
	})
	.strict();

export type UsagePlan = z.infer<typeof usagePlanSchema>;

const paths = { crm: '/crm', export: '/data' };

/** The gateway's usage plan per key (D2 § Limits): a bucket of tokens for each; off until it is set. */
export class UsagePlans {
	private plan: UsagePlan | undefined;
	private readonly buckets = new Map<string, { tokens: number; at: number }>();

	/** @param isKnown keys that the gateway does not know have no plan; they get its 403. */
	constructor(private readonly isKnown: (key: string) => boolean) {}

	/** Sets the plan of every key, or switches it off. @throws Problem that names the field that is wrong. */
	set(plan: UsagePlan | undefined): void {
		this.plan = plan === undefined ? undefined : checked(usagePlanSchema, plan);
		this.buckets.clear();
	}

	watch(server: FastifyInstance): void {
		server.addHook('onRequest', async (request, reply) => {
			const { plan } = this;
			if (!plan) return;
			const { appliesTo = ['crm'] } = plan;
			const api = appliesTo.find((name) => pathOf(request).startsWith(paths[name]));
			const key = api && headerOf(request, api === 'crm' ? 'x-api-key' : 'authorization');
			// Sandbox's own choice: the body, and no Retry-After.
			if (key && this.isKnown(key) && !this.take(key, plan))
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
