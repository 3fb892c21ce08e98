import { createHash, randomUUID } from 'node:crypto';
import type { Collection, Store } from '../store';
import type { Appointment } from './appointment';

const entry = (payload: unknown) => ({ id: randomUUID(), receivedAt: new Date().toISOString(), payload });

/** A row of the debugger view: an event as received and as stored (D2 § Events). */
const receivedEvent = (key: string, payload: unknown, stored: Appointment) => ({
	...entry(payload),
	eventId: stored.event_id,
	stored,
	keyDigest: digestOf(key),
});
/** A request that failed with an unexpected error. */
const deadLetter = (method: string, path: string, payload: unknown) => ({ ...entry(payload), method, path });

/** Identifies a key without storing it. */
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);

/** The debugger view's data and the dead letters. Neither contains requests refused with 4xx. */
export class Journals {
	private readonly received: Collection<ReturnType<typeof receivedEvent>>;
	private readonly dead: Collection<ReturnType<typeof deadLetter>>;

	constructor(store: Store) {
		this.received = store.collection('receivedEvents');
		this.dead = store.collection('deadLetters');
	}

	addReceived(...given: Parameters<typeof receivedEvent>): void {
		const event = receivedEvent(...given);
		this.received.makeRoom();
		this.received.put(event.id, event);
	}

	addDead(...given: Parameters<typeof deadLetter>): void {
		const letter = deadLetter(...given);
		this.dead.makeRoom();
		this.dead.put(letter.id, letter);
	}

	/** Every event received for a key, oldest first. */
	receivedFor(key: string) {
		const digest = digestOf(key);
		return this.received.list().filter((event) => event.keyDigest === digest);
	}

	deadLetters() {
		return this.dead.list();
	}
}
