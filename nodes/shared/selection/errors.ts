import type { ErrorTable } from '../base/errors';

/** What can be wrong with a conversation's ID, and with the filters that both nodes of the export have. */
export const SELECTION_ERRORS = {
	conversation_id_invalid: {
		message: '{field} must be a UUID or a link with one (it is {value})',
		advice: 'Use the ID or the link of a conversation, e.g. from the output of Get Many.',
	},
	user_not_email: {
		message: 'The user {user} is not an email address',
		advice: 'Use exact, case-sensitive emails with commas between them: the service filters by nothing else.',
	},
	filter_empty: {
		message: 'The expression for {field} returned nothing to filter by',
		advice: 'Correct the expression, or enter a fixed value.',
	},
	team_without_members: {
		message: 'No user that the API key may see is in the teams {teams}',
		advice: 'Choose other teams, or remove the filter.',
	},
	user_not_in_teams: {
		message: 'None of the users of the filter is in the teams {teams}',
		advice: 'Choose other teams, or remove the filter.',
	},
	no_sample: {
		message: 'No conversation{which} was processed in the last {days} days{example}',
		advice: 'Publish the workflow anyway{correct}.',
	},
} as const satisfies ErrorTable;
