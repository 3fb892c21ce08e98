import { z } from 'zod';

/** Which requests a fault strikes, and the settings of each kind. Flat, so that it is easy to type. */
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
			'lostResponse',
			'unreadableRow',
			'stall',
			'stalledBody',
			'changedRow',
			'nullRow',
			'wrongTypes',
			'usagePlan',
		]),
		/** Start of the path: `/data/export/conversations`, `/crm/custom/appointment`, `/audio`. Default: any. */
		path: z.string().startsWith('/').optional(),
		method: z.enum(['GET', 'POST', 'DELETE', 'HEAD']).optional(),
		/** Required values in the JSON body, for example `{ page: 3 }` or `{ event_id: 'e-1' }`. */
		body: z.record(z.unknown()).optional(),
		/** Maximum number of strikes. Default: unlimited. */
		times: z.number().int().min(1).optional(),
		/** Strikes with this probability, drawn from `seed`. */
		probability: z.number().min(0).max(1).optional(),
		seed: z.number().int().optional(),

		/** latency: time from request to response, default 1,000. */
		milliseconds: z.number().min(0).optional(),
		/** Faults that respond instead of the service: the `Retry-After` header. Default: none. */
		retryAfterSeconds: z.number().min(0).optional(),
		/** Faults that respond instead of the service: the status. Default: that of the kind. */
		status: z.number().int().min(200).max(599).optional(),
		/** changedRow: values that replace those of the row. */
		fields: z.record(z.unknown()).optional(),
		/** usagePlan: average requests per second for each key, default 10. */
		ratePerSecond: z.number().positive().optional(),
		/** usagePlan: requests that a key can send at once after a pause, default 20. */
		burst: z.number().min(1).optional(),
		/** Faults that respond instead of the service: the body. unreadableRow: text in each response that fails, such as an ID. */
		text: z.string().min(1).optional(),
	})
	.strict();

export type FaultRequest = z.infer<typeof faultSchema>;
export type FaultKind = FaultRequest['kind'];
