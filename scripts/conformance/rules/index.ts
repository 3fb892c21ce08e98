import * as conversation from './d1Conversation';
import * as endpoints from './d1Endpoints';
import * as recordings from './d1Recordings';
import * as teams from './d1Teams';
import * as users from './d1Users';
import * as webhook from './d1Webhook';
import * as appointments from './d2Appointments';
import * as errors from './d2Errors';
import type { Chapter, FieldTable, Section } from './types';

export { roleNames, rolesFor, type Role } from './roles';
export { tagsIn } from './tags';
export type { Chapter, Field, FieldTable, Rule, Section } from './types';

/** All chapters in the order of the documents. */
export const chapters: Chapter[] = [
	chapter('D1', 'What the service does', [conversation.conventions, conversation.whatItDoes]),
	chapter('D1', 'Conversations', [
		conversation.conversationsResponse,
		conversation.conversation,
		conversation.recordingUser,
		conversation.viewer,
		conversation.checklist,
		conversation.tracker,
		conversation.aiTracker,
		conversation.conversationCustomer,
		conversation.customerAddress,
		conversation.survey,
	]),
	chapter('D1', 'Recordings', [recordings.recording, recordings.erroredRecording, recordings.recordingRules]),
	chapter('D1', 'Teams and users', [
		teams.team,
		teams.teamRules,
		users.user,
		users.teamMembership,
		users.liveCoaching,
		users.userRules,
	]),
	chapter('D1', 'Endpoints', [
		endpoints.endpoints,
		endpoints.getConversation,
		endpoints.postConversations,
		endpoints.postTeams,
		endpoints.postUsers,
	]),
	chapter('D1', 'Authentication, errors and limits', [
		endpoints.exportAuthentication,
		endpoints.exportErrors,
		endpoints.exportLimits,
	]),
	chapter('D1', 'Webhook', [
		webhook.subscriptions,
		webhook.signature,
		webhook.processedEvent,
		webhook.envelope,
		webhook.eventData,
		webhook.eventCustomer,
		webhook.eventSurvey,
		webhook.testEvent,
		webhook.deliveryRules,
		webhook.customHeaders,
	]),
	chapter('D2', 'Appointments', [
		appointments.d2WhatItDoes,
		appointments.appointment,
		appointments.appointmentCustomer,
		appointments.recordingTypes,
		appointments.appointmentRules,
		appointments.matchRequest,
		appointments.appointmentStates,
	]),
	chapter('D2', 'Endpoints', [
		errors.crmHeaders,
		appointments.attendeeRules,
		appointments.deleteAppointment,
		appointments.matchConversation,
	]),
	chapter('D2', 'Authentication and events', [errors.crmAuthentication, errors.crmEvents]),
	chapter('D2', 'Errors, retries and limits', [
		errors.crmErrors,
		errors.crmBodies,
		errors.crmRetries,
		errors.crmLimits,
	]),
];

function chapter(document: Chapter['document'], heading: string, sections: Section[]): Chapter {
	return { document, heading, sections };
}

/** All sections in the order of the chapters. */
export const sections: Section[] = chapters.flatMap((one) => one.sections);

/** Field tables by type name. */
export const tables: Record<string, FieldTable> = {
	ConversationsExportResponse: conversation.conversationsResponse,
	ConversationsExport: conversation.conversation,
	RecordingUser: conversation.recordingUser,
	Viewer: conversation.viewer,
	Checklist: conversation.checklist,
	Tracker: conversation.tracker,
	AiTracker: conversation.aiTracker,
	ConversationCustomer: conversation.conversationCustomer,
	CustomerAddress: conversation.customerAddress,
	SurveyConversationResult: conversation.survey,
	RecordingsExport: recordings.recording,
	ErroredRecordingsExport: recordings.erroredRecording,
	TeamsExport: teams.team,
	UsersExport: users.user,
	TeamMembership: users.teamMembership,
	LiveCoachingMetrics: users.liveCoaching,
	Envelope: webhook.envelope,
	EventData: webhook.eventData,
	EventCustomer: webhook.eventCustomer,
	EventSurvey: webhook.eventSurvey,
};
