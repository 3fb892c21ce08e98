import { fieldTable, section } from './types';

export const conventions = section('D1', 'Conventions', {
	'D1-CONVENTION-01': 'Bodies are JSON.',
	'D1-CONVENTION-02': 'Timestamps are ISO 8601 strings.',
	'D1-CONVENTION-03': 'Every listed key is always present; only `| null` fields may be null.',
	'D1-CONVENTION-04': 'Durations are in seconds unless a field says otherwise.',
});

export const whatItDoes = section('D1', 'What the service does', {
	'D1-DOES-01': 'Exports conversations, teams and users over a date range.',
	'D1-DOES-02': 'Returns a single conversation by its ID, without a date range.',
	'D1-DOES-03': 'Lists recordings that have not produced a conversation: `awaitingUpload` and `errored`.',
	'D1-DOES-04':
		'Sends a POST callback to a subscribed endpoint each time a conversation finishes processing.',
	'D1-DOES-05': 'A key belongs to one organization and may be limited to teams and their subteams.',
	'D1-DOES-06': 'Request filters only narrow what is returned; they never widen access.',
});

export const conversationsResponse = fieldTable('D1', 'ConversationsExportResponse', 'D1-RESP', [
	['currentPage', 'number', 'Page number returned.'],
	['totalPages', 'number', 'Largest page count of the three arrays.'],
	['totalConversations', 'number', 'Conversations in the range.'],
	['totalAwaitingUpload', 'number', 'In the range; omitted when `dateType` is `processedDate`.'],
	['totalErrored', 'number', 'Errored recordings in the range.'],
	['conversations', 'ConversationsExport[]', 'Conversations on this page.'],
	['awaitingUpload', 'RecordingsExport[]', 'Omitted when `dateType` is `processedDate`.'],
	['errored', 'ErroredRecordingsExport[]', 'Errored recordings on this page.'],
]);

export const conversation = fieldTable('D1', 'ConversationsExport', 'D1-CONV', [
	['conversationId', 'string', 'Conversation ID.'],
	['recordingId', 'string', 'ID of the underlying recording.'],
	['date', 'string', 'Recording start, ISO 8601 UTC; list selection uses inclusive bounds.'],
	['processedDate', 'string', 'When processing finished, ISO 8601.'],
	['title', 'string | null', 'Conversation or appointment title.'],
	['duration', 'number', 'Processed duration, seconds.'],
	['crmEventID', 'string | null', 'ID of the linked CRM or calendar event.'],
	['user', 'RecordingUser', 'The rep who recorded.'],
	['transcriptUrl', 'string', 'Presigned; expires 6 hours after the response, possibly earlier.'],
	['jobNumber', 'string | null', 'Job number from the linked event.'],
	['stLink', 'string | null', 'Field-service job link; null without that integration.'],
	[
		'totalSold',
		'number | null',
		'Price on the linked appointment; does not by itself establish a sold outcome.',
	],
	['outcome', 'string | null', 'Appointment outcome.'],
	['jobSummary', 'string | null', 'AI-generated job summary.'],
	['customSummary', 'string | null', 'Admin summary or custom insights.'],
	['repSpeedWPM', 'number | null', 'Words per minute.'],
	['repTalkRatio', 'number | null', 'Fraction of time the rep talked, 0 to 1.'],
	['longestRepMonologue', 'number | null', 'Seconds.'],
	['longestCustomerMonologue', 'number | null', 'Seconds.'],
	['totalComments', 'number', 'All-time comment count, not limited to the request window.'],
	['serviceUrl', 'string', 'Link to the conversation in the web app.'],
	['audioUrl', 'string', 'Presigned; same expiry as `transcriptUrl`.'],
	['viewers', 'Viewer[]', 'Users who viewed the conversation.'],
	['checklists', 'Checklist[]', 'Latest completed evaluation per checklist.'],
	['aiTrackers', 'AiTracker[]', 'Trackers outside checklists; not a copy of `checklists[].trackerData`.'],
	['customFields', 'object | null', 'Customer-defined keys and values; null if none.'],
	['customer', 'ConversationCustomer | null', 'Null when no customer fields exist.'],
	['surveyResults', 'SurveyConversationResult[]', 'Extra metadata from upstream may be present.'],
]);

export const recordingUser = fieldTable('D1', 'RecordingUser', 'D1-RUSER', [
	['id', 'string'],
	['name', 'string | null'],
	['email', 'string'],
]);

export const viewer = fieldTable('D1', 'Viewer', 'D1-VIEWER', [
	['userId', 'string', "Viewer's user ID."],
	['name', 'string', "Viewer's name."],
	['viewCount', 'number', 'Times this user viewed the conversation; all-time.'],
	['totalViewTimeMs', 'number', 'Milliseconds; all-time.'],
]);

export const checklist = fieldTable('D1', 'Checklist', 'D1-CHECK', [
	['name', 'string', 'Alias of checklistName.'],
	['checklistName', 'string', 'Checklist name.'],
	['score', 'number', 'Alias of checklistScore.'],
	['checklistScore', 'number', 'Number of trackers hit.'],
	['denominator', 'number', 'Alias of checklistDenominator.'],
	['checklistDenominator', 'number', 'Number of trackers in the checklist.'],
	['trackerData', 'Tracker[]', 'Trackers evaluated for this checklist.'],
]);

export const tracker = fieldTable('D1', 'Tracker', 'D1-TRACK', [
	['trackerId', 'string', 'Stable across conversations.'],
	['name', 'string', 'Alias of trackerName.'],
	['trackerName', 'string'],
	['isHit', 'boolean | null', 'Alias of trackerIsHit.'],
	['trackerIsHit', 'boolean | null', 'Whether the tracker was hit.'],
	['aiScore', 'number | null', 'Alias of trackerAiScore.'],
	['trackerAiScore', 'number | null', 'AI score.'],
]);

export const aiTracker = fieldTable('D1', 'AiTracker', 'D1-AITRACK', [
	['checklistName', 'string'],
	['trackerId', 'string', 'Stable across conversations.'],
	['trackerName', 'string'],
	['isHit', 'boolean | null'],
	['aiScore', 'number | null'],
]);

export const conversationCustomer = fieldTable('D1', 'ConversationCustomer', 'D1-CUSTOMER', [
	['name', 'string | null'],
	['email', 'string | null'],
	['phone', 'string | null'],
	['address', 'CustomerAddress', 'Address from the linked CRM location.'],
]);

export const customerAddress = fieldTable('D1', 'CustomerAddress', 'D1-ADDRESS', [
	['street', 'string | null'],
	['unit', 'string | null'],
	['city', 'string | null'],
	['state', 'string | null'],
	['zip', 'string | null'],
	['country', 'string | null'],
]);

export const survey = fieldTable('D1', 'SurveyConversationResult', 'D1-SURVEY', [
	['surveyId', 'string', 'Survey ID.'],
	['surveyName', 'string', 'Survey name.'],
	['data', 'object', 'Free-form, customer-defined results.'],
]);
