import type { Addresses } from '../data/conversation';
import type { Organization } from '../data/organization';
import type { SandboxOptions } from '../options';
import { checked } from '../problem';
import type { Store } from '../store';
import { type BurstRequest, burstShape, runBurst } from './burst';
import { type DeadLetter, Deliveries } from './deliveries';
import { DeliveryEngine } from './engine';
import { Sender } from './sender';
import { Subscriptions } from './subscriptions';

/** The webhook half of D1: subscriptions, deliveries and dead letters of one organization. */
export class Webhooks {
	readonly subscriptions: Subscriptions;
	readonly deliveries: Deliveries;
	readonly engine: DeliveryEngine;

	constructor(
		store: Store,
		private readonly organization: Organization,
		addresses: Addresses,
		options: SandboxOptions,
	) {
		const subscriptions = new Subscriptions(store.collection('webhookSubscriptions'));
		const dead = store.collection<DeadLetter>('webhookDeadLetters');
		const deliveries = new Deliveries(store.collection('webhookDeliveries'), dead);
		const sender = new Sender(options.webhookTimeoutMs);
		const parts = { subscriptions, deliveries, sender, options, organization, addresses };
		this.subscriptions = subscriptions;
		this.deliveries = deliveries;
		this.engine = new DeliveryEngine(parts);
	}

	/**
	 * Announces conversations on demand.
	 * @returns the summary once all is settled; without `wait`, only the number of conversations
	 * @throws Problem for invalid settings or unknown conversations
	 */
	async emit(request: BurstRequest) {
		const burst = checked(burstShape, request ?? {});
		const { conversationId, conversationIds, count = 1, skip } = burst;
		const given = conversationIds ?? (conversationId === undefined ? undefined : [conversationId]);
		for (const id of given ?? []) this.organization.conversation(id);
		const ids = given ?? this.organization.conversationIds(skip, count);
		const running = runBurst(this.engine, ids, burst);
		return burst.wait ? await running : { conversations: ids.length };
	}
}
