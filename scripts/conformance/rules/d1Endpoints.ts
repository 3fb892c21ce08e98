import { section } from './types';

export const endpoints = section('D1', 'Endpoints', {
	'D1-HTTP-01': 'All requests send `Authorization: <API_KEY>`.',
	'D1-HTTP-02': 'Requests with a body also send `Content-Type: application/json`.',
});

export const getConversation = section('D1', 'GET {base_url}/export/conversations/{conversationId}', {
	'D1-GET-01': 'Path parameter `conversationId`: UUID, required.',
	'D1-GET-02': 'No body; 200: one ConversationsExport object, bare.',
	'D1-GET-03': '404 when the conversation does not exist or is outside the key’s scope.',
	'D1-GET-04': 'A team-scoped key gets 404 rather than 403, so that existence is not revealed.',
});

export const postConversations = section('D1', 'POST {base_url}/export/conversations', {
	'D1-EXPBODY-01': '`fromDate`: required, UTC timestamp ending in Z.',
	'D1-EXPBODY-02': '`toDate`: required, UTC ending in Z, after fromDate; conversation bounds are inclusive.',
	'D1-EXPBODY-03': '`dateType`: `timeOfRecording` (default) or `processedDate`.',
	'D1-EXPBODY-04': '`page`: 1-based, default 1.',
	'D1-EXPBODY-05': '`limit`: 1 to 50, default 50.',
	'D1-EXPBODY-06': '`users`: exact, case-sensitive emails; omitted or `[]` means all users.',
	'D1-EXP-00': '200: ConversationsExportResponse.',
	'D1-EXP-01': '`awaitingUpload` and `errored` carry recording and job data without conversation-only data.',
	'D1-EXP-02':
		'The three arrays are paginated independently with the same page and limit; exhausted ones are empty.',
	'D1-EXP-03': '`totalPages` is the maximum page count over the three arrays.',
	'D1-EXP-04': 'With `dateType` = `processedDate`, `awaitingUpload` and `totalAwaitingUpload` are omitted.',
	'D1-EXP-05':
		'A team-scoped key whose `users` filter matches no allowed user falls back to all allowed users.',
});

export const postTeams = section('D1', 'POST {base_url}/export/teams', {
	'D1-TEAMBODY-01': '`fromDate`: required, UTC timestamp ending in Z.',
	'D1-TEAMBODY-02': '`toDate`: required, UTC ending in Z, after fromDate; most metrics include the end.',
	'D1-TEAMBODY-03': '`includeSubteams`: default false; rolls descendant members up, removes no row.',
	'D1-TEAMBODY-04': '200: TeamsExportResponse, not paginated.',
	'D1-TEAMBODY-05': 'Scorecards and live coaching exclude the end.',
});

export const postUsers = section('D1', 'POST {base_url}/export/users', {
	'D1-USERBODY-01': '`fromDate`: required, UTC timestamp ending in Z.',
	'D1-USERBODY-02': '`toDate`: required, UTC ending in Z, after fromDate.',
	'D1-USERBODY-03': '`users`: exact, case-sensitive emails; omitted or `[]` means all users.',
	'D1-USERBODY-04': 'The same fallback as in the conversations endpoint applies.',
	'D1-USERBODY-05': '200: UsersExportResponse, not paginated.',
	'D1-USERBODY-06': 'Scorecards and live coaching exclude the end.',
});

export const exportAuthentication = section('D1', 'Authentication – Data Export API', {
	'D1-AUTH-01': 'The key is the raw value of `Authorization`: no `Bearer` prefix, no extra whitespace.',
	'D1-AUTH-02': 'A key belongs to one organization; access can be limited to teams and their subteams.',
	'D1-AUTH-03': 'Successful authentication can be cached for up to five minutes.',
	'D1-AUTH-04': 'A missing or unrecognized key yields 401.',
	'D1-AUTH-05': 'The same key also works for the CRM ingestion API, without the team restriction.',
});

export const exportErrors = section('D1', 'Errors', {
	'D1-ERR-01': '401: export API key missing or unrecognized.',
	'D1-ERR-02': '404: `GET /export/conversations/{conversationId}`, absent or outside the key’s scope.',
});

export const exportLimits = section('D1', 'Limits', {
	'D1-LIM-01': 'limit per page: 1 to 50, default 50, for each of the three arrays.',
	'D1-LIM-02': 'page starts at 1.',
	'D1-LIM-03': 'Presigned transcript and audio URLs: 6 hours from the response, possibly shorter.',
	'D1-LIM-04': 'Transcript link in the webhook: about 6 hours from sending.',
	'D1-LIM-05': 'Authentication cache: up to 5 minutes.',
	'D1-LIM-06': 'Receiver response time: 10 seconds.',
	'D1-LIM-07': 'Custom headers: 5 per subscription, 4096 UTF-8 bytes as a JSON map.',
	'D1-LIM-08': 'Only the conversations endpoint is paginated.',
});
