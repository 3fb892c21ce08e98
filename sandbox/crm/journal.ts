import { randomUUID } from 'node:crypto';
import { addBounded } from '../log';
import type { Appointment } from './appointment';

const entry = (payload: unknown) => ({ id: randomUUID(), receivedAt: new Date().toISOString(), payload });
type Entry<More> = ReturnType<typeof entry> & More;

/** Oldest first; neither has requests refused with 4xx. */
export class Journals {
	/** The debugger view's events, as received and as stored (D2 § Events). */
	readonly received: Array<Entry<{ key: string; eventId: string; stored: Appointment }>> = [];
	/** Requests that failed with an unexpected error. */
	readonly deadLetters: Array<Entry<{ method: string; path: string }>> = [];

	addReceived(key: string, payload: unknown, stored: Appointment): void {
		addBounded(this.received, { ...entry(payload), key, eventId: stored.event_id, stored });
	}

	addDead(method: string, path: string, payload: unknown): void {
		addBounded(this.deadLetters, { ...entry(payload), method, path });
	}
}
