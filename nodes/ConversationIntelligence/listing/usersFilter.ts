import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { entryOf, refusedValue } from '../../shared/parameters';

/** Most users that a hint names. */
const MOST_NAMED = 3;

/** The users filter: picked from the service's list, or typed or computed as an expression; an entry of Filters. */
export const usersFilter: INodeProperties = {
	displayName: 'User Names or IDs',
	name: 'users',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
	description:
		'Only these users; the IDs are their emails. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The switch of the guard below; an entry of Options. */
export const guardOption: INodeProperties = {
	displayName: 'Drop Rows of Other Users',
	name: 'guardUsers',
	type: 'boolean',
	default: true,
	description: "Whether to drop the rows a team's API key returns when the users filter matches nobody",
};

/**
 * Reads the users filter (D1: exact, case-sensitive; omitted means all users).
 *
 * @param filters of the node; `users` is a list of emails or comma-separated text
 * @returns undefined for all users
 * @throws UserError for a value of another type, which must not export all users, or a user that is no email
 */
export function readUsers(filters: IDataObject): string[] | undefined {
	const value = entryOf(filters, 'users', []);
	const entries: unknown[] =
		typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
	const users = new Set<string>();
	for (const entry of entries) {
		if (typeof entry !== 'string') {
			const advice = 'Use a list of emails or comma-separated text, or remove the filter for all users.';
			throw refusedValue({ label: 'User Names or IDs', value, advice });
		}
		const user = entry.trim();
		if (user !== '' && !user.includes('@')) {
			const advice = 'Use exact, case-sensitive emails: the service filters by nothing else.';
			throw refusedValue({ label: 'A user', value: user, advice });
		}
		if (user !== '') users.add(user);
	}
	return users.size === 0 ? undefined : [...users];
}

/**
 * Drops rows of users who were not asked for, and counts whose they were (D1 § POST /export/conversations, rule 5:
 * a team-scoped key's filter that matches nobody falls back to all allowed users).
 */
export class UsersGuard {
	private readonly wanted: Set<string>;

	private readonly dropped = new Map<string, number>();

	/** Whether a row that was asked for came. */
	private matched = false;

	/**
	 * @param users exact emails
	 * @param emailOf the email of a row's user
	 */
	constructor(
		users: string[],
		private readonly emailOf: (row: IDataObject) => unknown,
	) {
		this.wanted = new Set(users);
	}

	/** Whether every row so far was somebody else's: the filter matched nobody, and all that follows is theirs too. */
	get isFallback(): boolean {
		return !this.matched && this.dropped.size > 0;
	}

	/** Rows dropped so far. */
	get count(): number {
		return [...this.dropped.values()].reduce((sum, rows) => sum + rows, 0);
	}

	/** Whether a row may pass. */
	passes(row: IDataObject): boolean {
		const email = this.emailOf(row);
		if (typeof email === 'string' && this.wanted.has(email)) return (this.matched = true);
		const whose = typeof email === 'string' ? email : 'an unnamed user';
		this.dropped.set(whose, (this.dropped.get(whose) ?? 0) + 1);
		return false;
	}

	/** How many rows of whom, most first, e.g. `12 of ana@example.com, 3 of ben@example.com`. */
	get whose(): string {
		const sorted = [...this.dropped].sort(([, a], [, b]) => b - a);
		const named = sorted.slice(0, MOST_NAMED).map(([email, rows]) => `${rows} of ${email}`);
		return [
			...named,
			...(sorted.length > MOST_NAMED ? [`and of ${sorted.length - MOST_NAMED} more users`] : []),
		].join(', ');
	}
}
