import { quoted } from '../../shared/node/parameters';

/** Maximum IDs that a hint names. */
const MAX_IDS = 10;

const CHECK = 'Check the expression of the ID, unless they are the same appointment: the last one wins.';

/** Finds rows that share an ID, e.g. `crm-` from a template with a missing part: they write the same appointment. */
export class SharedIds {
	private readonly counts = new Map<string, number>();

	add(eventId: string): void {
		this.counts.set(eventId, (this.counts.get(eventId) ?? 0) + 1);
	}

	/** What the output of an item with this ID says; empty for an ID of its own. */
	warningsOf(eventId: string): string[] {
		return this.counts.get(eventId) === 1 ? [] : [`${this.say(eventId)}. ${CHECK}`];
	}

	/** One hint for the run, or none. */
	get hints(): string[] {
		const shared = [...this.counts.keys()].filter((eventId) => this.counts.get(eventId)! > 1);
		if (shared.length === 0) return [];
		const more = shared.length > MAX_IDS ? ` and ${shared.length - MAX_IDS} more` : '';
		const said = shared.slice(0, MAX_IDS).map((eventId) => this.say(eventId));
		return [`${said.join(', ')}${more}. ${CHECK}`];
	}

	private say(eventId: string): string {
		return `${this.counts.get(eventId)} items have Event ID ${quoted(eventId)}`;
	}
}
