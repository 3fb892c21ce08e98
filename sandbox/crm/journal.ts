import { randomUUID } from 'node:crypto';
import { addBounded } from '../log';
import type { Appointment } from './appointment';

const entry = (payload: unknown) => ({ id: randomUUID(), receivedAt: new Date().toISOString(), payload });

/** A row of the debugger view: an event as received and as stored (D2 § Events). */
type Received = ReturnType<typeof entry> & { eventId: string; stored: Appointment };

/** The debugger view's data and the dead letters. Neither contains requests refused with 4xx. */
export class Journals {
	private readonly received: Array<{ key: string; event: Received }> = [];
	/** Requests that failed with an unexpected error. */
	readonly deadLetters: Array<ReturnType<typeof entry> & { method: string; path: string }> = [];

	addReceived(key: string, payload: unknown, stored: Appointment): void {
		addBounded(this.received, { key, event: { ...entry(payload), eventId: stored.event_id, stored } });
	}

	addDead(method: string, path: string, payload: unknown): void {
		addBounded(this.deadLetters, { ...entry(payload), method, path });
	}

	/** Every event received for a key, oldest first. */
	receivedFor(key: string): Received[] {
		return this.received.filter((each) => each.key === key).map(({ event }) => event);
	}
}
