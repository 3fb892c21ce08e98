import { fieldTable, section } from './types';

export const user = fieldTable('D1', 'UsersExport', 'D1-USER', [
	['userId', 'string'],
	['name', 'string | null', 'Null when a name component is missing.'],
	['email', 'string'],
	['accountSetUp', 'boolean', 'Account setup completed.'],
	['isRemoved', 'boolean', 'Removed or deactivated.'],
	['role', 'string | null', 'Role display name, not a fixed enumeration; null without a matching role.'],
	[
		'teams',
		'TeamMembership[] | null',
		'Sorted by team name; null (not an empty array) when the user has none.',
	],
	['timeOfFirstRecording', 'string | null', 'ISO 8601.'],
	[
		'lastActive',
		'string | null',
		'Reps: latest recording; other roles: latest product activity; not bounded by the range.',
	],
	['hasVoiceId', 'boolean'],
	['analyticsViewed', 'number'],
	['appointmentsRecorded', 'number | null'],
	['averageConversationDuration', 'number | null', 'Mean recording duration, also without a conversation.'],
	['averageConversationLength', 'number | null', 'Mean rep plus customer talk time; silence excluded.'],
	['averageScriptCompliance', 'number | null', 'Mean score over denominator, two decimals, fraction.'],
	['averageTimePerRidealong', 'number | null', 'Seconds.'],
	['clipCommentsGiven', 'number'],
	['clipsCreated', 'number'],
	['clipViewDuration', 'number', 'Seconds.'],
	['commentsReceived', 'number'],
	['commentsRead', 'number'],
	['commentsGiven', 'number'],
	['conversationsCommentedOn', 'number'],
	['conversationsRecorded', 'number', 'Distinct recordings in the window, also without a conversation.'],
	['conversationsViewed', 'number'],
	['conversationViewDuration', 'number', 'Seconds.'],
	['lastRidealongAt', 'string | null', 'Most recent completed ride-along in the window; null if none.'],
	['longestMonologueAverage', 'number | null', 'Median (not mean), seconds.'],
	['longestCustomerMonologueAverage', 'number | null', 'Median, seconds.'],
	['patienceAverage', 'number | null', 'Mean stored patience metric; not a percentage.'],
	[
		'percentageOfRepsWithCommentsGiven',
		'number | null',
		'Two decimals, fraction; null without a denominator.',
	],
	['recordingCompliance', 'number | null', 'As in TeamsExport.'],
	['ridealongsReceived', 'number'],
	['scorecardsReceived', 'number'],
	['scorecardsGiven', 'number'],
	['talkRatioAverage', 'number | null', 'Mean rep talk ratio, two decimals, fraction.'],
	['totalAppointments', 'number', 'As in TeamsExport.'],
	['totalEndOfRidealongsReached', 'number', 'Ride-alongs completed through to the end.'],
	['totalRidealongsCompleted', 'number'],
	['viewedRecordedRatio', 'number | null', 'Two decimals; can be null although recordings exist.'],
	['liveCoaching', 'LiveCoachingMetrics'],
]);

export const teamMembership = fieldTable('D1', 'TeamMembership', 'D1-MEMBER', [
	['teamId', 'string'],
	['name', 'string'],
]);

export const liveCoaching = fieldTable('D1', 'LiveCoachingMetrics', 'D1-COACH', [
	['sessionsHosted', 'number', 'Rooms of hosts with qualifying coach views or comments.'],
	['viewEventsReceived', 'number', 'View events on hosted sessions.'],
	['uniqueViewers', 'number'],
	['viewDurationMinutes', 'number', 'Minutes.'],
	['commentsReceived', 'number'],
	['uniqueCommenters', 'number'],
	['moneySaved', 'number', 'Sum of positive appointment prices; no currency code.'],
	['lastCoachedAt', 'string | null', 'ISO 8601 of the last live coaching session.'],
]);

export const userRules = section('D1', 'UsersExportResponse', {
	'D1-USERS-01': '`users`: one row per selected user, an empty array when none match; not paginated.',
	'D1-USERS-02': 'Hidden users are excluded.',
	'D1-USERS-03': 'Removed users can still be returned.',
	'D1-USERS-04': 'Identity, role, teams, first recording and lastActive do not depend on the window.',
	'D1-USERS-05': 'Without qualifying coaching activity the counts are zero and `lastCoachedAt` is null.',
	'D1-USERS-06': 'Coaching view and comment counts require a coach with an admin or team-manager role.',
});
