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
});

/** A recording still on the rep's device (D1 § RecordingsExport). */
export const recordingsExportSchema = object({
	recordingId: z.string(),
	date: z.string(),
	title: z.string().nullable(),
	duration: z.number(),
	crmEventID: z.string().nullable(),
	user: recordingUserSchema,
	jobNumber: z.string().nullable(),
	stLink: z.string().nullable(),
	totalSold: z.number().nullable(),
	outcome: z.string().nullable(),
	customFields: z.record(z.unknown()).nullable(),
});

/** An uploaded recording that produced no conversation (D1 § ErroredRecordingsExport). */
export const erroredRecordingsExportSchema = recordingsExportSchema.extend({
	processedDate: z.string().nullable(),
	error: z.string(),
});

/** Metrics of one team over the range (D1 § TeamsExport). */
export const teamsExportSchema = object({
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
});
