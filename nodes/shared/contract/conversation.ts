import { z } from 'zod';
import { aiTrackerSchema, checklistSchema } from './checklist';
import { conversationCustomerSchema } from './conversationCustomer';
import { recordingUserSchema } from './recordingUser';
import { surveyConversationResultSchema } from './surveyConversationResult';
import { viewerSchema } from './viewer';

/** A processed conversation, in the document's field order (D1 § ConversationsExport, 28 fields). */
export const conversationsExportSchema = z
	.object({
		conversationId: z.string(),
		recordingId: z.string(),
		date: z.string(),
		processedDate: z.string(),
		title: z.string().nullable(),
		duration: z.number(),
		crmEventID: z.string().nullable(),
		user: recordingUserSchema,
		transcriptUrl: z.string(),
		jobNumber: z.string().nullable(),
		stLink: z.string().nullable(),
		totalSold: z.number().nullable(),
		outcome: z.string().nullable(),
		jobSummary: z.string().nullable(),
		customSummary: z.string().nullable(),
		repSpeedWPM: z.number().nullable(),
		repTalkRatio: z.number().nullable(),
		longestRepMonologue: z.number().nullable(),
		longestCustomerMonologue: z.number().nullable(),
		totalComments: z.number(),
		serviceUrl: z.string(),
		audioUrl: z.string(),
		viewers: z.array(viewerSchema),
		checklists: z.array(checklistSchema),
		aiTrackers: z.array(aiTrackerSchema),
		customFields: z.record(z.unknown()).nullable(),
		customer: conversationCustomerSchema.nullable(),
		surveyResults: z.array(surveyConversationResultSchema),
	})
	.passthrough();
export type ConversationsExport = z.infer<typeof conversationsExportSchema>;
