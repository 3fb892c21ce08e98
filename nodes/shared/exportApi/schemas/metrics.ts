import { z } from 'zod';
import { object } from './object';

/** Metrics of one team over the range (D1 § TeamsExport). */
export const teamsExportSchema = object({
	name: z.string().describe('Name of the team'),
	teamId: z.string().describe('ID of the team'),
	externalTeamId: z.string().nullable().describe('ID of the team in the connected CRM'),
	parentTeamId: z.string().nullable().describe('ID of the team above'),
	parentTeamName: z.string().nullable().describe('Name of the team above'),
	analyticsViewed: z.number().describe('How often members viewed analytics'),
	appointmentsRecorded: z.number().describe('How many appointments were recorded'),
	averageConversationDuration: z
		.number()
		.nullable()
		.describe("Mean over the members of each one's mean recording duration, seconds"),
	averageConversationLength: z
		.number()
		.nullable()
		.describe(
			"Mean over the members of each one's mean talk time (rep and customer, without silence), seconds",
		),
	clipCommentsGiven: z.number().describe('Comments on clips that members wrote'),
	clipsCreated: z.number().describe('Clips that members created'),
	clipViewDuration: z.number().describe('Time spent viewing clips, seconds'),
	commentsGiven: z.number().describe('Comments that members wrote'),
	commentsRead: z.number().describe('Comments that members read'),
	commentsReceived: z.number().describe('Comments that members received'),
	conversationViewDuration: z.number().describe('Time spent viewing conversations, seconds'),
	conversationsCommentedOn: z.number().describe('Conversations that have a comment at all'),
	conversationsRecorded: z
		.number()
		.describe('Different recordings of the range, even those that have no processed conversation'),
	conversationsViewed: z.number().describe('Conversations that members viewed'),
	longestCustomerMonologueAverage: z
		.number()
		.nullable()
		.describe("Mean of the members' medians of the longest customer monologue, seconds"),
	longestMonologueAverage: z
		.number()
		.nullable()
		.describe("Mean of the members' medians of the longest rep monologue, seconds"),
	patienceAverage: z
		.number()
		.nullable()
		.describe('Mean of the patience metric stored for the conversations that were recorded in the range'),
	recordingCompliance: z
		.number()
		.nullable()
		.describe(
			'Eligible appointments that were recorded ÷ all eligible ones, a fraction with two decimals: 0.92 means 92%',
		),
	ridealongsReceived: z.number().describe('Ride-alongs that members received'),
	scorecardsGiven: z.number().describe('Scorecards that members gave'),
	scorecardsReceived: z.number().describe('Scorecards that members received'),
	talkRatioAverage: z
		.number()
		.nullable()
		.describe('Mean share of the time in which the rep talked, a fraction with two decimals'),
	totalAppointments: z
		.number()
		.describe(
			'Eligible rows, one for each attendee of an appointment, that ended in the range and more than three hours ago',
		),
	totalUsersWhoRecorded: z.number().describe('Members who recorded a conversation or more'),
	totalUsers: z.number().describe('Members of the team'),
});

/** A user's current membership of a team (D1 § TeamMembership). */
export const teamMembershipSchema = object({ teamId: z.string(), name: z.string() });

/** Live coaching of one user (D1 § LiveCoachingMetrics). */
export const liveCoachingMetricsSchema = object({
	sessionsHosted: z.number(),
	viewEventsReceived: z.number(),
	uniqueViewers: z.number(),
	viewDurationMinutes: z.number(),
	commentsReceived: z.number(),
	uniqueCommenters: z.number(),
	moneySaved: z.number(),
	lastCoachedAt: z.string().nullable(),
});

/** Metrics of one user over the range (D1 § UsersExport). */
export const usersExportSchema = object({
	userId: z.string().describe('ID of the user'),
	name: z.string().nullable().describe('Name'),
	email: z.string().describe('Email'),
	accountSetUp: z.boolean().describe('Whether the user has set up the account'),
	isRemoved: z.boolean().describe('Whether the user was removed or deactivated'),
	role: z.string().nullable().describe('Name of the role as shown, from no fixed list'),
	teams: z.array(teamMembershipSchema).nullable().describe("The user's teams now, by name"),
	timeOfFirstRecording: z.string().nullable().describe('When the user first recorded, ISO 8601'),
	lastActive: z.string().nullable().describe('For reps, their latest recording'),
	hasVoiceId: z.boolean().describe('Whether the user has a voice ID'),
	analyticsViewed: z.number().describe('How often the user viewed analytics'),
	appointmentsRecorded: z.number().nullable().describe('Appointments that were recorded'),
	averageConversationDuration: z
		.number()
		.nullable()
		.describe('Mean recording duration, seconds, even of recordings that have no processed conversation'),
	averageConversationLength: z
		.number()
		.nullable()
		.describe('Mean talk time of the processed conversations (rep and customer, without silence), seconds'),
	averageScriptCompliance: z
		.number()
		.nullable()
		.describe(
			'Mean of checklist score ÷ denominator over the completed evaluations of recordings in the range, a fraction with two decimals',
		),
	averageTimePerRidealong: z.number().nullable().describe('Mean time of a ride-along, seconds'),
	clipCommentsGiven: z.number().describe('Comments on clips that the user wrote'),
	clipsCreated: z.number().describe('Clips that the user created'),
	clipViewDuration: z.number().describe('Time spent viewing clips, seconds'),
	commentsReceived: z.number().describe('Comments received'),
	commentsRead: z.number().describe('Comments read'),
	commentsGiven: z.number().describe('Comments written'),
	conversationsCommentedOn: z.number().describe('Conversations commented on'),
	conversationsRecorded: z
		.number()
		.describe('Different recordings of the range, even those that have no processed conversation'),
	conversationsViewed: z.number().describe('Conversations viewed'),
	conversationViewDuration: z.number().describe('Time spent viewing conversations, seconds'),
	lastRidealongAt: z.string().nullable().describe('The latest completed ride-along of the range'),
	longestMonologueAverage: z
		.number()
		.nullable()
		.describe('Median, despite its name, of the longest rep monologue of each conversation, seconds'),
	longestCustomerMonologueAverage: z
		.number()
		.nullable()
		.describe('Median of the longest customer monologue of each conversation, seconds'),
	patienceAverage: z
		.number()
		.nullable()
		.describe('Mean of the patience metric stored for the conversations that were recorded in the range'),
	percentageOfRepsWithCommentsGiven: z
		.number()
		.nullable()
		.describe(
			'Reps whom a manager or admin reached with comments ÷ the relevant reps: a fraction, not multiplied by 100, with two decimals',
		),
	recordingCompliance: z
		.number()
		.nullable()
		.describe('Eligible appointments that were recorded ÷ all eligible ones, as for a team'),
	ridealongsReceived: z.number().describe('Ride-alongs received'),
	scorecardsReceived: z.number().describe('Scorecards received'),
	scorecardsGiven: z.number().describe('Scorecards given'),
	talkRatioAverage: z
		.number()
		.nullable()
		.describe('Mean share of the time in which the rep talked, a fraction with two decimals'),
	totalAppointments: z
		.number()
		.describe('Eligible rows, one for each attendee of an appointment, as for a team'),
	totalEndOfRidealongsReached: z.number().describe('Ride-alongs that were followed to their end'),
	totalRidealongsCompleted: z.number().describe('Ride-alongs completed'),
	viewedRecordedRatio: z
		.number()
		.nullable()
		.describe('Recorded conversations that the user viewed ÷ different recordings, two decimals'),
	liveCoaching: liveCoachingMetricsSchema.describe('Live coaching of the user'),
});
