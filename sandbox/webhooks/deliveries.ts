import { randomUUID } from 'node:crypto';
import { addBounded } from '../log';
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

/** One event and its attempts. */
export interface Delivery {
	id: string;
	eventType: EventType;
	conversationId: string;
	createdAt: string;
	/** `failed`: every attempt of every round failed. */
	state: 'pending' | 'delivered' | 'failed';
	/** When the next round is due, if one is. */
	nextRoundAt: string | null;
	attempts: Attempt[];
}

/** An event whose delivery failed permanently. */
interface DeadLetter {
	deliveryId: string;
	conversationId: string;
	diedAt: string;
	reason: string;
	attempts: number;
}

/** The log of deliveries and the dead letters. */
export class Deliveries {
	private readonly log: Delivery[] = [];
	private readonly dead: DeadLetter[] = [];

	/** Newest first. */
	list(): Delivery[] {
		return this.log.toReversed();
	}

	/** Newest first. */
	deadLetters(): DeadLetter[] {
		return this.dead.toReversed();
	}

	open(eventType: EventType, conversationId: string): Delivery {
		const opened = { id: randomUUID(), eventType, conversationId, createdAt: new Date().toISOString() };
		const delivery: Delivery = { ...opened, state: 'pending', nextRoundAt: null, attempts: [] };
		addBounded(this.log, delivery);
		return delivery;
	}

	/** Ends a delivery as failed. */
	bury(delivery: Delivery, reason: string): void {
		Object.assign(delivery, { state: 'failed', nextRoundAt: null });
		const { id: deliveryId, conversationId, attempts } = delivery;
		const diedAt = new Date().toISOString();
		addBounded(this.dead, { deliveryId, conversationId, diedAt, reason, attempts: attempts.length });
	}
}
