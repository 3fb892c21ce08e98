import { z } from 'zod';
import { checked, isoDate } from './problem';

const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const atLeast = (least: number) => z.number().finite().min(least);
const port = whole(0, 65_535).default(0);

const shape = z
	.object({
		/** 0 means any free port. */
		port,
		mediaPort: port,
		host: z.string().default('127.0.0.1'),
		/** The same seed and sizes give the same data, keys and IDs. */
		seed: whole(0, 0xffff_ffff).default(1),
		conversations: whole(0, 1_000_000_000).default(2501),
		awaitingUpload: whole(0, 1_000_000_000).default(120),
		errored: whole(0, 1_000_000_000).default(35),
		users: whole(1, 100_000).default(40),
		teams: whole(1, 10_000).default(8),
		/** First moment of the generated data. */
		from: isoDate.default('2023-01-01T00:00:00Z'),
		/** Last moment of the generated data; `now` ends it with yesterday. */
		to: z.union([z.literal('now'), isoDate]).default('2026-01-01T00:00:00Z'),
		/** A new conversation is processed, and announced to the subscriptions, this often; 0 means never. */
		newConversationSeconds: atLeast(0).default(0),
		/** What Connect shows, and what the page fills in for a new subscription. */
		signingSecret: z.string().default('sandbox-signing-secret'),
		/** D1 § Limits: six hours. */
		linkLifetimeSeconds: atLeast(0).default(21_600),
		/** Length of every generated audio file. */
		audioSeconds: atLeast(0).default(3),
		/** D1 does not show how the arrays are ordered. */
		order: z.enum(['oldestFirst', 'newestFirst']).default('oldestFirst'),
		/** How long a webhook's receiver may take to answer (D1 § Limits: ten seconds). */
		webhookTimeoutMs: whole(1, 600_000).default(10_000),
		/** Wait before each retry of a delivery that every subscription failed; not shown in D1. */
		webhookRetryDelaysMs: z.array(whole(0, 0x7fff_ffff)).default([2_000, 10_000, 60_000]),
		/** Webhook POSTs under way at the same time. */
		webhookConcurrency: whole(1, 1_000).default(50),
		/** Folder that keeps the state over a restart; without it the state is in memory. */
		dataFolder: z.string().optional(),
		/** How long ingested media takes to become a conversation. */
		processingSeconds: atLeast(0).default(2),
		/** Usage plan of every CRM key (D2 § Limits); 0 means none. */
		ratePerSecond: atLeast(0).default(0),
		burst: atLeast(1).default(1),
		/** Prints one line per request. */
		log: z.boolean().default(false),
	})
	.strict()
	.transform((options) => ({
		...options,
		dataFolder: options.dataFolder,
		to: options.to === 'now' ? new Date().toISOString() : options.to,
	}))
	.refine(({ from, to }) => Date.parse(to) > Date.parse(from), '"to" must be after "from".');

/** What `startSandbox` takes; every option has a default. */
export type SandboxOptions = z.output<typeof shape>;

export const defaultOptions: SandboxOptions = shape.parse({});

/** Fills in the defaults. @throws Problem that names the option that cannot work. */
export const completeOptions = (given: Partial<SandboxOptions>): SandboxOptions => checked(shape, given);
