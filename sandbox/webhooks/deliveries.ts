import { randomUUID } from 'node:crypto';
import type { Collection } from '../store';
import type { EventType } from './envelope';
import type { Outcome } from './sender';

/** One POST to one subscription. */
export interface Attempt extends Outcome {
	subscriptionId: string;
	url: string;
	webhookEventId: string;
	sentAt: string;
	/** 1 for the first round, 2 for the first retry … */
	round: number;
}

/** `failed`: every attempt of every round failed. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event and its attempts. */
export interface Delivery {
	id: string;
	eventType: EventType;
	conversationId: string;
	createdAt: string;
	state: DeliveryState;
	/** When the next round is due, if one is. */
	nextRoundAt: string | null;
	attempts: Attempt[];
}

/** An event whose delivery failed permanently. */
export interface DeadLetter {
	deliveryId: string;
	conversationId: string;
	diedAt: string;
	reason: string;
	attempts: number;
}

/** The log of deliveries and the dead letters. */
export class Deliveries {
	constructor(
		private readonly stored: Collection<Delivery>,
		private readonly dead: Collection<DeadLetter>,
	) {}

	/** Newest first. */
	list(filter: Partial<Pick<Delivery, 'state' | 'conversationId'>> = {}): Delivery[] {
		const { state, conversationId } = filter;
		return this.stored
			.list()
			.filter((each) => (state ?? each.state) === each.state)
			.filter((each) => (conversationId ?? each.conversationId) === each.conversationId)
			.reverse();
	}

	/** Newest first. */
	deadLetters(): DeadLetter[] {
		return this.dead.list().reverse();
	}

	open(eventType: EventType, conversationId: string): Delivery {
		const delivery: Delivery = {
			id: randomUUID(),
			eventType,
			conversationId,
			createdAt: new Date().toISOString(),
			state: 'pending',
			nextRoundAt: null,
			attempts: [],
		};
		this.stored.makeRoom(({ state }) => state !== 'pending');
		this.stored.put(delivery.id, delivery);
		return delivery;
	}

	save(delivery: Delivery, change: Partial<Delivery>): void {
		this.stored.put(delivery.id, Object.assign(delivery, change));
	}

	/** Ends a delivery as failed. */
	bury(delivery: Delivery, reason: string): void {
		this.save(delivery, { state: 'failed', nextRoundAt: null });
		this.dead.makeRoom();
		const { id: deliveryId, conversationId, attempts } = delivery;
		const diedAt = new Date().toISOString();
		this.dead.put(deliveryId, { deliveryId, conversationId, diedAt, reason, attempts: attempts.length });
	}

	/** Removes settled deliveries and dead letters. */
	reset(): void {
		for (const { id, state } of this.stored.list()) if (state !== 'pending') this.stored.delete(id);
		for (const { deliveryId } of this.dead.list()) this.dead.delete(deliveryId);
	}
}
