import { z } from 'zod';

/** A tracker evaluated in a checklist; unprefixed names are aliases (D1 § Tracker). */
export const trackerSchema = z
	.object({
		trackerId: z.string(),
		name: z.string(),
		trackerName: z.string(),
		isHit: z.boolean().nullable(),
		trackerIsHit: z.boolean().nullable(),
		aiScore: z.number().nullable(),
		trackerAiScore: z.number().nullable(),
	})
	.passthrough();
export type Tracker = z.infer<typeof trackerSchema>;

/** The latest completed evaluation of one checklist (D1 § Checklist). */
export const checklistSchema = z
	.object({
		name: z.string(),
		checklistName: z.string(),
		score: z.number(),
		checklistScore: z.number(),
		denominator: z.number(),
		checklistDenominator: z.number(),
		trackerData: z.array(trackerSchema),
	})
	.passthrough();
export type Checklist = z.infer<typeof checklistSchema>;

/** A tracker evaluated outside a checklist (D1 § AiTracker). */
export const aiTrackerSchema = z
	.object({
		checklistName: z.string(),
		trackerId: z.string(),
		trackerName: z.string(),
		isHit: z.boolean().nullable(),
		aiScore: z.number().nullable(),
	})
	.passthrough();
export type AiTracker = z.infer<typeof aiTrackerSchema>;
