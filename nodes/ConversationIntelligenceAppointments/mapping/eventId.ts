import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import { fieldError, isUnset, nameItem, readId } from './values';

/** The key of every operation: the ID that the user's own system gave the appointment. */
export const eventIdProperty: INodeProperties = {
	displayName: 'Event ID',
	name: 'eventId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. crm-1042',
	description: "Required. Your system's ID of the appointment, not the service's internal ID.",
};

/**
 * The event ID of an item, exactly as given; it also names the item in messages (D2 § Appointment).
 *
 * @param value the parameter Event ID, unless a column has it
 * @throws CodedError when it is missing or no ID
 */
export function readEventId(item: Item, value = item.parameter(eventIdProperty.name, '')): string {
	const field = eventIdProperty.displayName;
	if (isUnset(value)) throw fieldError('field_missing', field);
	nameItem(item, value);
	return readId(value, field);
}

/**
 * The event ID as one segment of a path, whatever it contains (D2-DEL-01).
 *
 * @throws CodedError for the few IDs that cannot be part of an address
 */
export function toPathSegment(eventId: string): string {
	// URL parsers treat these two as path steps, even encoded; half of a surrogate pair has no UTF-8.
	if (/^\.\.?$|\p{Surrogate}/u.test(eventId)) {
		throw fieldError('event_id_unsendable', eventIdProperty.displayName, eventId);
	}
	return encodeURIComponent(eventId);
}
