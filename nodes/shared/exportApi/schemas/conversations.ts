import { z } from 'zod';
import { object } from './object';

/** Page size and its bounds (D1 § Limits). */
export const PAGE_LIMIT = { min: 1, max: 50, default: 50 } as const;

/** What a range selects by (D1 § POST /export/conversations). */
export type DateType = 'timeOfRecording' | 'processedDate';

/** The rep who recorded (D1 § RecordingUser). */
export const recordingUserSchema = object({ id: z.string(), name: z.string().nullable(), email: z.string() });

/** A user who viewed the conversation; totals are all-time (D1 § Viewer). */
export const viewerSchema = object({
	userId: z.string(),
	name: z.string(),
	viewCount: z.number(),
	totalViewTimeMs: z.number(),
});

/** A tracker evaluated in a checklist; unprefixed names are aliases (D1 § Tracker). */
export const trackerSchema = object({
	trackerId: z.string(),
	name: z.string(),
	trackerName: z.string(),
	isHit: z.boolean().nullable(),
	trackerIsHit: z.boolean().nullable(),
	aiScore: z.number().nullable(),
	trackerAiScore: z.number().nullable(),
});

/** The latest completed evaluation of one checklist (D1 § Checklist). */
export const checklistSchema = object({
	name: z.string(),
	checklistName: z.string(),
	score: z.number(),
	checklistScore: z.number(),
	denominator: z.number(),
	checklistDenominator: z.number(),
	trackerData: z.array(trackerSchema),
});

/** A tracker evaluated outside a checklist (D1 § AiTracker). */
export const aiTrackerSchema = object({
	checklistName: z.string(),
	trackerId: z.string(),
	trackerName: z.string(),
	isHit: z.boolean().nullable(),
	aiScore: z.number().nullable(),
});

/** Address from the linked CRM location; each part may be null (D1 § CustomerAddress). */
export const customerAddressSchema = object({
	street: z.string().nullable(),
	unit: z.string().nullable(),
	city: z.string().nullable(),
	state: z.string().nullable(),
	zip: z.string().nullable(),
	country: z.string().nullable(),
});

/** The customer of a conversation (D1 § ConversationCustomer). */
export const conversationCustomerSchema = object({
	name: z.string().nullable(),
	email: z.string().nullable(),
	phone: z.string().nullable(),
	address: customerAddressSchema,
});

/** The result of one survey; `data` is free-form and customer-defined (D1 § SurveyConversationResult). */
export const surveyConversationResultSchema = object({
	surveyId: z.string(),
	surveyName: z.string(),
	data: z.record(z.unknown()),
});

/** A processed conversation, in the documented order (D1 § ConversationsExport). */
export const conversationsExportSchema = object({
	conversationId: z.string().describe('ID of the conversation'),
	recordingId: z.string().describe('ID of its recording'),
	date: z.string().describe('When the recording started, ISO 8601 in UTC'),
	processedDate: z.string().describe('When processing ended, ISO 8601'),
	title: z.string().nullable().describe('Title of the conversation or of its appointment'),
	duration: z.number().describe('Duration after processing, seconds'),
	crmEventID: z.string().nullable().describe('ID of the linked CRM or calendar event'),
	user: recordingUserSchema.describe('The rep who recorded'),
	transcriptUrl: z.string().describe('Presigned link to the transcript'),
	jobNumber: z.string().nullable().describe('Job number of the linked event'),
	stLink: z
		.string()
		.nullable()
		.describe('Link to the job in the field-service integration, for appointments that use it'),
	totalSold: z
		.number()
		.nullable()
		.describe('Price on the linked appointment, in the currency of its source, which is not named'),
	outcome: z.string().nullable().describe('Outcome of the appointment'),
	jobSummary: z.string().nullable().describe('Summary of the job, written by AI'),
	customSummary: z
		.string()
		.nullable()
		.describe("The admins' summary or custom insights, in the organization's own format"),
	repSpeedWPM: z.number().nullable().describe('How fast the rep speaks, words per minute'),
	repTalkRatio: z.number().nullable().describe('Share of the time in which the rep talked, 0 to 1'),
	longestRepMonologue: z.number().nullable().describe('Longest time the rep talked without a break, seconds'),
	longestCustomerMonologue: z
		.number()
		.nullable()
		.describe('Longest time the customer talked without a break, seconds'),
	totalComments: z.number().describe('How many comments the conversation has ever had, whatever the range'),
	serviceUrl: z.string().describe('Link to the conversation in the web app'),
	audioUrl: z.string().describe('Presigned link to the audio'),
	viewers: z.array(viewerSchema).describe('Who has viewed the conversation'),
	checklists: z.array(checklistSchema).describe('The last completed evaluation of each checklist'),
	aiTrackers: z.array(aiTrackerSchema).describe('Trackers that belong to no checklist, as last evaluated'),
	customFields: z
		.record(z.unknown())
		.nullable()
		.describe("Custom fields of the calendar event, with the customer's own keys and values"),
	customer: conversationCustomerSchema.nullable().describe('Name, email, phone and address of the customer'),
	surveyResults: z.array(surveyConversationResultSchema).describe('Results of surveys'),
});

/** A recording still on the rep's device (D1 § RecordingsExport). */
export const recordingsExportSchema = object({
	recordingId: z.string().describe('ID of the recording'),
	date: z.string().describe('When the recording started'),
	title: z.string().nullable().describe('Title of the recording'),
	duration: z.number().describe('Seconds'),
	crmEventID: z.string().nullable().describe('ID of the linked CRM or calendar event'),
	user: recordingUserSchema.describe('The rep who recorded'),
	jobNumber: z.string().nullable().describe('Job number'),
	stLink: z.string().nullable().describe('Link to the job in the field-service integration'),
	totalSold: z.number().nullable().describe('Price on the linked appointment'),
	outcome: z.string().nullable().describe('Outcome of the appointment'),
	customFields: z.record(z.unknown()).nullable().describe('Custom fields of the calendar event'),
});

/** An uploaded recording that produced no conversation (D1 § ErroredRecordingsExport). */
export const erroredRecordingsExportSchema = recordingsExportSchema.extend({
	processedDate: z.string().nullable().describe('When processing ended, ISO 8601'),
	error: z.string().describe('Why there is no conversation'),
});

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
