import type { CodedError, ErrorTable } from '../shared/base/codedError';

/** Why a poll fails, besides a failed request or a wrong setting. */
export const POLL_ERRORS = {
	position_damaged: {
		message: 'The saved position of this trigger is damaged',
		advice: 'Set Start From to Date and choose another Start Date to start over from there.',
	},
	conversation_without_id: {
		message: 'A conversation processed between {from} and {to} has no "conversationId"',
		advice: 'Polling stops here so that nothing is skipped. Report it to the service.',
	},
	clocks_differ: {
		message: "The service's clock is {difference} minutes {direction} this n8n's",
		advice:
			'Correct the wrong one: conversations can come late until both agree, and are then all delivered.',
		retryable: true,
	},
} as const satisfies ErrorTable;

/** Whether a failure passes without anybody's help, e.g. a service that is down. */
export function isPassing(error: unknown): boolean {
	return (error as Partial<CodedError>).details?.retryable === true;
}
