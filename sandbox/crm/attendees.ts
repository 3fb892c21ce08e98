import type { User } from '../data/people';

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
export function attendeesOf(users: readonly User[], owner: string, others: readonly string[] = []): User[] {
	return [...new Set([owner, ...others].flatMap((address) => find(users, address) ?? []))];
}
