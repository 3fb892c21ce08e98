import type { IDataObject } from 'n8n-workflow';

/**
 * Drops rows of users outside the filter, and counts them by user (D1-EXP-05:
 * a team-scoped key's filter that matches nobody falls back to all allowed users).
 */
export class UsersGuard {
	/** Requested users of whom no row came so far. */
	readonly missing: Set<unknown>;
	private readonly dropped = new Map<string, number>();
	private readonly wanted: Set<unknown>;

	/** @param users exact emails */
	constructor(
		users: string[],
		private readonly emailOf: (row: IDataObject) => unknown,
	) {
		this.wanted = new Set(users);
		this.missing = new Set(users);
	}

	/** Whether every row so far belongs to another user: the filter matched nobody, so all later rows do too. */
	get isFallback(): boolean {
		return this.missing.size === this.wanted.size && this.dropped.size > 0;
	}

	get count(): number {
		return [...this.dropped.values()].reduce((sum, rows) => sum + rows, 0);
	}

	passes(row: IDataObject): boolean {
		const email = this.emailOf(row);
		this.missing.delete(email);
		if (this.wanted.has(email)) return true;
		const whose = typeof email === 'string' ? email : 'an unnamed user';
		this.dropped.set(whose, (this.dropped.get(whose) ?? 0) + 1);
		return false;
	}

	/** How many rows of which users, most first, e.g. `12 of ana@example.com`. */
	get whose(): string[] {
		const sorted = [...this.dropped].sort(([, a], [, b]) => b - a);
		return sorted.map(([email, rows]) => `${rows} of ${email}`);
	}
}
