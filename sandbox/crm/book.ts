import { randomUUID } from 'node:crypto';
import type { Organization } from '../data/organization';
import type { User } from '../data/people';
import { outcomes } from '../data/words';
import { Problem } from '../problem';
import { type Appointment, type AppointmentInput, checkCreate } from './appointment';

/** States that a test can give a conversation's recording. */
export type RecordingState = 'present' | 'none' | 'missing';

/** An organization's appointments and their linked recordings. */
export class AppointmentBook {
	/** By event ID. */
	readonly appointments = new Map<string, Appointment>();
	/** The predefined outcomes and those created by a `result`. */
	readonly outcomes = [...outcomes];
	/** Event ID by conversation ID. */
	readonly links = new Map<string, string>();
	/** By conversation ID; any other is present. */
	readonly recordings = new Map<string, RecordingState>();

	constructor(readonly organization: Organization) {
		organization.linkedFields = (conversationId) => this.exported(conversationId);
	}

	/** Creates or updates by `event_id`. Omitted fields are kept; the attendee list is replaced. */
	save(input: AppointmentInput): Appointment {
		const { attendee_emails, result, ...fields } = input;
		const known = this.appointments.get(input.event_id);
		if (!known) checkCreate(input);
		const attendees = attendeesOf(this.organization.users, input.user_email, attendee_emails);
		if (attendees.length === 0) throw new Problem('User email is not in Sandbox', 422);
		const now = new Date().toISOString();
		const appointment: Appointment = {
			...(known ?? { id: randomUUID(), organizationId: this.organization.id, createdAt: now }),
			...fields,
			...(result !== undefined && { result: this.outcome(result) }),
			attendees: attendees.map((user) => user.email),
			updatedAt: now,
		};
		this.appointments.set(input.event_id, appointment);
		return appointment;
	}

	/** @throws Problem 404 or 409. */
	remove(eventId: string): void {
		if (!this.appointments.get(eventId)) throw new Problem('Appointment not found', 404);
		if (this.hasRecording(eventId)) throw new Problem('Appointment has a linked recording', 409);
		this.appointments.delete(eventId);
	}

	/** Links a conversation's recording to an event. @throws Problem 404 or 422 without changing anything. */
	match(eventId: string, conversationId: string): void {
		if (!this.appointments.get(eventId)) throw new Problem('Event not found', 404);
		const row = this.organization.findConversation(conversationId);
		if (!row) throw new Problem('Conversation not found', 404);
		const recording = this.recordings.get(conversationId);
		if (recording === 'none') throw new Problem('Conversation has no recording to link', 422);
		if (recording === 'missing')
			throw new Problem("Conversation's recording could not be found to link", 422);
		this.links.set(conversationId, eventId);
	}

	hasRecording(eventId: string): boolean {
		return [...this.links.values()].includes(eventId);
	}

	/** Finds an outcome, ignoring case, or creates it (D2-RULE-02). */
	private outcome(result: string): string {
		const existing = this.outcomes.find((name) => name.toLowerCase() === result.toLowerCase());
		if (existing === undefined) this.outcomes.push(result);
		return existing ?? result;
	}

	/** Export fields taken from the linked appointment (D1 § ConversationsExport). */
	private exported(conversationId: string): Record<string, unknown> | undefined {
		const appointment = this.appointments.get(this.links.get(conversationId) ?? '');
		if (!appointment) return undefined;
		return {
			crmEventID: appointment.event_id,
			// D2 appointments have no job number and no field-service link.
			jobNumber: null,
			stLink: null,
			totalSold: appointment.price ?? null,
			outcome: appointment.result ?? null,
			customFields: appointment.custom_fields ?? null,
		};
	}
}

const isActive = (user: User) => !user.isRemoved && !user.isHidden;
/** The part before the last "@". Sandbox's own choice: text without "@" has no prefix. */
const prefixOf = (email: string) =>
	email.includes('@') ? email.slice(0, email.lastIndexOf('@')).toLowerCase() : '';

/**
 * Finds a user by primary email, alternate email or unambiguous first.last prefix, in this order
 * (D2 § Attendee rules, 2). Case does not matter. Sandbox's own choices: removed and hidden users never match, and do not make a
 * prefix ambiguous.
 */
function find(users: readonly User[], address: string): User | undefined {
	const email = address.trim().toLowerCase();
	const is = (other: string) => other.toLowerCase() === email;
	const exactly = users.find((user) => is(user.email)) ?? users.find((user) => user.alternateEmails.some(is));
	if (exactly) return isActive(exactly) ? exactly : undefined;
	const prefix = prefixOf(email);
	if (!/^[^.@]+\.[^.@]+$/.test(prefix)) return undefined;
	const candidates = users.filter((user) => isActive(user) && prefixOf(user.email) === prefix);
	return candidates.length === 1 ? candidates[0] : undefined;
}

/** The users behind the emails, without duplicates. */
function attendeesOf(users: readonly User[], owner: string, others: readonly string[] = []): User[] {
	return [...new Set([owner, ...others].flatMap((address) => find(users, address) ?? []))];
}
