import * as conversation from './d1Conversation';
import * as endpoints from './d1Endpoints';
import * as recordings from './d1Recordings';
import * as teams from './d1Teams';
import * as users from './d1Users';
import * as webhook from './d1Webhook';
import * as appointments from './d2Appointments';
import * as errors from './d2Errors';
import type { FieldTable, Section } from './types';

export type { Field, FieldTable, Rule, Section } from './types';

/** All sections in the order of the documents. */
export const sections: Section[] = [
	conversation.conventions,
	conversation.whatItDoes,
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
	recordings.recording,
	recordings.erroredRecording,
	recordings.recordingRules,
	teams.team,
	teams.teamRules,
	users.user,
	users.teamMembership,
	users.liveCoaching,
	users.userRules,
	endpoints.endpoints,
	endpoints.getConversation,
	endpoints.postConversations,
	endpoints.postTeams,
	endpoints.postUsers,
	endpoints.exportAuthentication,
	endpoints.exportErrors,
	endpoints.exportLimits,
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
	appointments.d2WhatItDoes,
	appointments.appointment,
	appointments.appointmentCustomer,
	appointments.recordingTypes,
	appointments.appointmentRules,
	appointments.matchRequest,
	appointments.appointmentStates,
	appointments.attendeeRules,
	appointments.deleteAppointment,
	appointments.matchConversation,
	errors.crmHeaders,
	errors.crmAuthentication,
	errors.crmEvents,
	errors.crmErrors,
	errors.crmBodies,
	errors.crmRetries,
	errors.crmLimits,
];

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

/** Expands a range such as `D1-CONV-01..28` into its identifiers. */
function expandTag(tag: string): string[] {
	const range = /^(D[12]-[A-Z]+)-(\d\d)\.\.(\d\d)$/.exec(tag);
	if (!range) return [tag];
	const [, prefix, first, last] = range;
	return Array.from(
		{ length: Number(last) - Number(first) + 1 },
		(_, index) => `${prefix}-${String(Number(first) + index).padStart(2, '0')}`,
	);
}

/** The rules that a test title names, such as `… [D1-EXP-05]` or `… [D1-CONV-01..28]`. */
export function tagsIn(title: string): string[] {
	return [...title.matchAll(/\[(D[12]-[A-Z0-9-]+(?:\.\.\d\d)?)\]/g)].flatMap(([, tag]) => expandTag(tag));
}
