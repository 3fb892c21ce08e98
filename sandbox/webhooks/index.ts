import type { Addresses } from '../data/conversation';
import type { Organization } from '../data/organization';
import type { SandboxOptions } from '../options';
import { checked } from '../problem';
import { type BurstRequest, burstShape, runBurst } from './burst';
import { DeliveryEngine } from './engine';
import { Subscriptions } from './subscriptions';

/** The webhook half of D1: subscriptions, deliveries and dead letters of one organization. */
export class Webhooks {
	readonly subscriptions = new Subscriptions();
	readonly engine: DeliveryEngine;

	constructor(
		private readonly organization: Organization,
		addresses: Addresses,
		options: SandboxOptions,
	) {
		this.engine = new DeliveryEngine(this.subscriptions, organization, addresses, options);
	}

	get deliveries() {
		return this.engine.deliveries;
	}

	/**
	 * Announces conversations on demand.
	 * @returns the summary once all is settled; without `wait`, only the number of conversations
	 * @throws Problem for invalid settings or unknown conversations
	 */
	async emit(request: BurstRequest) {
		const burst = checked(burstShape, request ?? {});
		const { conversationIds, count = 1 } = burst;
		for (const id of conversationIds ?? []) this.organization.conversation(id);
		const ids = conversationIds ?? this.organization.conversationIds(0, count);
		const running = runBurst(this.engine, ids, burst);
		return burst.wait ? await running : { conversations: ids.length };
	}
}
