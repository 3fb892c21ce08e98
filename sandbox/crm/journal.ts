import { createHash } from 'node:crypto';
import type { Collection, Store } from '../store';
import type { Appointment } from './appointment';

/** An event that reached storage, as the debugger view lists it (D2 § Events). */
export interface ReceivedEvent {
	id: string;
	/** ISO 8601. */
	receivedAt: string;
	eventId: string;
	/** The body as it came. */
	payload: unknown;
	/** Exactly what was stored. */
	stored: Appointment;
	/** Tells the keys apart without keeping them. */
	keyDigest: string;
}

/** An event that ended in an unexpected error. */
export interface DeadLetter {
	id: string;
	receivedAt: string;
	method: string;
	path: string;
	payload: unknown;
}

/** Older entries give way, so that a long load test does not fill the memory. */
const mostEntries = 20_000;

class Journal<Entry extends { id: string }> {
	private readonly ids: string[];
	private last: number;

	constructor(private readonly entries: Collection<Entry>) {
		this.ids = entries.list().map((entry) => entry.id);
		this.last = Number(this.ids.at(-1) ?? 0);
	}

	add(make: (id: string) => Entry): void {
		const id = String(++this.last);
		this.entries.put(id, make(id));
		this.ids.push(id);
		if (this.ids.length > mostEntries) this.entries.delete(this.ids.shift() ?? '');
	}

	list(): Entry[] {
		return this.entries.list();
	}
}

const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);

/** The debugger view's data, and the dead letters. A 4xx never gets here. */
export class Journals {
	private readonly received: Journal<ReceivedEvent>;
	private readonly dead: Journal<DeadLetter>;

	constructor(store: Store) {
		this.received = new Journal(store.collection('receivedEvents'));
		this.dead = new Journal(store.collection('deadLetters'));
	}

	addReceived(key: string, payload: unknown, stored: Appointment): void {
		const receivedAt = new Date().toISOString();
		const keyDigest = digestOf(key);
		this.received.add((id) => ({ id, receivedAt, eventId: stored.event_id, payload, stored, keyDigest }));
	}

	addDead(method: string, path: string, payload: unknown): void {
		this.dead.add((id) => ({ id, receivedAt: new Date().toISOString(), method, path, payload }));
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
