import { z } from 'zod';

/** Page size and its bounds (D1 § Limits). */
export const PAGE_LIMIT = { min: 1, max: 50, default: 50 } as const;

/** A UTC timestamp ending in Z, the only form the service takes (D1 § POST /export/conversations). */
const utcTimestamp = z.string().datetime({ offset: false, precision: undefined });

const rangeShape = { fromDate: utcTimestamp, toDate: utcTimestamp };

/** What a range selects by (D1 § POST /export/conversations). */
export const dateTypeSchema = z.enum(['timeOfRecording', 'processedDate']);
export type DateType = z.infer<typeof dateTypeSchema>;

/** Body of POST /export/conversations. */
export const conversationsExportRequestSchema = z.object({
	...rangeShape,
	dateType: dateTypeSchema.optional(),
	page: z.number().int().min(1).optional(),
	limit: z.number().int().min(PAGE_LIMIT.min).max(PAGE_LIMIT.max).optional(),
	users: z.array(z.string()).optional(),
});
export type ConversationsExportRequest = z.infer<typeof conversationsExportRequestSchema>;

/** Body of POST /export/teams. */
export const teamsExportRequestSchema = z.object({ ...rangeShape, includeSubteams: z.boolean().optional() });
export type TeamsExportRequest = z.infer<typeof teamsExportRequestSchema>;

/** Body of POST /export/users. */
export const usersExportRequestSchema = z.object({ ...rangeShape, users: z.array(z.string()).optional() });
export type UsersExportRequest = z.infer<typeof usersExportRequestSchema>;
