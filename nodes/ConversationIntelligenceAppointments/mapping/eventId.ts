import { UserError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

/** The caller's own ID of the appointment, the key of every operation. */
export const eventIdProperty: INodeProperties = {
	displayName: 'Event ID',
	name: 'eventId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. crm-1042',
	description: 'Your own ID of the appointment, not the internal ID of the service',
};

/**
 * The event ID of an item, exactly as given: blanks and letter case may be part of it.
 *
 * @param context the node's execution
 * @param itemIndex from 0
 * @throws UserError when it is empty
 */
export function readEventId(context: IExecuteFunctions, itemIndex: number): string {
	const value = context.getNodeParameter('eventId', itemIndex, '');
	const eventId = typeof value === 'number' ? String(value) : value;
	if (typeof eventId === 'string' && eventId !== '') return eventId;
	throw new UserError('Event ID is missing', {
		description: 'Use the ID with which the appointment was created.',
	});
}

/**
 * The event ID as one segment of a path, whatever it holds (D2 § DELETE: the original `event_id`, URL-encoded).
 *
 * @param eventId as from {@link readEventId}
 * @throws UserError for the few IDs that no address can carry
 */
export function toPathSegment(eventId: string): string {
	// Address parsers resolve these two as path steps, encoded or not; the request would go elsewhere.
	if (eventId === '.' || eventId === '..') {
		throw new UserError(`Event ID "${eventId}" cannot be part of an address, where it means a folder`, {
			description: "Delete this appointment in your conversation service's web app.",
		});
	}
	// Half of a character has no UTF-8 form, so it has no encoded form either.
	if (/\p{Surrogate}/u.test(eventId)) {
		throw new UserError('Event ID holds half of a character (a lone surrogate)', {
			description: 'It cannot be URL-encoded: check how the ID was cut.',
		});
	}
	return encodeURIComponent(eventId);
}
