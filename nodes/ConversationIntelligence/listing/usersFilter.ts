import { UserError, type IDataObject, type INodeProperties } from 'n8n-workflow';

/** The users filter: picked from the service's list, typed, or both; and the guard against its fallback. */
export const usersOptions: INodeProperties[] = [
	{
		displayName: 'Drop Rows of Other Users',
		name: 'guardUsers',
		type: 'boolean',
		default: true,
		description:
			'Whether to drop rows of users who were not asked for. For a key limited to teams, the service returns all its users when the filter matches nobody.',
	},
	{
		displayName: 'User Emails',
		name: 'userEmails',
		type: 'string',
		default: '',
		placeholder: 'e.g. ana@example.com, ben@example.com',
		description: 'Comma-separated, exact and case-sensitive; added to User Names or IDs',
	},
	{
		displayName: 'User Names or IDs',
		name: 'users',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getUsers' },
		default: [],
		description:
			'Only these users; the IDs are their emails. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

/** The two fields of the filter, by their labels. */
const FIELDS = { users: 'User Names or IDs', userEmails: 'User Emails' };

/**
 * Reads the users filter (D1: exact, case-sensitive; omitted means all users).
 *
 * @param options of the node; each of the two fields may be a list or comma-separated text
 * @throws UserError for a value of another type, or a user that is no email: the service would match nobody
 */
export function readUsers(options: IDataObject): { users?: string[] } {
	const entries = Object.entries(FIELDS).flatMap(([name, label]) =>
		Object.hasOwn(options, name) ? entriesOf(options[name], label) : [],
	);
	const users = [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
	const wrong = users.find((user) => !user.includes('@'));
	if (wrong !== undefined) {
		throw new UserError(`The user "${wrong}" is not an email address`, {
			description: 'Use exact, case-sensitive emails: the service filters by nothing else.',
		});
	}
	return users.length === 0 ? {} : { users };
}

/** Anything but texts is refused: read as no filter, it would export all users. */
function entriesOf(value: unknown, label: string): string[] {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
	return entries.map((entry) => {
		if (typeof entry === 'string') return entry;
		throw new UserError(`${label} is ${JSON.stringify(value) ?? 'undefined'}`, {
			description: 'Use a list of emails or comma-separated text, or remove the option for all users.',
		});
	});
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
	 * @param users exact e-mails
	 * @param emailOf the e-mail of a row's user
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

	/** Whether a row may pass; `counts` is false for one that was counted before. */
	passes(row: IDataObject, counts = true): boolean {
		const email = this.emailOf(row);
		if (typeof email === 'string' && this.wanted.has(email)) return (this.matched = true);
		const whose = typeof email === 'string' ? email : 'an unnamed user';
		if (counts) this.dropped.set(whose, (this.dropped.get(whose) ?? 0) + 1);
		return false;
	}

	/** How many rows of whom, most first, e.g. `12 of ana@example.com, 3 of ben@example.com`. */
	get whose(): string {
		const sorted = [...this.dropped].sort(([, a], [, b]) => b - a);
		const named = sorted.slice(0, 10).map(([email, rows]) => `${rows} of ${email}`);
		return [...named, ...(sorted.length > 10 ? [`and of ${sorted.length - 10} more users`] : [])].join(', ');
	}
}
