/** Stands for the brand word, which the documents do not carry: clients must go by status and prefix. */
const serviceName = 'Sandbox';

/** An answer that is not 200: thrown, and sent as a plain string (D2 § Errors). */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		text: string,
	) {
		super(text);
	}
}

/** Bodies that D2's table of exact texts shows. */
export const exact = {
	userEmail: 'user_email must be a non-empty string',
	attendees: 'attendee_emails must be an array of non-empty strings',
	attendeesWithMedia: 'attendee_emails cannot be combined with media_url',
	nobodyResolved: `User email is not in ${serviceName}`,
	invalidJson: 'Invalid JSON data',
	missingParameters: 'Missing some required parameters in the body',
	eventNotFound: 'Event not found',
	conversationNotFound: 'Conversation not found',
	forbidden: 'Forbidden',
	noRecording: 'Conversation has no recording to link',
	recordingGone: "Conversation's recording could not be found to link",
	matched: 'Successfully matched conversation to event',
} as const;

/** Sandbox's own choice: bodies that D2 leaves open. */
export const own = {
	saved: 'Appointment saved',
	deleted: 'Appointment deleted',
	appointmentNotFound: 'Appointment not found',
	hasRecording: 'Appointment has a linked recording',
	unmappedKey: 'Key is not mapped to an active organization',
	invalidParameters: 'Invalid parameters',
	notAnObject: 'The body must be a JSON object',
	unexpected: 'Internal Server Error',
} as const;
