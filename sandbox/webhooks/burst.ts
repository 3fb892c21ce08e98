import pLimit from 'p-limit';
import { z } from 'zod';
import { percentile } from '../statistics';
import type { DeliveryEngine } from './engine';

// The size of the delivery log.
const mostConversations = 20_000;

/** Body of `POST /control/webhooks/emit`: one of the first three settings, and how to send. */
export const burstShape = z
	.object({
		conversationId: z.string().optional(),
		conversationIds: z.array(z.string()).min(1).max(mostConversations).optional(),
		/** Number of conversations, oldest first … */
		count: z.number().int().min(1).max(mostConversations).optional(),
		/** … after skipping this many. */
		skip: z.number().int().min(0).default(0),
		/** Maximum number of concurrent POSTs. */
		concurrency: z.number().int().min(1).max(1000).default(50),
		/** Share of the conversations that are announced twice, 0 to 1, spread evenly. */
		repeatShare: z.number().min(0).max(1).default(0),
		/** `atOnce` sends both copies together, `later` sends the second after all others. */
		repeatWhen: z.enum(['atOnce', 'later']).default('atOnce'),
		/** Whether to respond only when every delivery is settled, including retries. */
		wait: z.boolean().default(true),
	})
	.strict()
	.refine(({ conversationId, conversationIds, count }) => {
		return [conversationId, conversationIds, count].filter((choice) => choice !== undefined).length === 1;
	}, 'Give exactly one of conversationId, conversationIds and count.');

export type BurstRequest = z.input<typeof burstShape>;
type Burst = z.output<typeof burstShape>;

/** The IDs to announce in order, including copies. */
function announcementsOf(ids: readonly string[], { repeatShare, repeatWhen }: Burst): string[] {
	const share = (index: number) => Math.floor(index * repeatShare + 1e-9);
	const isRepeated = (index: number) => share(index + 1) > share(index);
	if (repeatWhen === 'later') return [...ids, ...ids.filter((_id, index) => isRepeated(index))];
	return ids.flatMap((id, index) => (isRepeated(index) ? [id, id] : [id]));
}

/** Announces conversations with bounded concurrency. */
export async function runBurst(engine: DeliveryEngine, ids: readonly string[], burst: Burst) {
	const started = performance.now();
	const limit = pLimit(burst.concurrency);
	const announcements = announcementsOf(ids, burst);
	const settled = await Promise.all(announcements.map((id) => engine.announce(id, limit)));
	const heard = settled.filter((delivery) => delivery !== undefined);
	const attempts = heard.flatMap((delivery) => delivery.attempts);
	const statuses: Record<string, number> = {};
	for (const { status } of attempts) statuses[status ?? 'none'] = (statuses[status ?? 'none'] ?? 0) + 1;
	const times = attempts.map(({ milliseconds }) => milliseconds);
	const latency = (share: number) => percentile(times, share) || 0;
	return {
		conversations: ids.length,
		repeats: announcements.length - ids.length,
		delivered: heard.filter(({ state }) => state === 'delivered').length,
		failed: heard.filter(({ state }) => state === 'failed').length,
		/** Announcements without a subscriber. */
		unheard: settled.length - heard.length,
		attempts: attempts.length,
		successes: attempts.filter(({ isSuccess }) => isSuccess).length,
		/** Number of attempts by status; `none` for no response. */
		statuses,
		seconds: (performance.now() - started) / 1000,
		/** Milliseconds from sending to the status, over all attempts. */
		latency: { p50: latency(0.5), p95: latency(0.95), p99: latency(0.99), max: latency(1) },
	};
}
