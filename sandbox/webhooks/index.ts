import type { Addresses } from '../data/conversation';
import type { Organization } from '../data/organization';
import { checked, Problem } from '../problem';
import type { Store } from '../store';
import { type BurstRequest, burstShape, type BurstSummary, runBurst } from './burst';
import { Deliveries } from './deliveries';
import { DeliveryEngine, type EngineOptions } from './engine';
import { conversationData, testData } from './envelope';
import { Sender } from './sender';
import { Subscriptions } from './subscriptions';

export type { BurstRequest, BurstSummary } from './burst';
export type { Attempt, DeadLetter, Delivery } from './deliveries';
export type { Subscription } from './subscriptions';

export interface WebhookOptions extends EngineOptions {
	/** D1 § Limits: ten seconds. */
	webhookTimeoutMs: number;
}

export interface WebhookParts {
	store: Store;
	organization: Organization;
	addresses: Addresses;
	options: WebhookOptions;
}

/** The webhook half of D1: subscriptions, deliveries and dead letters of one organization. */
export class Webhooks {
	readonly subscriptions: Subscriptions;
	readonly deliveries: Deliveries;
	readonly engine: DeliveryEngine;
	private readonly organization: Organization;

	constructor({ store, organization, addresses, options }: WebhookParts) {
		this.organization = organization;
		this.subscriptions = new Subscriptions(store.collection('webhookSubscriptions'));
		this.deliveries = new Deliveries(
			store.collection('webhookDeliveries'),
			store.collection('webhookDeadLetters'),
		);
		this.engine = new DeliveryEngine({
			subscriptions: this.subscriptions,
			deliveries: this.deliveries,
			sender: new Sender(options.webhookTimeoutMs),
			options,
			dataOf: (conversationId) => {
				const row = organization.findConversation(conversationId);
				return row && conversationData(organization, row, addresses);
			},
			testData: () => testData(organization, addresses),
		});
	}

	/** Announces a processed conversation to every enabled subscription, in the background. */
	conversationProcessed(conversationId: string): void {
		void this.engine.announce(conversationId);
	}

	/**
	 * Announces conversations on demand.
	 * @returns the summary once everything is settled; without `wait` only how many there are
	 * @throws Problem for settings or conversations that do not exist
	 */
	async emit(request: BurstRequest): Promise<BurstSummary | { conversations: number }> {
		const burst = checked(burstShape, request ?? {});
		const ids = burst.conversationIds ?? (burst.conversationId ? [burst.conversationId] : undefined);
		const known = ids ? this.known(ids) : this.generated(burst.count ?? 1, burst.skip);
		const running = runBurst(this.engine, known, burst);
		return burst.wait ? await running : { conversations: known.length };
	}

	async close(): Promise<void> {
		await this.engine.close();
	}

	private known(ids: readonly string[]): readonly string[] {
		const unknown = ids.find((id) => !this.organization.findConversation(id));
		if (unknown !== undefined) throw new Problem(`No conversation has the ID "${unknown}".`, 404);
		return ids;
	}

	private generated(count: number, skip: number): string[] {
		const view = this.organization.everything();
		if (skip + count > view.total) {
			throw new Problem(`There are ${view.total} conversations; ${skip + count} are too many.`);
		}
		return Array.from({ length: count }, (_, index) =>
			this.organization.conversationIdOf(view.at(skip + index)),
		);
	}
}
