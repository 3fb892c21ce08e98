import { z } from 'zod';

/** A user who viewed the conversation; totals are all-time (D1 § Viewer). */
export const viewerSchema = z
	.object({
		userId: z.string(),
		name: z.string(),
		viewCount: z.number(),
		totalViewTimeMs: z.number(),
	})
	.passthrough();
export type Viewer = z.infer<typeof viewerSchema>;
