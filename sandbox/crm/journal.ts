import { createHash, randomUUID } from 'node:crypto';
import { type Collection, makeRoom, type Store } from '../store';
import type { Appointment } from './appointment';

interface Entry {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
	/** The body as it came. */
	payload: unknown;
}

/** An event that reached storage, as the debugger view lists it (D2 § Events). */
export interface ReceivedEvent extends Entry {
	eventId: string;
	/** Exactly what was stored. */
	stored: Appointment;
	/** Tells the keys apart without keeping them. */
	keyDigest: string;
}

/** An event that ended in an unexpected error. */
export interface DeadLetter extends Entry {
	method: string;
	path: string;
}

/** Older entries are dropped, so that a long load test does not fill the memory. */
const mostEntries = 20_000;
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);
const entry = () => ({ id: randomUUID(), receivedAt: new Date().toISOString() });

/** The debugger view's data, and the dead letters. A request that was answered 4xx is in neither. */
export class Journals {
	private readonly received: Collection<ReceivedEvent>;
	private readonly dead: Collection<DeadLetter>;

	constructor(store: Store) {
		this.received = store.collection('receivedEvents');
		this.dead = store.collection('deadLetters');
	}

	addReceived(key: string, payload: unknown, stored: Appointment): void {
		const event = { ...entry(), eventId: stored.event_id, payload, stored, keyDigest: digestOf(key) };
		makeRoom(this.received, mostEntries, ({ id }) => id);
		this.received.put(event.id, event);
	}

	addDead(method: string, path: string, payload: unknown): void {
		const letter = { ...entry(), method, path, payload };
		makeRoom(this.dead, mostEntries, ({ id }) => id);
		this.dead.put(letter.id, letter);
	}

	/** Every event received for a key, oldest first. */
	receivedFor(key: string): ReceivedEvent[] {
		const digest = digestOf(key);
		return this.received.list().filter((event) => event.keyDigest === digest);
	}

	deadLetters(): DeadLetter[] {
		return this.dead.list();
	}
}
