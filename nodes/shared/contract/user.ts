import { z } from 'zod';

/** A user's current membership of a team (D1 § UsersExport). */
export const teamMembershipSchema = z.object({ teamId: z.string(), name: z.string() }).passthrough();
export type TeamMembership = z.infer<typeof teamMembershipSchema>;

/** Live coaching of one user (D1 § LiveCoachingMetrics, 8 fields). */
export const liveCoachingMetricsSchema = z
	.object({
		sessionsHosted: z.number(),
		viewEventsReceived: z.number(),
		uniqueViewers: z.number(),
		viewDurationMinutes: z.number(),
		commentsReceived: z.number(),
		uniqueCommenters: z.number(),
		moneySaved: z.number(),
		lastCoachedAt: z.string().nullable(),
	})
	.passthrough();
export type LiveCoachingMetrics = z.infer<typeof liveCoachingMetricsSchema>;

/** Metrics of one user over the range (D1 § UsersExport, 41 fields). */
export const usersExportSchema = z
	.object({
		userId: z.string(),
		name: z.string().nullable(),
		email: z.string(),
		accountSetUp: z.boolean(),
		isRemoved: z.boolean(),
		role: z.string().nullable(),
		teams: z.array(teamMembershipSchema).nullable(),
		timeOfFirstRecording: z.string().nullable(),
		lastActive: z.string().nullable(),
		hasVoiceId: z.boolean(),
		analyticsViewed: z.number(),
		appointmentsRecorded: z.number().nullable(),
		averageConversationDuration: z.number().nullable(),
		averageConversationLength: z.number().nullable(),
		averageScriptCompliance: z.number().nullable(),
		averageTimePerRidealong: z.number().nullable(),
		clipCommentsGiven: z.number(),
		clipsCreated: z.number(),
		clipViewDuration: z.number(),
		commentsReceived: z.number(),
		commentsRead: z.number(),
		commentsGiven: z.number(),
		conversationsCommentedOn: z.number(),
		conversationsRecorded: z.number(),
		conversationsViewed: z.number(),
		conversationViewDuration: z.number(),
		lastRidealongAt: z.string().nullable(),
		longestMonologueAverage: z.number().nullable(),
		longestCustomerMonologueAverage: z.number().nullable(),
		patienceAverage: z.number().nullable(),
		percentageOfRepsWithCommentsGiven: z.number().nullable(),
		recordingCompliance: z.number().nullable(),
		ridealongsReceived: z.number(),
		scorecardsReceived: z.number(),
		scorecardsGiven: z.number(),
		talkRatioAverage: z.number().nullable(),
		totalAppointments: z.number(),
		totalEndOfRidealongsReached: z.number(),
		totalRidealongsCompleted: z.number(),
		viewedRecordedRatio: z.number().nullable(),
		liveCoaching: liveCoachingMetricsSchema,
	})
	.passthrough();
export type UsersExport = z.infer<typeof usersExportSchema>;

/** Not paginated: one row per selected user (D1 § UsersExportResponse). */
export const usersExportResponseSchema = z.object({ users: z.array(usersExportSchema) }).passthrough();
export type UsersExportResponse = z.infer<typeof usersExportResponseSchema>;
