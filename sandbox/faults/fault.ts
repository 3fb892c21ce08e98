import { z } from 'zod';
import { isoDate } from '../problem';

/** Which requests a fault strikes, and what each kind takes. One flat object, so that it is easy to type by hand. */
export const faultSchema = z
	.object({
		kind: z.enum([
			'latency',
			'tooManyRequests',
			'serverError',
			'connectionReset',
			'truncatedBody',
			'htmlPage',
			'brokenJson',
			'lostAnswer',
			'expiredLink',
			'slowAudio',
			'insertConversations',
			'removeConversations',
		]),
		/** Start of the path: `/data/export/conversations`, `/crm/custom/appointment`, `/audio`. Default: any. */
		path: z.string().startsWith('/').optional(),
		method: z.enum(['GET', 'POST', 'DELETE', 'HEAD']).optional(),
		/** Fields of the JSON body that must be equal, for example `{ page: 3 }` or `{ event_id: 'e-1' }`. */
		body: z.record(z.unknown()).optional(),
		/** Lets this many matching requests pass first. */
		afterRequests: z.number().int().min(0).optional(),
		/** Strikes at most this often. Default: without end. */
		times: z.number().int().min(1).optional(),
		/** Strikes every n-th matching request. */
		every: z.number().int().min(1).optional(),
		/** Strikes with this probability, drawn from `seed`. */
		probability: z.number().min(0).max(1).optional(),
		seed: z.number().int().optional(),

		/** latency: how long the answer waits. */
		milliseconds: z.number().min(0).optional(),
		/** Of the same faults: `Retry-After`; none without it. */
		retryAfterSeconds: z.number().min(0).optional(),
		/** `date` sends `Retry-After` as an HTTP-date. */
		retryAfterAs: z.enum(['seconds', 'date']).optional(),
		/** Of the faults that answer instead of the service: 429, 500, 502 … by default. */
		status: z.number().int().min(200).max(599).optional(),
		/** slowAudio: default 16,000. */
		bytesPerSecond: z.number().min(1).optional(),
		/** insertConversations, removeConversations: how many, default 1. */
		count: z.number().int().min(1).max(10_000).optional(),
		/** Where in the whole list, oldest first: 0 (default) adds before the oldest, or removes it. */
		position: z.number().int().min(0).optional(),
		/** insertConversations: recording start (ISO 8601) instead of a position. */
		date: isoDate.optional(),
	})
	.strict();

export type FaultRequest = z.infer<typeof faultSchema>;
export type FaultKind = FaultRequest['kind'];
