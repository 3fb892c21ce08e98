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
