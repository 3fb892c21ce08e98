import { z } from 'zod';

/** Metrics of one team over the range (D1 § TeamsExport, 30 fields). */
export const teamsExportSchema = z
	.object({
		name: z.string(),
		teamId: z.string(),
		externalTeamId: z.string().nullable(),
		parentTeamId: z.string().nullable(),
		parentTeamName: z.string().nullable(),
		analyticsViewed: z.number(),
		appointmentsRecorded: z.number(),
		averageConversationDuration: z.number().nullable(),
		averageConversationLength: z.number().nullable(),
		clipCommentsGiven: z.number(),
		clipsCreated: z.number(),
		clipViewDuration: z.number(),
		commentsGiven: z.number(),
		commentsRead: z.number(),
		commentsReceived: z.number(),
		conversationViewDuration: z.number(),
		conversationsCommentedOn: z.number(),
		conversationsRecorded: z.number(),
		conversationsViewed: z.number(),
		longestCustomerMonologueAverage: z.number().nullable(),
		longestMonologueAverage: z.number().nullable(),
		patienceAverage: z.number().nullable(),
		recordingCompliance: z.number().nullable(),
		ridealongsReceived: z.number(),
		scorecardsGiven: z.number(),
		scorecardsReceived: z.number(),
		talkRatioAverage: z.number().nullable(),
		totalAppointments: z.number(),
		totalUsersWhoRecorded: z.number(),
		totalUsers: z.number(),
	})
	.passthrough();
export type TeamsExport = z.infer<typeof teamsExportSchema>;

/** Not paginated: one row per selected team (D1 § TeamsExportResponse). */
export const teamsExportResponseSchema = z.object({ teams: z.array(teamsExportSchema) }).passthrough();
export type TeamsExportResponse = z.infer<typeof teamsExportResponseSchema>;
