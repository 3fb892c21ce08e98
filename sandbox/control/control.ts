import type { Organization } from '../data/organization';
import type { User } from '../data/people';

export interface InsertRequest {
	/** How many, default 1. */
	count?: number;
	/** ISO 8601 recording start of the first; the others follow one millisecond apart. Default: now. */
	date?: string;
	/** ISO 8601; default: the date. */
	processedDate?: string;
	/** E-mail of the rep; default: the reps in turn. */
	userEmail?: string;
	/** Fields that win over the generated ones, by their names in D1. */
	fields?: Record<string, unknown>;
}

/** A control request that cannot be done; the message says why. */
export class ControlError extends Error {}

function time(value: string, name: string): number {
	const at = Date.parse(value);
	if (Number.isNaN(at)) throw new ControlError(`${name} must be an ISO 8601 date, not "${value}".`);
	return at;
}

function userOf(organization: Organization, email: string): User {
	const user = organization.users.find((candidate) => candidate.email === email);
	if (!user) throw new ControlError(`No user has the email "${email}".`);
	return user;
}

/** What tests and demonstrations do to the service behind its back. */
export class Control {
	constructor(private readonly organization: Organization) {}

	/** Puts conversations in; returns their IDs in order. */
	insertConversations(request: InsertRequest = {}): string[] {
		const { count = 1, date = new Date().toISOString(), userEmail, fields } = request;
		if (!Number.isInteger(count) || count < 1 || count > 100_000) {
			throw new ControlError('count must be a whole number from 1 to 100000.');
		}
		const first = time(date, 'date');
		const processed = time(request.processedDate ?? date, 'processedDate');
		const user = userEmail === undefined ? undefined : userOf(this.organization, userEmail);
		return Array.from({ length: count }, (_, index) => {
			const row = this.organization.insertConversation(first + index, processed + index, user, fields);
			return this.organization.conversationIdOf(row);
		});
	}

	/** Takes conversations out. @throws ControlError when one does not exist. */
	removeConversations(...conversationIds: string[]): void {
		for (const id of conversationIds) {
			if (!this.organization.removeConversation(id))
				throw new ControlError(`No conversation has the ID "${id}".`);
		}
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
