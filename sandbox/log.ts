/** More than a long load test needs. */
const maxItems = 20_000;

/** Adds to a log. At the limit, the oldest tenth of it is dropped. */
export function addBounded<Item>(log: Item[], item: Item): void {
	if (log.length >= maxItems) log.splice(0, maxItems / 10);
	log.push(item);
}
