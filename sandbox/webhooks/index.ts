import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type Limit } from 'p-limit';
import { z } from 'zod';
import type { Organization } from '../data/organization';
import { addBounded, MAX_LOGGED } from '../log';
import type { SandboxOptions } from '../options';
import { checked } from '../problem';
import { conversationData, envelope, type EventType, testData } from './envelope';
import { type Outcome, Sender } from './sender';
import { type Subscription, Subscriptions } from './subscriptions';

/** One POST to one subscription. */
interface Attempt extends Outcome {
	subscriptionId: string;
	url: string;
	webhookEventId: string;
	sentAt: string;
	/** 1 for the first round, 2 for the first retry … */
	round: number;
}

/** One event and its attempts. */
interface Delivery {
	id: string;
	eventType: EventType;
	conversationId: string;
	createdAt: string;
	/** `failed`: every attempt of every round failed. */
	state: 'pending' | 'delivered' | 'failed';
	nextRoundAt: string | null;
	attempts: Attempt[];
	/** When and why it became a dead letter, if it did. */
	diedAt?: string;
	reason?: string;
}

/** Body of `POST /control/webhooks/emit`: which conversations, and how to send. */
const burstShape = z
	.object({
		conversationIds: z.array(z.string()).min(1).max(MAX_LOGGED).optional(),
		/** Number of conversations, oldest first, in place of their IDs. */
		count: z.number().int().min(1).max(MAX_LOGGED).optional(),
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

/**
 * The webhook half of D1: one organization's subscriptions, and deliveries to them (D1 § Delivery rules), whose order is
 * not guaranteed.
 */
export class Webhooks {
	readonly subscriptions = new Subscriptions();
	private readonly log: Delivery[] = [];
	private readonly sender: Sender;
	private readonly limit = pLimit(50);
	private readonly closing = new AbortController();

	constructor(
		private readonly organization: Organization,
		private readonly options: SandboxOptions,
	) {
		this.sender = new Sender(options.webhookTimeoutMs);
		setMaxListeners(0, this.closing.signal);
	}

	/** Newest first. */
	deliveries(): Delivery[] {
		return this.log.toReversed();
	}

	/** The deliveries that failed permanently. */
	deadLetters(): Delivery[] {
		return this.deliveries().filter(({ diedAt }) => diedAt !== undefined);
	}

	/** Announces conversations on demand. @throws Problem for invalid settings or unknown conversations */
	async emit(request: z.input<typeof burstShape>) {
		const burst = checked(burstShape, request ?? {});
		for (const id of burst.conversationIds ?? []) this.organization.conversation(id);
		const ids = burst.conversationIds ?? this.organization.conversationIds(0, burst.count ?? 1);
		const limit = pLimit(burst.concurrency);
		const share = (index: number) => Math.floor(index * burst.repeatShare + 1e-9);
		const announced = ids.flatMap((id, index) => (share(index + 1) > share(index) ? [id, id] : [id]));
		const running = Promise.all(announced.map((id) => this.announce(id, limit)));
		if (!burst.wait) return { conversations: ids.length };
		const heard = (await running).filter((delivery) => delivery !== undefined);
		return {
			conversations: ids.length,
			repeats: announced.length - ids.length,
			delivered: heard.filter(({ state }) => state === 'delivered').length,
			failed: heard.filter(({ state }) => state === 'failed').length,
			attempts: heard.reduce((sum, { attempts }) => sum + attempts.length, 0),
		};
	}

	/** Sends a processed conversation to every enabled subscription, with retries. */
	async announce(conversationId: string, limit = this.limit): Promise<Delivery | undefined> {
		if (this.matching().length === 0) return undefined;
		return await this.deliver(this.open('conversation_processed', conversationId), limit);
	}

	/** Send test: one attempt with synthetic data, even for a disabled subscription. */
	async sendTest(subscription: Subscription): Promise<Attempt> {
		const data = testData(this.organization);
		const delivery = this.open('test', data.conversation_id);
		const attempt = await this.attempt(subscription, 'test', data, 1);
		Object.assign(delivery, { state: attempt.isSuccess ? 'delivered' : 'failed', attempts: [attempt] });
		return attempt;
	}

	/** Stops sending. Pending deliveries stay pending. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.sender.close();
	}

	private get isClosed(): boolean {
		return this.closing.signal.aborted;
	}

	private matching(): Subscription[] {
		return this.subscriptions.list().filter(({ enabled }) => enabled);
	}

	private open(eventType: EventType, conversationId: string): Delivery {
		const opened = { id: randomUUID(), eventType, conversationId, createdAt: new Date().toISOString() };
		const delivery: Delivery = { ...opened, state: 'pending', nextRoundAt: null, attempts: [] };
		addBounded(this.log, delivery);
		return delivery;
	}

	/** Runs rounds until one subscription accepts the event or no retry is left. */
	private async deliver(delivery: Delivery, limit: Limit): Promise<Delivery> {
		const delays = this.options.webhookRetryDelaysMs;
		for (let round = 1; ; round++) {
			const problem = await this.round(delivery, round, limit);
			if (this.isClosed || delivery.state === 'delivered') return delivery;
			if (problem !== undefined || round > delays.length) {
				const reason = problem ?? `Every subscription failed ${round} times.`;
				const diedAt = new Date().toISOString();
				return Object.assign(delivery, { state: 'failed', nextRoundAt: null, diedAt, reason });
			}
			const delay = delays[round - 1];
			delivery.nextRoundAt = new Date(Date.now() + delay).toISOString();
			await wait(delay, undefined, { signal: this.closing.signal }).catch(() => undefined);
			if (this.isClosed) return delivery;
		}
	}

	/** Tries all subscriptions concurrently. @returns why no further round is possible, if so */
	private async round(delivery: Delivery, round: number, limit: Limit): Promise<string | undefined> {
		const matching = this.matching();
		if (matching.length === 0) return 'No subscription is enabled any more.';
		const tried = await Promise.all(
			matching.map((subscription) =>
				limit(async () => {
					const row = this.organization.findConversation(delivery.conversationId);
					if (this.isClosed || row === undefined) return undefined;
					// Rebuilt for each attempt to get fresh links.
					const data = conversationData(this.organization, row);
					return await this.attempt(subscription, delivery.eventType, data, round);
				}),
			),
		);
		const attempts = tried.filter((attempt) => attempt !== undefined);
		const isDelivered = attempts.some(({ isSuccess }) => isSuccess);
		// An attempt interrupted by `close` does not count.
		if (this.isClosed && !isDelivered) return undefined;
		if (attempts.length === 0) return 'The conversation no longer exists.';
		delivery.attempts.push(...attempts);
		delivery.nextRoundAt = null;
		// One success is enough; failed subscriptions are not retried (D1-WH-02).
		if (isDelivered) delivery.state = 'delivered';
		return undefined;
	}

	private async attempt(subscription: Subscription, type: EventType, data: object, round: number) {
		const body = envelope(type, data);
		const outcome = await this.sender.post(subscription, Buffer.from(JSON.stringify(body)));
		const { id: subscriptionId, url } = subscription;
		const { webhook_event_id: webhookEventId, sent_at: sentAt } = body;
		return { subscriptionId, url, webhookEventId, sentAt, round, ...outcome };
	}
}
