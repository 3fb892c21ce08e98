import type { IDataObject } from 'n8n-workflow';
import type { CodedError } from '../../shared/errors/codedError';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer } from './fields';
import { missingFields, recordingRefusals, refusalError, type Refusal } from './refusals';
import { isUnset } from './values';

/** Body of POST /custom/appointment, with the fields that the node reads itself (D2 § Appointment). */
export interface Appointment extends IDataObject {
	event_id: string;
	user_email: string;
	start_time?: string;
	end_time?: string;
	attendee_emails?: string[];
	customer?: Record<string, string>;
}

export interface BuildOptions {
	/** Whether to check what only a new appointment needs. */
	mayCreate: boolean;
	/** IANA name: zone of times without an offset. */
	zone: string;
	/** Whether to send `attendee_emails: []` instead of the mapped value. */
	ownerOnly: boolean;
	/** Columns to send as empty text when they have no value. */
	toClear: string[];
}

/**
 * The request body for one item: only what the user set, checked before anything is sent (D2 § Appointment).
 *
 * @throws CodedError that names, by the panel's labels, every missing or unusable field
 */
export function buildAppointment({ values, input }: Columns, options: BuildOptions): Appointment {
	const flat = new Map<string, unknown>();
	const unusable: Refusal[] = [];
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		if (isUnset(values[id]) || (options.ownerOnly && id === 'attendee_emails')) continue;
		try {
			flat.set(id, read(values[id], displayName, options.zone));
		} catch (error) {
			// The other fields are still read, so that one message names everything that is wrong.
			unusable.push({ column: id, error: error as CodedError });
		}
	}
	if (options.ownerOnly) flat.set('attendee_emails', []);
	const isSet = (column: string) => flat.has(column) || unusable.some((one) => one.column === column);
	const refusals = [...unusable, ...recordingRefusals(flat), ...missingFields(isSet, options.mayCreate)];
	if (refusals.length > 0) throw refusalError(refusals, input);
	return toBody(flat, options.toClear);
}

/** Without a customer, Fields to Clear sends none of its parts: the service keeps the customer it has. */
function toBody(flat: Map<string, unknown>, toClear: string[]): Appointment {
	const customer: Record<string, unknown> = {};
	const hasCustomer = [...flat.keys()].some(isOfCustomer);
	const body: Record<string, unknown> = hasCustomer ? { customer } : {};
	for (const { id, isClearable } of APPOINTMENT_FIELDS) {
		const value = flat.get(id) ?? (isClearable && toClear.includes(id) ? '' : undefined);
		if (value === undefined) continue;
		if (isOfCustomer(id)) customer[id.slice(CUSTOMER_PREFIX.length)] = value;
		else body[id] = value;
	}
	return body as Appointment;
}
