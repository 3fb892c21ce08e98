import { z } from 'zod';
import type { AppointmentBook, RecordingState } from '../crm/book';
import type { Announce, Ingestion } from '../crm/ingestion';
import type { Journals } from '../crm/journal';
import type { Organization } from '../data/organization';
import type { Row } from '../data/rows';
import type { Scopes } from '../keys';
import { checked, isoDate, Problem } from '../problem';

const insertion = z
	.object({
		count: z.number().int().min(1).max(100_000).default(1),
		/** When the first recording starts (default: now); the others follow one millisecond apart. */
		date: isoDate.optional(),
		/** Default: `date`. */
		processedDate: isoDate.optional(),
		/** The rep's email. By default, reps take turns. */
		userEmail: z.string().optional(),
		/** Values that replace generated ones, by D1 field name. */
		fields: z.record(z.unknown()).optional(),
		/** What the transcripts say: a text for each turn, the rep's first. */
		said: z.array(z.string()).optional(),
		/** Whether to send webhooks for the conversations. */
		announce: z.boolean().default(false),
	})
	.strict();

const finishing = z.object({ eventId: z.string().optional() }).strict();

/** Changes the service's state for tests and demos. Methods throw Problem for invalid input. */
export class Control {
	constructor(
		private readonly book: AppointmentBook,
		private readonly scopes: Scopes,
		private readonly ingestion: Ingestion,
		readonly journals: Journals,
		private readonly announce: Announce,
	) {}

	private get organization(): Organization {
		return this.book.organization;
	}

	/** Adds conversations; returns their IDs in order. */
	insertConversations(given: z.input<typeof insertion> = {}): string[] {
		const { count, date, processedDate, userEmail, fields, said, announce } = checked(insertion, given);
		const first = date === undefined ? Date.now() : Date.parse(date);
		const processed = processedDate === undefined ? first : Date.parse(processedDate);
		const user = this.organization.users.find(({ email }) => email === userEmail);
		if (userEmail !== undefined && !user) throw new Problem(`No user has the email "${userEmail}".`);
		return Array.from({ length: count }, (_, index) => {
			const row = this.organization.insertConversation(first + index, processed + index, user, fields);
			row.said = said;
			const conversationId = this.organization.conversationIdOf(row);
			if (announce) this.announce(this.organization, conversationId);
			return conversationId;
		});
	}

	/** A fresh link to a conversation's transcript. */
	transcriptUrl(conversationId: string): string {
		this.organization.conversation(conversationId);
		return this.organization.addresses.link(`/transcripts/${conversationId}.json`);
	}

	/** Finishes pending media, all or one event's. Returns the conversations' IDs. */
	finishProcessing(which: z.input<typeof finishing> = {}): string[] {
		return this.ingestion.finish(checked(finishing, which).eventId);
	}

	appointments() {
		const { book } = this;
		const all = [...book.appointments.values()];
		return all.map((each) => ({ ...each, hasRecording: book.hasRecording(each.event_id) }));
	}

	outcomes(): string[] {
		return [...this.book.outcomes];
	}

	/** The debugger view's data: every event received for a key (D2 § Events). */
	debugger(key: string) {
		if (!this.scopes.has(key)) throw new Problem('This key is not known.', 400, ['key']);
		return this.journals.received.filter((event) => event.key === key);
	}

	/** Sets a conversation's recording to `none`, `missing` (lost) or `present`. */
	setRecording(conversationId: string, state: RecordingState): void {
		this.organization.conversation(conversationId);
		this.book.recordings.set(conversationId, state);
	}

	/** Removes all these conversations; removes none if one does not exist. */
	removeConversations(...conversationIds: string[]): void {
		for (const id of conversationIds) this.organization.conversation(id);
		for (const id of conversationIds) this.organization.removeConversation(id);
	}

	deleteKey(key: string): void {
		if (!this.scopes.delete(key)) throw new Problem('This key is not known.');
	}

	/** IDs of `count` conversations from `position` on, oldest first. */
	conversationIds(position = 0, count = 1): string[] {
		return this.organization.conversationIds(position, count);
	}

	/** The number of conversations and the dates of the first and last. */
	extent() {
		const rows = this.organization.conversations;
		const dateOf = ({ date }: Row) => new Date(date).toISOString();
		const [first, last] = [rows[0], rows[rows.length - 1]];
		return { conversations: rows.length, ...(first && { from: dateOf(first), to: dateOf(last) }) };
	}

	/** The organization's users, including what the export omits. */
	users() {
		return this.organization.users.map(({ userId, name, email, alternateEmails, role, ...user }) => {
			const { isRemoved, isHidden, records } = user;
			const teams = user.teams.map((team) => team.name);
			return { userId, name, email, alternateEmails, role, teams, isRemoved, isHidden, records };
		});
	}
}
