import type { Organization } from '../data/organization';
import type { Appointment } from './appointment';
import type { AppointmentBook } from './book';

/** Called when a conversation's transcript, summary, scoring and surveys are available. */
export type Announce = (organization: Organization, conversationId: string) => void;

interface Media {
	timer: NodeJS.Timeout;
	book: AppointmentBook;
	eventId: string;
}

/** Turns hosted audio into a processed conversation after a delay. */
export class Ingestion {
	/** By appointment and URL; undefined once processed, so that a repeated update creates no second conversation. */
	private readonly media = new Map<string, Media | undefined>();

	constructor(
		private readonly announce: Announce,
		private readonly delaySeconds: number,
	) {}

	/** Queues an appointment's media. Success only confirms receipt (D2 § POST /custom/appointment). */
	accept(book: AppointmentBook, { id, event_id: eventId, media_url }: Appointment): void {
		const source = `${id} ${media_url}`;
		if (this.media.has(source)) return;
		const timer = setTimeout(() => this.process(source), this.delaySeconds * 1000).unref();
		this.media.set(source, { timer, book, eventId });
	}

	/** Processes pending media now (all or one event's). Returns the new conversations' IDs. */
	finish(eventId?: string): string[] {
		const chosen = [...this.media].filter(([, media]) => eventId === undefined || media?.eventId === eventId);
		return chosen.flatMap(([source]) => this.process(source) ?? []);
	}

	close(): void {
		for (const media of this.media.values()) clearTimeout(media?.timer);
	}

	/** Sandbox's own choice: drops audio whose appointment was deleted. */
	private process(source: string): string | undefined {
		const media = this.media.get(source);
		this.media.set(source, undefined);
		clearTimeout(media?.timer);
		const appointment = media?.book.appointments.get(media.eventId);
		if (!media || !appointment) return undefined;
		const { book, eventId } = media;
		const { organization } = book;
		const row = organization.insertConversation(
			Date.parse(`${(appointment.start_time ?? '').replace(' ', 'T')}Z`),
			Date.now(),
			recorderOf(organization, appointment),
			fieldsOf(appointment),
		);
		const conversationId = organization.conversationIdOf(row);
		book.links.set(conversationId, eventId);
		this.announce(organization, conversationId);
		return conversationId;
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
