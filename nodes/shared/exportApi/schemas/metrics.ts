import { z } from 'zod';
import { date, number, numberOrNull, object, text, textOrNull } from './fields';

/** Metrics of one team over the range (D1 § TeamsExport). */
export const teamsExportSchema = object({
	name: text('Name of the team'),
	teamId: text('ID of the team'),
	externalTeamId: textOrNull('ID of the team in the connected CRM'),
	parentTeamId: textOrNull('ID of the team above'),
	parentTeamName: textOrNull('Name of the team above'),
	analyticsViewed: number('How often members viewed analytics'),
	appointmentsRecorded: number('How many appointments were recorded'),
	averageConversationDuration: numberOrNull(
		"Mean over the members of each one's mean recording duration, seconds",
	),
	averageConversationLength: numberOrNull(
		"Mean over the members of each one's mean talk time (rep and customer, without silence), seconds",
	),
	clipCommentsGiven: number('Comments on clips that members wrote'),
	clipsCreated: number('Clips that members created'),
	clipViewDuration: number('Time spent viewing clips, seconds'),
	commentsGiven: number('Comments that members wrote'),
	commentsRead: number('Comments that members read'),
	commentsReceived: number('Comments that members received'),
	conversationViewDuration: number('Time spent viewing conversations, seconds'),
	conversationsCommentedOn: number('Conversations that have a comment at all'),
	conversationsRecorded: number(
		'Different recordings of the range, even those that have no processed conversation',
	),
	conversationsViewed: number('Conversations that members viewed'),
	longestCustomerMonologueAverage: numberOrNull(
		"Mean of the members' medians of the longest customer monologue, seconds",
	),
	longestMonologueAverage: numberOrNull("Mean of the members' medians of the longest rep monologue, seconds"),
	patienceAverage: numberOrNull(
		'Mean of the patience metric stored for the conversations that were recorded in the range',
	),
	recordingCompliance: numberOrNull(
		'Eligible appointments that were recorded ÷ all eligible ones, a fraction with two decimals: 0.92 means 92%',
	),
	ridealongsReceived: number('Ride-alongs that members received'),
	scorecardsGiven: number('Scorecards that members gave'),
	scorecardsReceived: number('Scorecards that members received'),
	talkRatioAverage: numberOrNull(
		'Mean share of the time in which the rep talked, a fraction with two decimals',
	),
	totalAppointments: number(
		'Eligible rows, one for each attendee of an appointment, that ended in the range and more than three hours ago',
	),
	totalUsersWhoRecorded: number('Members who recorded a conversation or more'),
	totalUsers: number('Members of the team'),
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
	userId: text('ID of the user'),
	name: textOrNull('Name'),
	email: text('Email'),
	accountSetUp: z.boolean().describe('Whether the user has set up the account'),
	isRemoved: z.boolean().describe('Whether the user was removed or deactivated'),
	role: textOrNull('Name of the role as shown, from no fixed list'),
	teams: z.array(teamMembershipSchema).nullable().describe("The user's teams now, by name"),
	timeOfFirstRecording: date('When the user first recorded, ISO 8601').nullable(),
	lastActive: date('For reps, their latest recording').nullable(),
	hasVoiceId: z.boolean().describe('Whether the user has a voice ID'),
	analyticsViewed: number('How often the user viewed analytics'),
	appointmentsRecorded: numberOrNull('Appointments that were recorded'),
	averageConversationDuration: numberOrNull(
		'Mean recording duration, seconds, even of recordings that have no processed conversation',
	),
	averageConversationLength: numberOrNull(
		'Mean talk time of the processed conversations (rep and customer, without silence), seconds',
	),
	averageScriptCompliance: numberOrNull(
		'Mean of checklist score ÷ denominator over the completed evaluations of recordings in the range, a fraction with two decimals',
	),
	averageTimePerRidealong: numberOrNull('Mean time of a ride-along, seconds'),
	clipCommentsGiven: number('Comments on clips that the user wrote'),
	clipsCreated: number('Clips that the user created'),
	clipViewDuration: number('Time spent viewing clips, seconds'),
	commentsReceived: number('Comments received'),
	commentsRead: number('Comments read'),
	commentsGiven: number('Comments written'),
	conversationsCommentedOn: number('Conversations commented on'),
	conversationsRecorded: number(
		'Different recordings of the range, even those that have no processed conversation',
	),
	conversationsViewed: number('Conversations viewed'),
	conversationViewDuration: number('Time spent viewing conversations, seconds'),
	lastRidealongAt: date('The latest completed ride-along of the range').nullable(),
	longestMonologueAverage: numberOrNull(
		'Median, despite its name, of the longest rep monologue of each conversation, seconds',
	),
	longestCustomerMonologueAverage: numberOrNull(
		'Median of the longest customer monologue of each conversation, seconds',
	),
	patienceAverage: numberOrNull(
		'Mean of the patience metric stored for the conversations that were recorded in the range',
	),
	percentageOfRepsWithCommentsGiven: numberOrNull(
		'Reps whom a manager or admin reached with comments ÷ the relevant reps: a fraction, not multiplied by 100, with two decimals',
	),
	recordingCompliance: numberOrNull(
		'Eligible appointments that were recorded ÷ all eligible ones, as for a team',
	),
	ridealongsReceived: number('Ride-alongs received'),
	scorecardsReceived: number('Scorecards received'),
	scorecardsGiven: number('Scorecards given'),
	talkRatioAverage: numberOrNull(
		'Mean share of the time in which the rep talked, a fraction with two decimals',
	),
	totalAppointments: number('Eligible rows, one for each attendee of an appointment, as for a team'),
	totalEndOfRidealongsReached: number('Ride-alongs that were followed to their end'),
	totalRidealongsCompleted: number('Ride-alongs completed'),
	viewedRecordedRatio: numberOrNull(
		'Recorded conversations that the user viewed ÷ different recordings, two decimals',
	),
	liveCoaching: liveCoachingMetricsSchema.describe('Live coaching of the user'),
});
