import type { AppointmentBook, RecordingState } from '../crm/book';
import type { Ingestion } from '../crm/ingestion';
import type { Journals } from '../crm/journal';
import type { Organization } from '../data/organization';
import type { User } from '../data/people';
import type { Row } from '../data/rows';
import type { SandboxEvents } from '../events';
import type { KeyRing } from '../keys';
import {
	finishSchema,
	type FinishRequest,
	type InsertRequest,
	insertSchema,
	recordingSchema,
} from './bodies';
import { checked, ControlError } from './checked';

export interface ControlledParts {
	keyRing: KeyRing;
	books: readonly AppointmentBook[];
	ingestion: Ingestion;
	journals: Journals;
	events: SandboxEvents;
}

function userOf(organization: Organization, email: string): User {
	const user = organization.users.find((candidate) => candidate.email === email);
	if (!user) throw new ControlError(`No user has the email "${email}".`);
	return user;
}

/** What tests and demonstrations do to the service behind its back. */
export class Control {
	constructor(private readonly parts: ControlledParts) {}

	private get organization(): Organization {
		return this.parts.keyRing.organization;
	}

	/** Puts conversations in; returns their IDs in order. @throws ControlError when it cannot be done. */
	insertConversations(given: InsertRequest = {}): string[] {
		const request = checked(insertSchema, given, 'Conversations');
		const { count = 1, date = new Date().toISOString(), userEmail, fields } = request;
		const first = Date.parse(date);
		const processed = Date.parse(request.processedDate ?? date);
		const user = userEmail === undefined ? undefined : userOf(this.organization, userEmail);
		return Array.from({ length: count }, (_, index) => {
			const row = this.organization.insertConversation(first + index, processed + index, user, fields);
			const conversationId = this.organization.conversationIdOf(row);
			if (request.announce) {
				this.parts.events.emit('conversationProcessed', {
					organization: this.organization,
					row,
					conversationId,
				});
			}
			return conversationId;
		});
	}

	/**
	 * Finishes the processing of ingested media now (all of it, or one event's), or says once more that a
	 * conversation was processed. Returns the conversations' IDs.
	 * @throws ControlError for a conversation that does not exist
	 */
	finishProcessing(which: FinishRequest = {}): string[] {
		const { eventId, conversationId } = checked(finishSchema, which, 'Processing');
		if (conversationId === undefined) return this.parts.ingestion.finish(eventId);
		const row = this.rowOf(conversationId);
		this.parts.events.emit('conversationProcessed', { organization: this.organization, row, conversationId });
		return [conversationId];
	}

	/** The appointments of a key's organization. */
	appointments(key = this.parts.keyRing.keys.organization) {
		const book = this.bookOf(key);
		return book.list().map((appointment) => ({
			...appointment,
			hasRecording: book.hasRecording(appointment.event_id),
		}));
	}

	outcomes(key = this.parts.keyRing.keys.organization): string[] {
		return this.bookOf(key).outcomes();
	}

	/** The debugger view's data: every event received for a key (D2 § Events). */
	debugger(key: string) {
		if (!this.parts.keyRing.isKnown(key)) throw new ControlError('This key is not known.');
		return this.parts.journals.receivedFor(key);
	}

	deadLetters() {
		return this.parts.journals.deadLetters();
	}

	/**
	 * Makes the recording behind a conversation absent (`none`), lost (`missing`) or `present` again.
	 * @throws ControlError for a conversation that does not exist
	 */
	setRecording(conversationId: string, state: RecordingState): void {
		checked(recordingSchema, { conversationId, state }, 'Recording');
		this.rowOf(conversationId);
		this.bookOf(this.parts.keyRing.keys.organization).setRecording(conversationId, state);
	}

	/** Takes conversations out. @throws ControlError when one does not exist. */
	removeConversations(...conversationIds: string[]): void {
		for (const id of conversationIds) this.rowOf(id);
		for (const id of conversationIds) this.organization.removeConversation(id);
	}

	/** Deletes a key, as the web app would. @throws ControlError when it is not known. */
	deleteKey(key: string): void {
		if (!this.parts.keyRing.delete(key)) throw new ControlError('This key is not known.');
	}

	/** IDs of conversations at positions of the whole list, oldest first. */
	conversationIds(position = 0, count = 1): string[] {
		const view = this.everything();
		if (position + count > view.total) throw new ControlError(`There are only ${view.total} conversations.`);
		return Array.from({ length: count }, (_, index) =>
			this.organization.conversationIdOf(view.at(this.place(position + index, view.total))),
		);
	}

	/** A date just before that of the conversation at a position, oldest first; past the end: after the last. */
	dateBefore(position: number, milliseconds = 1): string {
		const view = this.everything();
		if (view.total === 0) return new Date().toISOString();
		const isPast = position >= view.total;
		const row = view.at(this.place(Math.min(position, view.total - 1), view.total));
		return new Date(row.date + (isPast ? 1 : -milliseconds)).toISOString();
	}

	/** The organization's users, with what the export does not show. */
	users() {
		return this.organization.users.map((user) => ({
			userId: user.userId,
			name: user.name,
			email: user.email,
			alternateEmails: user.alternateEmails,
			role: user.role,
			teams: user.teams.map((team) => team.name),
			isRemoved: user.isRemoved,
			isHidden: user.isHidden,
			records: user.recorder !== undefined,
		}));
	}

	private rowOf(conversationId: string): Row {
		const row = this.organization.findConversation(conversationId);
		if (!row) throw new ControlError(`No conversation has the ID "${conversationId}".`);
		return row;
	}

	private bookOf(key: string): AppointmentBook {
		const organization = this.parts.keyRing.scopeOf(key)?.organization;
		const book = this.parts.books.find((candidate) => candidate.organization === organization);
		if (!book) throw new ControlError('This key belongs to no organization.');
		return book;
	}

	private everything() {
		return this.organization.view('conversations', {
			by: 'date',
			from: -8e15,
			to: 8e15,
			users: this.organization.users,
		});
	}

	private place(position: number, total: number): number {
		return this.organization.newestFirst ? total - 1 - position : position;
	}
}
