import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type Limit } from 'p-limit';
import type { Addresses } from '../data/conversation';
import type { Organization } from '../data/organization';
import type { SandboxOptions } from '../options';
import { type Attempt, Deliveries, type Delivery } from './deliveries';
import { conversationData, envelope, type EventType, testData } from './envelope';
import { Sender } from './sender';
import type { Subscription, Subscriptions } from './subscriptions';

/** Delivers events to subscriptions (D1 § Delivery rules), without guaranteeing their order. */
export class DeliveryEngine {
	readonly deliveries = new Deliveries();
	private readonly sender: Sender;
	private readonly limit = pLimit(50);
	private readonly closing = new AbortController();
	private readonly inFlight = new Set<Promise<unknown>>();

	constructor(
		private readonly subscriptions: Subscriptions,
		private readonly organization: Organization,
		private readonly addresses: Addresses,
		private readonly options: SandboxOptions,
	) {
		this.sender = new Sender(options.webhookTimeoutMs);
		setMaxListeners(0, this.closing.signal);
	}

	/**
	 * Sends a processed conversation to every enabled subscription, with retries.
	 * @param limit of concurrent POSTs; the engine's own by default
	 * @returns the settled delivery, or undefined without subscriptions
	 */
	async announce(conversationId: string, limit = this.limit): Promise<Delivery | undefined> {
		if (this.subscriptions.enabled().length === 0) return undefined;
		const delivery = this.deliveries.open('conversation_processed', conversationId);
		return await this.track(this.deliver(delivery, limit));
	}

	/** Send test: one attempt with synthetic data, even for a disabled subscription. */
	async sendTest(subscription: Subscription): Promise<Delivery> {
		const data = testData(this.organization, this.addresses);
		const delivery = this.deliveries.open('test', data.conversation_id);
		const attempt = await this.track(this.attempt(subscription, 'test', data, 1));
		const state = attempt.isSuccess ? 'delivered' : 'failed';
		return Object.assign(delivery, { state, attempts: [attempt] });
	}

	/** Stops sending. Pending deliveries stay pending. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.sender.close();
		await Promise.allSettled(this.inFlight);
	}

	private get isClosed(): boolean {
		return this.closing.signal.aborted;
	}

	/** Runs rounds until one subscription accepts the event or no retry is left. */
	private async deliver(delivery: Delivery, limit: Limit): Promise<Delivery> {
		const rounds = this.options.webhookRetryDelaysMs.length + 1;
		for (let round = 1; ; round++) {
			const problem = await this.round(delivery, round, limit);
			if (this.isClosed || delivery.state === 'delivered') return delivery;
			if (problem !== undefined || round >= rounds) {
				this.deliveries.bury(delivery, problem ?? `Every subscription failed ${rounds} times.`);
				return delivery;
			}
			const delay = this.options.webhookRetryDelaysMs[round - 1];
			delivery.nextRoundAt = new Date(Date.now() + delay).toISOString();
			await wait(delay, undefined, { signal: this.closing.signal }).catch(() => undefined);
			if (this.isClosed) return delivery;
		}
	}

	/** Tries all subscriptions concurrently. @returns why no further round is possible, if so */
	private async round(delivery: Delivery, round: number, limit: Limit): Promise<string | undefined> {
		const matching = this.subscriptions.enabled();
		if (matching.length === 0) return 'No subscription is enabled any more.';
		const tried = await Promise.all(
			matching.map((subscription) =>
				limit(async () => {
					const row = this.organization.findConversation(delivery.conversationId);
					if (this.isClosed || row === undefined) return undefined;
					// Rebuilt for each attempt to get fresh links.
					const data = conversationData(this.organization, row, this.addresses);
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

	private async attempt(
		subscription: Subscription,
		eventType: EventType,
		data: object,
		round: number,
	): Promise<Attempt> {
		const body = envelope(eventType, data);
		const outcome = await this.sender.post(subscription, Buffer.from(JSON.stringify(body), 'utf8'));
		const { id: subscriptionId, url } = subscription;
		return {
			subscriptionId,
			url,
			webhookEventId: body.webhook_event_id,
			sentAt: body.sent_at,
			round,
			...outcome,
		};
	}

	private async track<Result>(work: Promise<Result>): Promise<Result> {
		this.inFlight.add(work);
		try {
			return await work;
		} finally {
			this.inFlight.delete(work);
		}
	}
}
