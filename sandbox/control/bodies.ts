import { z } from 'zod';
import { recordingStates } from '../crm/book';
import { isoDate } from './checked';

/** What `POST /control/conversations` takes. */
export const insertSchema = z
	.object({
		/** How many, default 1. */
		count: z.number().int().min(1).max(100_000).optional(),
		/** Recording start of the first; the others follow one millisecond apart. Default: now. */
		date: isoDate.optional(),
		/** Default: the date. */
		processedDate: isoDate.optional(),
		/** E-mail of the rep; default: the reps in turn. */
		userEmail: z.string().optional(),
		/** Fields that win over the generated ones, by their names in D1. */
		fields: z.record(z.unknown()).optional(),
		/** Says that processing has just finished, so that webhooks go out. Default: false. */
		announce: z.boolean().optional(),
	})
	.strict();
export type InsertRequest = z.input<typeof insertSchema>;

/** What `POST /control/processing/finish` takes: one of the two, or nothing for all media. */
export const finishSchema = z
	.object({
		/** The event whose media is finished. */
		eventId: z.string().optional(),
		/** The conversation that is told of once more. */
		conversationId: z.string().optional(),
	})
	.strict()
	.refine(
		({ eventId, conversationId }) => eventId === undefined || conversationId === undefined,
		'Give eventId or conversationId, not both.',
	);
export type FinishRequest = z.input<typeof finishSchema>;

/** What `POST /control/recordings` takes. */
export const recordingSchema = z
	.object({ conversationId: z.string(), state: z.enum(recordingStates) })
	.strict();

/** The query of `DELETE /control/faults`: one fault's number, or nothing for all. */
export const clearFaultsSchema = z
	.object({ id: z.string().regex(/^\d+$/, 'must be the number of a fault.').transform(Number).optional() })
	.strict();
