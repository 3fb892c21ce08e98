import type { User } from '../data/people';

const isActive = (user: User) => !user.isRemoved && !user.isHidden;

/** The part before the last "@". Sandbox's own choice: text without "@" has no prefix. */
const prefixOf = (email: string) =>
	email.includes('@') ? email.slice(0, email.lastIndexOf('@')).toLowerCase() : '';

/** Finds one organization's users by email (D2 § Attendee rules, 2). */
export class Directory {
	private readonly byPrimary = new Map<string, User>();
	private readonly byAlternate = new Map<string, User>();
	private readonly byPrefix = new Map<string, User[]>();

	constructor(users: readonly User[]) {
		for (const user of users) {
			this.byPrimary.set(user.email.toLowerCase(), user);
			for (const email of user.alternateEmails) this.byAlternate.set(email.toLowerCase(), user);
			// Sandbox's own choice: inactive users do not make a prefix ambiguous.
			if (!isActive(user)) continue;
			const prefix = prefixOf(user.email);
			this.byPrefix.set(prefix, [...(this.byPrefix.get(prefix) ?? []), user]);
		}
	}

	/**
	 * Finds a user by primary email, alternate email or unambiguous first.last prefix, in this order. Case does
	 * not matter. Removed and hidden users never match; for a single rep, that is the sandbox's own choice.
	 */
	find(address: string): User | undefined {
		const email = address.trim().toLowerCase();
		const exactly = this.byPrimary.get(email) ?? this.byAlternate.get(email);
		if (exactly) return isActive(exactly) ? exactly : undefined;
		const prefix = prefixOf(email);
		const candidates = /^[^.@]+\.[^.@]+$/.test(prefix) ? (this.byPrefix.get(prefix) ?? []) : [];
		return candidates.length === 1 ? candidates[0] : undefined;
	}

	/** The users behind the emails, without duplicates. */
	attendees(owner: string, others: readonly string[] = []): User[] {
		const found = [owner, ...others].flatMap((address) => this.find(address) ?? []);
		return [...new Set(found)];
	}
}
