import pLimit from 'p-limit';
import { z } from 'zod';
import type { DeliveryEngine } from './engine';

// The size of the delivery log.
const mostConversations = 20_000;

/** Body of `POST /control/webhooks/emit`: which conversations, and how to send. */
export const burstShape = z
	.object({
		conversationIds: z.array(z.string()).min(1).max(mostConversations).optional(),
		/** Number of conversations, oldest first, in place of their IDs. */
		count: z.number().int().min(1).max(mostConversations).optional(),
		/** Maximum number of concurrent POSTs. */
		concurrency: z.number().int().min(1).max(1000).default(50),
		/** Share of the conversations that are announced twice, both at once, 0 to 1, spread evenly. */
		repeatShare: z.number().min(0).max(1).default(0),
		/** Whether to respond only when every delivery is settled, including retries. */
		wait: z.boolean().default(true),
	})
	.strict()
	.refine(
		({ conversationIds, count }) => (conversationIds === undefined) !== (count === undefined),
		'Give either conversationIds or count.',
	);

export type BurstRequest = z.input<typeof burstShape>;
type Burst = z.output<typeof burstShape>;

/** Announces conversations with bounded concurrency. */
export async function runBurst(engine: DeliveryEngine, ids: readonly string[], burst: Burst) {
	const limit = pLimit(burst.concurrency);
	const share = (index: number) => Math.floor(index * burst.repeatShare + 1e-9);
	const announcements = ids.flatMap((id, index) => (share(index + 1) > share(index) ? [id, id] : [id]));
	const settled = await Promise.all(announcements.map((id) => engine.announce(id, limit)));
	const heard = settled.filter((delivery) => delivery !== undefined);
	return {
		conversations: ids.length,
		repeats: announcements.length - ids.length,
		delivered: heard.filter(({ state }) => state === 'delivered').length,
		failed: heard.filter(({ state }) => state === 'failed').length,
		attempts: heard.reduce((sum, { attempts }) => sum + attempts.length, 0),
	};
}
