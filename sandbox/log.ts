/** More than a long load test needs. */
export const MAX_LOGGED = 20_000;

/** Adds to a log. At the limit, the oldest tenth of it is dropped. */
export function addBounded<Item>(log: Item[], item: Item): void {
	if (log.length >= MAX_LOGGED) log.splice(0, MAX_LOGGED / 10);
	log.push(item);
}
