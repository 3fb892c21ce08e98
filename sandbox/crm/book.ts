import { randomUUID } from 'node:crypto';
import type { Organization } from '../data/organization';
import { outcomes } from '../data/words';
import { Problem } from '../problem';
import { type Appointment, type AppointmentInput, checkCreate, exact, own } from './appointment';
import { attendeesOf } from './attendees';

/** States that a test can give a conversation's recording. */
export const recordingStates = ['present', 'none', 'missing'] as const;
export type RecordingState = (typeof recordingStates)[number];

/** An organization's appointments and their linked recordings. */
export class AppointmentBook {
	/** By event ID. */
	readonly appointments = new Map<string, Appointment>();
	/** The predefined outcomes and those created by a `result`. */
	readonly outcomes = [...outcomes];
	/** Event ID by conversation ID. */
	private readonly links = new Map<string, string>();
	private readonly recordings = new Map<string, RecordingState>();
	private readonly linkCounts = new Map<string, number>();

	constructor(readonly organization: Organization) {
		organization.linkedFields = (conversationId) => this.exported(conversationId);
	}

	/**
	 * Creates or updates by `event_id`. Omitted fields are kept; the attendee list is replaced.
	 * @throws Problem 400 or 422 without changing anything.
	 */
	save(input: AppointmentInput): Appointment {
		const { attendee_emails, result, ...fields } = input;
		const known = this.appointments.get(input.event_id);
		if (!known) checkCreate(input);
		const attendees = attendeesOf(this.organization.users, input.user_email, attendee_emails);
		if (attendees.length === 0) throw new Problem(exact.nobodyResolved, 422);
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
		if (!this.appointments.get(eventId)) throw new Problem(own.appointmentNotFound, 404);
		if (this.hasRecording(eventId)) throw new Problem(own.hasRecording, 409);
		this.appointments.delete(eventId);
	}

	/** Links a conversation's recording to an event. @throws Problem 404 or 422 without changing anything. */
	match(eventId: string, conversationId: string): void {
		if (!this.appointments.get(eventId)) throw new Problem(exact.eventNotFound, 404);
		const row = this.organization.findConversation(conversationId);
		if (!row) throw new Problem(exact.conversationNotFound, 404);
		const recording = this.recordings.get(conversationId);
		if (recording === 'none') throw new Problem(exact.noRecording, 422);
		if (recording === 'missing') throw new Problem(exact.recordingGone, 422);
		this.link(conversationId, eventId);
	}

	/** Replaces any earlier link of this conversation. */
	link(conversationId: string, eventId: string): void {
		const earlier = this.links.get(conversationId);
		if (earlier !== undefined) this.countLink(earlier, -1);
		this.links.set(conversationId, eventId);
		this.countLink(eventId, 1);
	}

	hasRecording(eventId: string): boolean {
		return (this.linkCounts.get(eventId) ?? 0) > 0;
	}

	setRecording(conversationId: string, state: RecordingState): void {
		this.recordings.set(conversationId, state);
	}

	/** Finds an outcome, ignoring case, or creates it (D2-RULE-02). */
	private outcome(result: string): string {
		const existing = this.outcomes.find((name) => name.toLowerCase() === result.toLowerCase());
		if (existing === undefined) this.outcomes.push(result);
		return existing ?? result;
	}

	private countLink(eventId: string, change: 1 | -1): void {
		this.linkCounts.set(eventId, (this.linkCounts.get(eventId) ?? 0) + change);
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
