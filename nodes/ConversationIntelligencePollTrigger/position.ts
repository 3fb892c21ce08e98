import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { toUtcTimestamp } from '../shared/time/instant';

const entrySchema = z.tuple([z.number(), z.union([z.literal(0), z.literal(1)])]);

/** How far a trigger has come; n8n saves it with the workflow whenever items are emitted. */
const positionSchema = z.object({
	/** The setting it started with, as typed; another one starts over. */
	start: z.string(),
	/** Where the next poll starts to read, in milliseconds of the service's time; everything older was read. It only grows. */
	from: z.number(),
	/** Conversations that a later poll can list again, and those whose execution has not ended. */
	seen: z.record(entrySchema),
});

export type Position = z.infer<typeof positionSchema>;

/** When a conversation was processed, and 1 once its execution has ended. */
export type Entry = z.infer<typeof entrySchema>;

/** A `processedDate` may be rounded, so entries are kept a little longer than the dates require. */
const ROUNDING_MS = 60_000;

/** Moves a position on after a poll, and forgets the conversations that no later poll needs. */
export function advance(position: Position, from: number, seen: Map<string, Entry>): Position {
	const next = Math.max(position.from, from);
	const needed = [...seen].filter(([, [processed, ended]]) => !ended || processed >= next - ROUNDING_MS);
	return { start: position.start, from: next, seen: Object.fromEntries(needed) };
}

/**
 * The saved position, or a new one if there is none for the node's setting.
 *
 * @param now milliseconds since 1970
 * @throws NodeOperationError when it is damaged: starting over silently could skip or repeat conversations
 * @throws UserError when Start Date is not a date
 */
export function openPosition(context: IPollFunctions, saved: unknown, now: number): Position {
	const isDate = context.getNodeParameter('startFrom') === 'date';
	// As typed, because another time zone of the workflow must not start over.
	const start = isDate ? String(context.getNode().parameters.startDate) : 'activation';
	const read = positionSchema.safeParse(saved);
	if (read.success && read.data.start === start) return read.data;
	const savedStart = positionSchema.pick({ start: true }).safeParse(saved).data?.start;
	if (saved !== undefined && (savedStart === undefined ? !isDate : savedStart === start)) {
		throw new NodeOperationError(context.getNode(), 'The saved position of this trigger is damaged', {
			description: 'Set Start From to Date and choose another Start Date to start over from there.',
			// n8n's scheduler then waits long, because polling again does not help.
			failure: { cause: 'configuration-invalid' },
		});
	}
	if (!isDate) return { start, from: now, seen: {} };
	const date = context.getNodeParameter('startDate');
	return { start, from: Date.parse(toUtcTimestamp(date, context.getTimezone(), 'Start Date')), seen: {} };
}
