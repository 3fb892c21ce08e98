import { quoted } from '../../shared/node/parameters';

/** Maximum IDs that a hint names. */
const MAX_IDS = 10;

/** What rows share, in words. */
interface Sharing {
	say(count: number, id: string): string;
	check: string;
}

const SAME_APPOINTMENT: Sharing = {
	say: (count, id) => `${count} items have Event ID ${quoted(id)}`,
	check: 'Check the expression of the ID, unless they are the same appointment: the last one wins.',
};

/** A conversation has one link, which each match overwrites (D2 § States and transitions). */
export const SAME_CONVERSATION: Sharing = {
	say: (count, id) => `${count} Event IDs are matched with the conversation ${quoted(id)}`,
	check: 'Check the expressions of both IDs: only the last link stays.',
};

/** Finds rows that share an ID, e.g. `crm-` from a template with a missing part: they overwrite each other. */
export class SharedIds {
	private readonly written = new Map<string, Set<unknown>>();

	constructor(private readonly sharing = SAME_APPOINTMENT) {}

	/** @param what is written to this ID; the same again overwrites nothing */
	add(id: string, what: unknown): void {
		this.written.set(id, (this.written.get(id) ?? new Set()).add(what));
	}

	/** What the output of an item with this ID says; empty for an ID of its own. */
	warningsOf(id: string): string[] {
		return this.count(id) === 1 ? [] : [`${this.say(id)}. ${this.sharing.check}`];
	}

	/** One hint for the run, or none. */
	get hints(): string[] {
		const shared = [...this.written.keys()].filter((id) => this.count(id) > 1);
		if (shared.length === 0) return [];
		const more = shared.length > MAX_IDS ? ` and ${shared.length - MAX_IDS} more` : '';
		const said = shared.slice(0, MAX_IDS).map((id) => this.say(id));
		return [`${said.join(', ')}${more}. ${this.sharing.check}`];
	}

	private say(id: string): string {
		return this.sharing.say(this.count(id), id);
	}

	private count(id: string): number {
		return this.written.get(id)!.size;
	}
}
