import { z } from 'zod';
import { checked, isoDate } from './problem';

const whole = (min: number, max: number) => z.number().int().min(min).max(max);
const atLeast = (min: number) => z.number().finite().min(min);

const shape = z
	.object({
		/** 0 means any free port. */
		port: whole(0, 65_535).default(0),
		host: z.string().default('127.0.0.1'),
		/** More names by which clients may reach it, separated by commas, such as that of a container. */
		allowedHosts: z.string().default(''),
		/** The same seed and sizes give the same data, keys and IDs. */
		seed: whole(0, 0xffff_ffff).default(1),
		conversations: whole(0, 1_000_000).default(2501),
		awaitingUpload: whole(0, 1_000_000).default(120),
		errored: whole(0, 1_000_000).default(35),
		/** Start of the generated data. */
		from: isoDate.default('2023-01-01T00:00:00Z'),
		/** End of the generated data. `now` ends it yesterday, because data covers whole days. */
		to: z.union([z.literal('now'), isoDate]).default('2026-01-01T00:00:00Z'),
		/** Seconds between new conversations, each announced to the subscriptions. 0 means none. */
		newConversationSeconds: atLeast(0).default(0),
		/** Shown under Connect and prefilled for new subscriptions. */
		signingSecret: z.string().default('sandbox-signing-secret'),
		/** Time limit for a webhook's receiver to respond (D1 § Limits: ten seconds). */
		webhookTimeoutMs: whole(1, 600_000).default(10_000),
		/** Delay before each retry of a delivery that failed for every subscription. Not specified in D1. */
		webhookRetryDelaysMs: z.array(whole(0, 0x7fff_ffff)).default([2_000, 10_000, 60_000]),
		/** Time for ingested media to become a conversation. */
		processingSeconds: atLeast(0).default(2),
	})
	.strict()
	.transform((options) => ({ ...options, to: options.to === 'now' ? new Date().toISOString() : options.to }))
	.refine(({ from, to }) => Date.parse(to) > Date.parse(from), '"to" must be after "from".');

/** What `startSandbox` takes; every option has a default. */
export type SandboxOptions = z.output<typeof shape>;

export const defaultOptions: SandboxOptions = shape.parse({});

/** Fills in the defaults. @throws Problem that names each invalid option. */
export const completeOptions = (given: Partial<SandboxOptions>): SandboxOptions => checked(shape, given);
