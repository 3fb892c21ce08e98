import type { Organization } from '../data/organization';
import type { SandboxEvents } from '../events';
import type { Collection, Store } from '../store';
import type { Appointment } from './appointment';
import type { AppointmentBook } from './book';

interface PendingMedia {
	organizationId: string;
	eventId: string;
	/** ISO 8601. */
	receivedAt: string;
}

/** Turns hosted audio into a processed conversation, some time after the appointment was accepted. */
export class Ingestion {
	private readonly pending: Collection<PendingMedia>;
	/** Media that was taken, so that a repeated update does not make a second conversation of it. */
	private readonly taken: Collection<true>;
	private readonly timers = new Map<string, NodeJS.Timeout>();

	/** Media left over from before a restart is processed after the usual delay. */
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
	accept(appointment: Appointment): void {
		const { id, organizationId, event_id: eventId, media_url } = appointment;
		const source = `${id} ${media_url}`;
		if (this.taken.get(source)) return;
		this.taken.put(source, true);
		const media = { organizationId, eventId, receivedAt: new Date().toISOString() };
		this.pending.put(keyOf(media), media);
		this.schedule(media);
	}

	/** Event IDs whose media is still being processed. */
	waiting(): string[] {
		return this.pending.list().map((media) => media.eventId);
	}

	/** Finishes at once what is waiting, or only one event's media. Returns the new conversations' IDs. */
	finish(eventId?: string): string[] {
		const chosen = this.pending.list().filter((media) => eventId === undefined || media.eventId === eventId);
		return chosen.flatMap((media) => this.process(media) ?? []);
	}

	close(): void {
		for (const timer of this.timers.values()) clearTimeout(timer);
		this.timers.clear();
	}

	private schedule(media: PendingMedia): void {
		clearTimeout(this.timers.get(keyOf(media)));
		const timer = setTimeout(() => this.process(media), this.delaySeconds * 1000);
		timer.unref();
		this.timers.set(keyOf(media), timer);
	}

	/** Sandbox's own choice: audio of an appointment that was deleted meanwhile is dropped. */
	private process(media: PendingMedia): string | undefined {
		clearTimeout(this.timers.get(keyOf(media)));
		this.timers.delete(keyOf(media));
		if (!this.pending.delete(keyOf(media))) return undefined;
		const book = this.books.find(({ organization }) => organization.id === media.organizationId);
		const appointment = book?.get(media.eventId);
		if (!book || !appointment) return undefined;
		const { organization } = book;
		const row = organization.insertConversation(
			Date.parse(`${(appointment.start_time ?? '').replace(' ', 'T')}Z`),
			Date.now(),
			recorderOf(organization, appointment),
			fieldsOf(appointment),
		);
		const conversationId = organization.conversationIdOf(row);
		book.link(conversationId, media.eventId);
		this.events.emit('conversationProcessed', { organization, row, conversationId });
		return conversationId;
	}
}

const keyOf = (media: PendingMedia) => `${media.organizationId} ${media.eventId}`;

/** Calls imported by location stay with a system-managed unassigned account (D2 § Attendee rules, 6). */
function recorderOf(organization: Organization, { recording_type, attendees }: Appointment) {
	if (recording_type === 'CALL_AUDIO_WITH_LOCATION') return organization.unassigned;
	return organization.users.find((user) => user.email === attendees[0]);
}

const noAddress = { street: null, unit: null, city: null, state: null, zip: null, country: null };

/** Fields of the new conversation that come from the appointment. Sandbox's own choice: the address goes into `street`. */
function fieldsOf({ title, customer }: Appointment): Record<string, unknown> {
	return {
		title: title ?? null,
		customer: customer && {
			name: customer.name,
			email: customer.email ?? null,
			phone: customer.phone ?? null,
			address: { ...noAddress, street: customer.address ?? null },
		},
	};
}
