/** What the service sends: one schema per object of the API documentation, e.g. `viewerSchema` of D1 § Viewer. */
import { z } from 'zod';

/** An object of the service, which may have more keys than the API documentation names. */
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).passthrough();

/** The kinds of fields that a row of a table has, each with what the documentation says of it. */
const text = (description: string) => z.string().describe(description);
const number = (description: string) => z.number().describe(description);
const textOrNull = (description: string) => z.string().nullable().describe(description);
const numberOrNull = (description: string) => z.number().nullable().describe(description);

export const each = <Type extends z.ZodTypeAny, Name extends string>(type: Type, ...names: Name[]) =>
	Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>;

const string = z.string();
const count = z.number();
const anyKeys = z.record(z.unknown());

export const recordingUserSchema = object({ id: string, name: string.nullable(), email: string });

/** The totals are all-time. */
export const viewerSchema = object({
	...each(string, 'userId', 'name'),
	...each(count, 'viewCount', 'totalViewTimeMs'),
});

/** In a checklist; unprefixed names are aliases. */
export const trackerSchema = object({
	...each(string, 'trackerId', 'name', 'trackerName'),
	...each(z.boolean().nullable(), 'isHit', 'trackerIsHit'),
	...each(count.nullable(), 'aiScore', 'trackerAiScore'),
});

export const checklistSchema = object({
	...each(string, 'name', 'checklistName'),
	...each(count, 'score', 'checklistScore', 'denominator', 'checklistDenominator'),
	trackerData: z.array(trackerSchema),
});

export const aiTrackerSchema = object({
	...each(string, 'checklistName', 'trackerId', 'trackerName'),
	isHit: z.boolean().nullable(),
	aiScore: count.nullable(),
});

export const customerAddressSchema = object(
	each(string.nullable(), 'street', 'unit', 'city', 'state', 'zip', 'country'),
);

export const conversationCustomerSchema = object({
	...each(string.nullable(), 'name', 'email', 'phone'),
	address: customerAddressSchema,
});

/** `data` is free-form. */
export const surveyConversationResultSchema = object({
	...each(string, 'surveyId', 'surveyName'),
	data: anyKeys,
});

/** In the documented order, as all. */
export const conversationsExportSchema = object({
	conversationId: text('ID of the conversation'),
	recordingId: text('ID of its recording'),
	date: text('When the recording started, ISO 8601 in UTC'),
	processedDate: text('When processing ended, ISO 8601'),
	title: textOrNull('Title of the conversation or of its appointment'),
	duration: number('Duration after processing, seconds'),
	crmEventID: textOrNull('ID of the linked CRM or calendar event'),
	user: recordingUserSchema.describe('The rep who recorded'),
	transcriptUrl: text('Presigned link to the transcript'),
	jobNumber: textOrNull('Job number of the linked event'),
	stLink: textOrNull('Link to the job in the field-service integration, for appointments that use it'),
	totalSold: numberOrNull('Price on the linked appointment, without its currency'),
	outcome: textOrNull('Outcome of the appointment'),
	jobSummary: textOrNull('Summary of the job, written by AI'),
	customSummary: textOrNull("The admins' summary or custom insights, in the organization's own format"),
	repSpeedWPM: numberOrNull('How fast the rep speaks, words per minute'),
	repTalkRatio: numberOrNull('Share of the time in which the rep talked, 0 to 1'),
	longestRepMonologue: numberOrNull('Longest time the rep talked without a break, seconds'),
	longestCustomerMonologue: numberOrNull('Longest time the customer talked without a break, seconds'),
	totalComments: number('How many comments the conversation has ever had, whatever the range'),
	serviceUrl: text('Link to the conversation in the web app'),
	audioUrl: text('Presigned link to the audio'),
	viewers: z.array(viewerSchema).describe('Who has viewed the conversation'),
	checklists: z.array(checklistSchema).describe('The last completed evaluation of each checklist'),
	aiTrackers: z.array(aiTrackerSchema).describe('Trackers that belong to no checklist, as last evaluated'),
	customFields: anyKeys
		.nullable()
		.describe("Custom fields of the calendar event, with the customer's own keys and values"),
	customer: conversationCustomerSchema.nullable().describe('Name, email, phone and address of the customer'),
	surveyResults: z.array(surveyConversationResultSchema).describe('Results of surveys'),
});

