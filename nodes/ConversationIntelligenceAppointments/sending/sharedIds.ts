import { quoted } from '../../shared/node/parameters';

/** Maximum IDs that a hint names. */
const MAX_IDS = 10;

/** The part of an input that {@link warnOfSharedIds} compares. */
interface Writing {
	/** What is written to, e.g. an event ID. */
	id: string;
	/** What is written to it; the same again overwrites nothing. */
	what: unknown;
	/** Sentences for the item's output. */
	warnings: string[];
}

/** What items share, in words. */
interface Sharing {
	say(count: number, id: string): string;
	check: string;
}

export const SAME_APPOINTMENT: Sharing = {
	say: (count, id) => `${count} items have Event ID ${quoted(id)}`,
	check: 'Check the expression of the ID, unless they are the same appointment: the last one wins.',
};

/** A conversation has one link, which each match overwrites (D2 § States and transitions). */
export const SAME_CONVERSATION: Sharing = {
	say: (count, id) => `${count} Event IDs are matched with the conversation ${quoted(id)}`,
	check: 'Check the expressions of both IDs: only the last link stays.',
};

/**
 * Warns of items that overwrite each other, because they share an ID, e.g. `crm-` from a template with a missing part.
 *
 * @returns one hint for the run, or none
 */
export function warnOfSharedIds(writings: Writing[], { say, check }: Sharing): string[] {
	const byId = new Map<string, Writing[]>();
	for (const writing of writings) {
		const others = byId.get(writing.id);
		if (others) others.push(writing);
		else byId.set(writing.id, [writing]);
	}
	const said: string[] = [];
	for (const [id, sharing] of byId) {
		const count = new Set(sharing.map(({ what }) => what)).size;
		if (count === 1) continue;
		said.push(say(count, id));
		for (const { warnings } of sharing) warnings.push(`${say(count, id)}. ${check}`);
	}
	if (said.length === 0) return [];
	const more = said.length > MAX_IDS ? ` and ${said.length - MAX_IDS} more` : '';
	return [`${said.slice(0, MAX_IDS).join(', ')}${more}. ${check}`];
}
