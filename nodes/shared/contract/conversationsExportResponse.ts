import { z } from 'zod';
import { conversationsExportSchema } from './conversation';
import { erroredRecordingsExportSchema, recordingsExportSchema } from './recording';

/**
 * One page of each of three independently paged arrays (D1 § ConversationsExportResponse).
 * `awaitingUpload` and its total are omitted when `dateType` is `processedDate`.
 */
export const conversationsExportResponseSchema = z
	.object({
		currentPage: z.number(),
		totalPages: z.number(),
		totalConversations: z.number(),
		totalAwaitingUpload: z.number().optional(),
		totalErrored: z.number(),
		conversations: z.array(conversationsExportSchema),
		awaitingUpload: z.array(recordingsExportSchema).optional(),
		errored: z.array(erroredRecordingsExportSchema),
	})
	.passthrough();
export type ConversationsExportResponse = z.infer<typeof conversationsExportResponseSchema>;
