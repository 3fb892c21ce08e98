import { section } from './types';

export const crmHeaders = section('D2', 'Endpoints – common request headers', {
	'D2-HEAD-01': '`x-api-key`: required.',
	'D2-HEAD-02': '`Content-Type: application/json`: required for requests with a body.',
	'D2-HEAD-03': '`Accept`: `text/plain` (default) or `application/json`.',
});

export const crmAuthentication = section('D2', 'Authentication', {
	'D2-AUTH-01': '`x-api-key` on every request; not the `Authorization` header of the export API.',
	'D2-AUTH-02': 'A missing or unrecognized key returns 403 at the gateway, before the application.',
	'D2-AUTH-03': 'A recognized key not mapped to an active organization returns 422.',
	'D2-AUTH-04': 'Deleting a key takes effect immediately.',
	'D2-AUTH-05': 'An export key’s team restriction does not describe authorization here.',
});

export const crmEvents = section('D2', 'Events', {
	'D2-EVENT-01': 'Completion of `media_url` processing shows in the webhook or the export endpoints.',
	'D2-EVENT-02': 'The debugger view lists every event received for a key with its stored payload and times.',
	'D2-EVENT-03': 'A 4xx response means the event never reached storage.',
});

export const crmErrors = section('D2', 'Errors', {
	'D2-ERR-00': 'Error bodies are plain strings.',
	'D2-ERR-01': '200: processed.',
	'D2-ERR-02': '400: body not valid JSON.',
	'D2-ERR-03': '400: `event_id`, `user_email` or `title` missing.',
	'D2-ERR-04': '400: customer object missing or incomplete.',
	'D2-ERR-05': '400: bad timestamp format.',
	'D2-ERR-06': '400: `media_url` with `CALL_AUDIO_WITH_LOCATION` but no `location`.',
	'D2-ERR-07': '400: `user_email` not a non-empty string.',
	'D2-ERR-08': '400: `attendee_emails` not an array of non-empty strings.',
	'D2-ERR-09': '400: non-empty `attendee_emails` combined with `media_url`.',
	'D2-ERR-10': '400, match: `event_id` or `conversation_id` missing.',
	'D2-ERR-11': '403: missing or unrecognized key.',
	'D2-ERR-12': '404: no route or method matches; JSON object whose `message` starts `No matching route`.',
	'D2-ERR-13': '404, delete: appointment not found in the organization.',
	'D2-ERR-14': '404, match: event or conversation not found in the organization.',
	'D2-ERR-15': '404: a conversation of another organization gives the same answer as an absent one.',
	'D2-ERR-16': '409: delete of an appointment with a linked recording.',
	'D2-ERR-17': '422: no supplied attendee resolves.',
	'D2-ERR-18': '422: key not mapped to an organization.',
	'D2-ERR-19': '422: match on a conversation without a recording.',
	'D2-ERR-20': '429: request exceeds an applicable rate limit.',
	'D2-ERR-21': '500: unexpected error; the event is forwarded to a dead-letter queue.',
});

export const crmBodies = section('D2', 'Exact plain-text bodies', {
	'D2-BODY-01': '400 `user_email must be a non-empty string`',
	'D2-BODY-02': '400 `attendee_emails must be an array of non-empty strings`',
	'D2-BODY-03': '400 `attendee_emails cannot be combined with media_url`',
	'D2-BODY-04': '422 `User email is not in …` (the body names the service)',
	'D2-BODY-05': '400 `Invalid JSON data` (match)',
	'D2-BODY-06': '400 `Missing some required parameters in the body` (match)',
	'D2-BODY-07': '404 `Event not found` (match)',
	'D2-BODY-08': '404 `Conversation not found` (match)',
	'D2-BODY-09': '403 `Forbidden` (match)',
	'D2-BODY-10': '422 `Conversation has no recording to link` (match)',
	'D2-BODY-11': '422 `Conversation’s recording could not be found to link` (match; straight apostrophe)',
});

export const crmRetries = section('D2', 'Retry guidance', {
	'D2-RETRY-01': '400, 403, 404, 409 and 422 are permanent for the same payload.',
	'D2-RETRY-02': '500 may be transient: retry with exponential backoff.',
	'D2-RETRY-03': 'Back off on 429 and on other 5xx.',
});

export const crmLimits = section('D2', 'Limits', {
	'D2-LIM-01': 'Rate limits depend on the key’s usage plan; exceeding them can return 429.',
	'D2-LIM-02': '`start_time` and `end_time` use the fixed format in UTC.',
	'D2-LIM-03': '`attendee_emails` cannot be used together with `media_url`.',
	'D2-LIM-04': '`price` is a float with no currency code.',
});
