import { normalized } from '../base/text';

/** Keys that were made, because a list has few names and many rows. */
const keys = new Map<string, string>();
const MAX_KEYS = 10_000;

/** Makes the same key of names that people take for the same: case, kinds of spaces and what is invisible do not matter. */
export function nameKey(name: string): string {
	const key = keys.get(name) ?? normalized(name).toUpperCase();
	if (keys.size >= MAX_KEYS) keys.clear();
	keys.set(name, key);
	return key;
}

/** Whether a value is one of these names. */
export const isNamed = (names: string[], [value]: unknown[]): boolean =>
	typeof value === 'string' && names.some((name) => nameKey(name) === nameKey(value));

/** Below this likeness, at most 2, two names have nothing to do with each other. */
const LEAST_LIKENESS = 0.7;
/** How like the most like name another must be to be named beside it. */
const NEARLY_AS_LIKE = 0.75;
const MAX_NEAREST = 3;

/** The names that are most like another one, by the pairs of letters that they share: `Confirmed budget` for `Budget`. */
export function nearest(name: string, names: string[]): string[] {
	const wanted = pairsIn(name);
	const likenessOf = (other: string) => {
		const pairs = pairsIn(other);
		const shared = [...wanted].filter((pair) => pairs.has(pair)).length;
		return shared / Math.min(wanted.size, pairs.size) + shared / Math.max(wanted.size, pairs.size);
	};
	const ranked = names.map((other) => ({ other, likeness: likenessOf(other) }));
	ranked.sort((a, b) => b.likeness - a.likeness);
	const least = Math.max(LEAST_LIKENESS, (ranked[0]?.likeness ?? 0) * NEARLY_AS_LIKE);
	const near = ranked.filter(({ likeness }) => likeness >= least);
	return near.slice(0, MAX_NEAREST).map(({ other }) => other);
}

/** The pairs of neighbouring letters, also with the spaces around. */
function pairsIn(name: string): Set<string> {
	const letters = [...` ${nameKey(name)} `];
	return new Set(letters.slice(1).map((letter, before) => letters[before] + letter));
}