/** A recording that is still on the rep's device. */
export const recordingsExportSchema = object({
	recordingId: text('ID of the recording'),
	date: text('When the recording started'),
	title: textOrNull('Title of the recording'),
	duration: number('Seconds'),
	crmEventID: textOrNull('ID of the linked CRM or calendar event'),
	user: recordingUserSchema.describe('The rep who recorded'),
	jobNumber: textOrNull('Job number'),
	stLink: textOrNull('Link to the job in the field-service integration'),
	totalSold: numberOrNull('Price on the linked appointment'),
	outcome: textOrNull('Outcome of the appointment'),
	customFields: anyKeys.nullable().describe('Custom fields of the calendar event'),
});

/** An uploaded recording that produced no conversation. */
export const erroredRecordingsExportSchema = recordingsExportSchema.extend({
	processedDate: text('When processing ended, ISO 8601').nullable(),
	error: text('Why there is no conversation'),
});

export const eventSurveySchema = object({
	...each(string, 'surveyId', 'conversationId', 'surveyName', 'createdAt'),
	data: anyKeys,
});

export const eventCustomerSchema = conversationCustomerSchema.omit({ address: true });

export const eventDataSchema = object({
	...each(string, 'conversation_id', 'organization_id', 'conversation_url'),
	transcript_url: string.nullable(),
	...each(string, 'user_id', 'user_email', 'recorded_at'),
	recording_duration_seconds: count,
	...each(string.nullable(), 'summary', 'custom_insights'),
	surveys: z.array(eventSurveySchema),
	appointment_id: string.nullable(),
	customer: eventCustomerSchema.nullable(),
});

export const envelopeSchema = object({
	...each(string, 'webhook_event_id', 'event_type', 'sent_at'),
	data: eventDataSchema,
});

/** What a body needs to be an event; all else may be missing or null, as in a `test`, and is reported in the execution. */
export const receivedEnvelopeSchema = object({ event_type: string.min(1), data: anyKeys });
export type ReceivedEnvelope = z.infer<typeof receivedEnvelopeSchema>;

export const teamsExportSchema = object({
	name: text('Name of the team'),
	teamId: text('ID of the team'),
	externalTeamId: textOrNull('ID of the team in the connected CRM'),
	parentTeamId: textOrNull('ID of the team above'),
	parentTeamName: textOrNull('Name of the team above'),
	analyticsViewed: number('How often members viewed analytics'),
	appointmentsRecorded: number('How many appointments were recorded'),
	averageConversationDuration: numberOrNull("Mean of the members' mean recording durations, seconds"),
	averageConversationLength: numberOrNull("Mean of the members' mean talk times, seconds"),
	clipCommentsGiven: number('Comments on clips that members wrote'),
	clipsCreated: number('Clips that members created'),
	clipViewDuration: number('Time spent viewing clips, seconds'),
	commentsGiven: number('Comments that members wrote'),
	commentsRead: number('Comments that members read'),
	commentsReceived: number('Comments that members received'),
	conversationViewDuration: number('Time spent viewing conversations, seconds'),
	conversationsCommentedOn: number('Conversations that have a comment at all'),
	conversationsRecorded: number('Different recordings of the range, processed or not'),
	conversationsViewed: number('Conversations that members viewed'),
	longestCustomerMonologueAverage: numberOrNull("Mean of the members' medians for the customer, seconds"),
	longestMonologueAverage: numberOrNull("Mean of the members' medians of the longest rep monologue, seconds"),
	patienceAverage: numberOrNull('Mean patience of the conversations that were recorded in the range'),
	recordingCompliance: numberOrNull('Recorded share of the eligible appointments: 0.92 means 92%'),
	ridealongsReceived: number('Ride-alongs that members received'),
	scorecardsGiven: number('Scorecards that members gave'),
	scorecardsReceived: number('Scorecards that members received'),
	talkRatioAverage: numberOrNull('Mean share of the time in which the rep talked, a fraction'),
	totalAppointments: number('Eligible appointments, one for each attendee, that ended in the range'),
	totalUsersWhoRecorded: number('Members who recorded a conversation or more'),
	totalUsers: number('Members of the team'),
});

