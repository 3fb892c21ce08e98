import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type Limit } from 'p-limit';
import type { Addresses } from '../data/conversation';
import type { Organization } from '../data/organization';
import type { SandboxOptions } from '../options';
import type { Attempt, Deliveries, Delivery } from './deliveries';
import { conversationData, envelope, type EventType, testData } from './envelope';
import type { Sender } from './sender';
import type { Subscription, Subscriptions } from './subscriptions';

interface EngineParts {
	subscriptions: Subscriptions;
	deliveries: Deliveries;
	sender: Sender;
	options: SandboxOptions;
	organization: Organization;
	addresses: Addresses;
}

/** Delivers events to subscriptions (D1 § Delivery rules), without guaranteeing their order. */
export class DeliveryEngine {
	private readonly limit: Limit;
	private readonly closing = new AbortController();
	private readonly inFlight = new Set<Promise<unknown>>();

	constructor(private readonly parts: EngineParts) {
		this.limit = pLimit(parts.options.webhookConcurrency);
		setMaxListeners(0, this.closing.signal);
	}

	/**
	 * Sends a processed conversation to every enabled subscription, with retries.
	 * @param limit of concurrent POSTs; the engine's own by default
	 * @returns the settled delivery, or undefined without subscriptions
	 */
	async announce(conversationId: string, limit = this.limit): Promise<Delivery | undefined> {
		if (this.parts.subscriptions.enabled().length === 0) return undefined;
		const delivery = this.parts.deliveries.open('conversation_processed', conversationId);
		return await this.track(this.deliver(delivery, limit));
	}

	/** Resumes deliveries that were pending when the sandbox stopped. */
	resume(): void {
		for (const delivery of this.parts.deliveries.list({ state: 'pending' }).reverse()) {
			void this.track(this.deliver(delivery, this.limit));
		}
	}

	/** Send test: one attempt with synthetic data, even for a disabled subscription. */
	async sendTest(subscription: Subscription): Promise<Delivery> {
		const { deliveries } = this.parts;
		const data = testData(this.parts.organization, this.parts.addresses);
		const delivery = deliveries.open('test', data.conversation_id);
		const attempt = await this.track(this.attempt(subscription, 'test', data, 1));
		deliveries.save(delivery, { state: attempt.isSuccess ? 'delivered' : 'failed', attempts: [attempt] });
		return delivery;
	}

	/** Stops sending. Pending deliveries stay pending. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.parts.sender.close();
		await Promise.allSettled(this.inFlight);
	}

	private get isClosed(): boolean {
		return this.closing.signal.aborted;
	}

	/** Runs rounds until one subscription accepts the event or no retry is left. */
	private async deliver(delivery: Delivery, limit: Limit): Promise<Delivery> {
		const { deliveries, options } = this.parts;
		const rounds = options.webhookRetryDelaysMs.length + 1;
		for (;;) {
			const left = delivery.nextRoundAt === null ? 0 : Date.parse(delivery.nextRoundAt) - Date.now();
			if (left > 0) await wait(left, undefined, { signal: this.closing.signal }).catch(() => undefined);
			if (this.isClosed) return delivery;
			const round = (delivery.attempts.at(-1)?.round ?? 0) + 1;
			const problem = await this.round(delivery, round, limit);
			if (this.isClosed || delivery.state === 'delivered') return delivery;
			if (problem !== undefined || round >= rounds) {
				deliveries.bury(delivery, problem ?? `Every subscription failed ${rounds} times.`);
				return delivery;
			}
			const dueAt = Date.now() + options.webhookRetryDelaysMs[round - 1];
			deliveries.save(delivery, { nextRoundAt: new Date(dueAt).toISOString() });
		}
	}

	/** Tries all subscriptions concurrently. @returns why no further round is possible, if so */
	private async round(delivery: Delivery, round: number, limit: Limit): Promise<string | undefined> {
		const { subscriptions, deliveries, organization, addresses } = this.parts;
		const matching = subscriptions.enabled();
		if (matching.length === 0) return 'No subscription is enabled any more.';
		const tried = await Promise.all(
			matching.map((subscription) =>
				limit(async () => {
					const row = organization.findConversation(delivery.conversationId);
					if (this.isClosed || row === undefined) return undefined;
					// Rebuilt for each attempt to get fresh links.
					const data = conversationData(organization, row, addresses);
					return await this.attempt(subscription, delivery.eventType, data, round);
				}),
			),
		);
		const attempts = tried.filter((attempt) => attempt !== undefined);
		// An attempt interrupted by `close` does not count and is repeated after a restart.
		if (this.isClosed && !attempts.some(({ isSuccess }) => isSuccess)) return undefined;
		if (attempts.length === 0) return 'The conversation no longer exists.';
		// One success is enough; failed subscriptions are not retried (D1-WH-02).
		const state = attempts.some(({ isSuccess }) => isSuccess) ? 'delivered' : 'pending';
		deliveries.save(delivery, { state, nextRoundAt: null, attempts: [...delivery.attempts, ...attempts] });
		return undefined;
	}

	private async attempt(
		subscription: Subscription,
		eventType: EventType,
		data: object,
		round: number,
	): Promise<Attempt> {
		const body = envelope(eventType, data);
		const sent = Buffer.from(JSON.stringify(body), 'utf8');
		const outcome = await this.parts.sender.post(subscription, sent);
		const { id, url } = subscription;
		const { webhook_event_id: webhookEventId, sent_at: sentAt } = body;
		return { subscriptionId: id, url, webhookEventId, sentAt, round, ...outcome };
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
