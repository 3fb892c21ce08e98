import { z } from 'zod';

const entrySchema = z.tuple([z.number(), z.union([z.literal(0), z.literal(1)])]);

/** How far a trigger has come; n8n saves it with the workflow whenever items are emitted. */
export const positionSchema = z.object({
	/** The setting it started with, as typed; another one starts over. */
	start: z.string(),
	/** Where the next poll starts to read, in milliseconds of the service's time; what is older was read. It only grows. */
	from: z.number(),
	/** Conversations that a later poll can meet again, and those whose execution has not ended. */
	seen: z.record(entrySchema),
});

export type Position = z.infer<typeof positionSchema>;

/** When a conversation was processed, and 1 once its execution has ended. */
export type Entry = z.infer<typeof entrySchema>;

/** A `processedDate` may be rounded, so entries are kept a little longer than the dates require. */
const ROUNDING_MS = 60_000;

/**
 * Moves a position on after a poll.
 *
 * @param from where the next poll should start to read
 * @param seen all conversations known; those that no later poll needs are left out
 */
export function advance(position: Position, from: number, seen: Map<string, Entry>): Position {
	const next = Math.max(position.from, from);
	const needed = [...seen].filter(([, [processed, ended]]) => !ended || processed >= next - ROUNDING_MS);
	return { start: position.start, from: next, seen: Object.fromEntries(needed) };
}