export const teamMembershipSchema = object(each(string, 'teamId', 'name'));

export const liveCoachingMetricsSchema = object({
	...each(count, 'sessionsHosted', 'viewEventsReceived', 'uniqueViewers', 'viewDurationMinutes'),
	...each(count, 'commentsReceived', 'uniqueCommenters', 'moneySaved'),
	lastCoachedAt: string.nullable(),
});

export const usersExportSchema = object({
	userId: text('ID of the user'),
	name: textOrNull('Name'),
	email: text('Email'),
	accountSetUp: z.boolean().describe('Whether the user has set up the account'),
	isRemoved: z.boolean().describe('Whether the user was removed or deactivated'),
	role: textOrNull('Name of the role as shown, from no fixed list'),
	teams: z.array(teamMembershipSchema).nullable().describe("The user's teams now, by name"),
	timeOfFirstRecording: text('When the user first recorded, ISO 8601').nullable(),
	lastActive: text('For reps, their latest recording').nullable(),
	hasVoiceId: z.boolean().describe('Whether the user has a voice ID'),
	analyticsViewed: number('How often the user viewed analytics'),
	appointmentsRecorded: numberOrNull('Appointments that were recorded'),
	averageConversationDuration: numberOrNull('Mean recording duration, seconds'),
	averageConversationLength: numberOrNull('Mean talk time of the processed conversations, seconds'),
	averageScriptCompliance: numberOrNull('Mean of checklist score ÷ denominator, a fraction'),
	averageTimePerRidealong: numberOrNull('Mean time of a ride-along, seconds'),
	clipCommentsGiven: number('Comments on clips that the user wrote'),
	clipsCreated: number('Clips that the user created'),
	clipViewDuration: number('Time spent viewing clips, seconds'),
	commentsReceived: number('Comments received'),
	commentsRead: number('Comments read'),
	commentsGiven: number('Comments written'),
	conversationsCommentedOn: number('Conversations commented on'),
	conversationsRecorded: number('Different recordings of the range, processed or not'),
	conversationsViewed: number('Conversations viewed'),
	conversationViewDuration: number('Time spent viewing conversations, seconds'),
	lastRidealongAt: text('The latest completed ride-along of the range').nullable(),
	longestMonologueAverage: numberOrNull('Median, despite its name, of the longest rep monologues, seconds'),
	longestCustomerMonologueAverage: numberOrNull('Median of the longest customer monologues, seconds'),
	patienceAverage: numberOrNull('Mean patience of the conversations that were recorded in the range'),
	percentageOfRepsWithCommentsGiven: numberOrNull('Reps who received comments ÷ relevant reps, a fraction'),
	recordingCompliance: numberOrNull('Recorded share of the eligible appointments, as for a team'),
	ridealongsReceived: number('Ride-alongs received'),
	scorecardsReceived: number('Scorecards received'),
	scorecardsGiven: number('Scorecards given'),
	talkRatioAverage: numberOrNull('Mean share of the time in which the rep talked, a fraction'),
	totalAppointments: number('Eligible appointments, one for each attendee, as for a team'),
	totalEndOfRidealongsReached: number('Ride-alongs that were followed to their end'),
	totalRidealongsCompleted: number('Ride-alongs completed'),
	viewedRecordedRatio: numberOrNull('Recordings that the user viewed ÷ all recordings, two decimals'),
	liveCoaching: liveCoachingMetricsSchema.describe('Live coaching of the user'),
});
