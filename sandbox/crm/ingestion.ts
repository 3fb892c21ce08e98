import { EventEmitter } from 'node:events';
import type { Organization } from '../data/organization';
import type { Row } from '../data/rows';
import type { Collection, Store } from '../store';
import type { Appointment } from './appointment';
import type { AppointmentBook } from './book';

type Processed = { organization: Organization; conversationId: string };

/** Emits an event when a conversation's transcript, summary, scoring and surveys are available. */
export class SandboxEvents extends EventEmitter<{ conversationProcessed: [Processed] }> {
	processed(organization: Organization, row: Row): string {
		const conversationId = organization.conversationIdOf(row);
		this.emit('conversationProcessed', { organization, conversationId });
		return conversationId;
	}
}

interface PendingMedia {
	/** Appointment and URL, so that a repeated update does not create a second conversation. */
	source: string;
	organizationId: string;
	eventId: string;
}

/** Turns hosted audio into a processed conversation after a delay. */
export class Ingestion {
	private readonly pending: Collection<PendingMedia>;
	private readonly taken: Collection<true>;
	private readonly timers = new Map<string, NodeJS.Timeout>();

	/** Schedules media that was pending before a restart. */
	constructor(
		private readonly books: readonly AppointmentBook[],
		store: Store,
		private readonly events: SandboxEvents,
		private readonly delaySeconds: number,
	) {
		this.pending = store.collection('pendingMedia');
		this.taken = store.collection('takenMedia');
		for (const media of this.pending.list()) this.schedule(media);
	}

	/** Queues an appointment's media. Success only confirms receipt (D2 § POST /custom/appointment). */
	accept({ id, organizationId, event_id: eventId, media_url }: Appointment): void {
		const source = `${id} ${media_url}`;
		if (this.taken.get(source)) return;
		this.taken.put(source, true);
		const media = { source, organizationId, eventId };
		this.pending.put(source, media);
		this.schedule(media);
	}

	/** Processes pending media now (all or one event's). Returns the new conversations' IDs. */
	finish(eventId?: string): string[] {
		const chosen = this.pending.list().filter((media) => eventId === undefined || media.eventId === eventId);
		return chosen.flatMap((media) => this.process(media) ?? []);
	}

	close(): void {
		for (const timer of this.timers.values()) clearTimeout(timer);
	}

	private schedule(media: PendingMedia): void {
		const timer = setTimeout(() => this.process(media), this.delaySeconds * 1000);
		this.timers.set(media.source, timer.unref());
	}

	/** Sandbox's own choice: drops audio whose appointment was deleted. */
	private process({ source, organizationId, eventId }: PendingMedia): string | undefined {
		clearTimeout(this.timers.get(source));
		this.timers.delete(source);
		this.pending.delete(source);
		const book = this.books.find(({ organization }) => organization.id === organizationId);
		const appointment = book?.appointments.get(eventId);
		if (!book || !appointment) return undefined;
		const { organization } = book;
		const row = organization.insertConversation(
			Date.parse(`${(appointment.start_time ?? '').replace(' ', 'T')}Z`),
			Date.now(),
			recorderOf(organization, appointment),
			fieldsOf(appointment),
		);
		book.link(organization.conversationIdOf(row), eventId);
		return this.events.processed(organization, row);
	}
}

/** Calls imported by location belong to a system account (D2 § Attendee rules, 6). */
function recorderOf(organization: Organization, { recording_type, attendees }: Appointment) {
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION') return organization.unassigned;
	return organization.users.find((user) => user.email === attendees[0]);
}

const noAddress = { street: null, unit: null, city: null, state: null, zip: null, country: null };

/** Conversation fields taken from the appointment. Sandbox's own choice: `street` holds the whole address. */
function fieldsOf({ title, customer }: Appointment): Record<string, unknown> {
	if (!customer) return { title: title ?? null };
	const { name, email = null, phone = null, address = null } = customer;
	return {
		title: title ?? null,
		customer: { name, email, phone, address: { ...noAddress, street: address } },
	};
}
