import { EventEmitter } from 'node:events';
import type { Organization } from '../data/organization';
import type { Row } from '../data/rows';
import type { Collection, Store } from '../store';
import type { Appointment } from './appointment';
import type { AppointmentBook } from './book';

type Processed = { organization: Organization; conversationId: string };

/** What happens inside the sandbox: a conversation's transcript, summary, scoring and surveys are available. */
export class SandboxEvents extends EventEmitter<{ conversationProcessed: [Processed] }> {
	processed(organization: Organization, row: Row): string {
		const conversationId = organization.conversationIdOf(row);
		this.emit('conversationProcessed', { organization, conversationId });
		return conversationId;
	}
}

interface PendingMedia {
	/** Appointment and URL: a repeated update makes no second conversation of the same audio. */
	source: string;
	organizationId: string;
	eventId: string;
}

/** Turns hosted audio into a processed conversation, some time after the appointment was accepted. */
export class Ingestion {
	private readonly pending: Collection<PendingMedia>;
	private readonly taken: Collection<true>;
	private readonly timers = new Map<string, NodeJS.Timeout>();

	/** Media that was pending before a restart is processed after the usual delay. */
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

	/** Takes an appointment's `media_url`. Success confirms receipt only (D2 § POST /custom/appointment). */
	accept({ id, organizationId, event_id: eventId, media_url }: Appointment): void {
		const source = `${id} ${media_url}`;
		if (this.taken.get(source)) return;
		this.taken.put(source, true);
		const media = { source, organizationId, eventId };
		this.pending.put(source, media);
		this.schedule(media);
	}

	/** Finishes what is pending now: all of it, or one event's media. Returns the new conversations' IDs. */
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

	/** Sandbox's own choice: audio of an appointment that was deleted meanwhile is dropped. */
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

/** Calls imported by location stay with a system-managed unassigned account (D2 § Attendee rules, 6). */
function recorderOf(organization: Organization, { recording_type, attendees }: Appointment) {
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION') return organization.unassigned;
	return organization.users.find((user) => user.email === attendees[0]);
}

const noAddress = { street: null, unit: null, city: null, state: null, zip: null, country: null };

/** Fields of the new conversation that come from the appointment. Sandbox's own choice: the address is `street`. */
function fieldsOf({ title, customer }: Appointment): Record<string, unknown> {
	if (!customer) return { title: title ?? null };
	const { name, email = null, phone = null, address = null } = customer;
	return {
		title: title ?? null,
		customer: { name, email, phone, address: { ...noAddress, street: address } },
	};
}
