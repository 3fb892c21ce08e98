import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

/** Times are milliseconds since 1970. */
const beginningSchema = z.object({ start: z.string(), floor: z.number() });

/** From where a trigger without a position hands over, and the setting that says so. */
export type Beginning = z.infer<typeof beginningSchema>;

/**
 * The beginning of a trigger that has no position yet: the one of the first call with the same `start`. It is kept
 * in the workflow's static data, for with durable cursors n8n drops the position of the poll at publication: the
 * first scheduled poll would begin at its own now and skip what was processed since.
 *
 * @returns the time to begin at, in milliseconds since 1970
 */
export function rememberBeginning(context: IPollFunctions, { start, floor }: Beginning): number {
	const shared = context.getWorkflowStaticData('global');
	const key = `conversationPollTrigger:${context.getNode().name}`;
	const known = beginningSchema.safeParse(shared[key]).data;
	if (known?.start === start) return known.floor;
	shared[key] = { start, floor };
	return floor;
}
