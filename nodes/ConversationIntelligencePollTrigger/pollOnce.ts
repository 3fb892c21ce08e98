import { Collector, type Found, type Limits } from './collect';
import type { Deliveries } from './deliveries';
import { advance, type Entry, type Position } from './position';
import type { Source } from './source';

/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;

/**
 * Finds what to deliver next. It changes nothing, so a poll that fails is repeated by the next one.
 *
 * @param now milliseconds since 1970
 * @returns the conversations, the position after them, and their entries in it
 * @throws what the source throws
 */
export async function pollOnce(
	source: Source,
	position: Position,
	deliveries: Deliveries,
	now: number,
	limits: Limits,
): Promise<{ found: Found[]; position: Position; delivered: Map<string, Entry> }> {
	const { seen, lost } = deliveries.reconcile(position.seen);
	const to = Math.max(now, position.from) + Math.min(AHEAD_MS, limits.overlapMs);
	const collector = new Collector(source, { from: position.from, to }, seen, lost, limits);
	const found = await collector.collect();
	const delivered = new Map(found.map(({ id, processed }): [string, Entry] => [id, [processed, 0]]));
	for (const [id, entry] of delivered) seen.set(id, entry);
	return { found, delivered, position: advance(position, collector.reached - limits.overlapMs, seen) };
}
