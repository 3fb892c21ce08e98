import type { IDataObject } from 'n8n-workflow';
import type { CodedError } from '../../shared/errors/codedError';
import type { Warnings } from '../warnings';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer } from './fields';
import { joinErrors, missingFields, recordingErrors } from './refusals';
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
	/** Whether to require what only a new appointment needs. */
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
export function buildAppointment({ values, leftOut, input }: Columns, options: BuildOptions): Appointment {
	const fields = new Map<string, unknown>();
	const errors: CodedError[] = [];
	if (options.ownerOnly) fields.set('attendee_emails', []);
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		if (isUnset(values[id]) || leftOut.includes(id) || fields.has(id)) continue;
		try {
			fields.set(id, read(values[id], displayName, options.zone));
		} catch (error) {
			// The other fields are still read, so that one message names everything that is wrong.
			errors.push(error as CodedError);
		}
	}
	errors.push(...recordingErrors(fields), ...missingFields(values, options.mayCreate));
	if (errors.length > 0) throw joinErrors(errors, input);
	// What is left out has a value, so it is not cleared.
	return toBody(
		fields,
		options.toClear.filter((id) => !leftOut.includes(id)),
	);
}

/** Without a customer, Fields to Clear sends none of its parts: the service keeps the customer it has. */
function toBody(fields: Map<string, unknown>, toClear: string[]): Appointment {
	const customer: Record<string, unknown> = {};
	const hasCustomer = [...fields.keys()].some(isOfCustomer);
	const body: Record<string, unknown> = hasCustomer ? { customer } : {};
	for (const { id } of APPOINTMENT_FIELDS) {
		const value = fields.get(id) ?? (toClear.includes(id) ? '' : undefined);
		if (value === undefined) continue;
		if (isOfCustomer(id)) customer[id.slice(CUSTOMER_PREFIX.length)] = value;
		else body[id] = value;
	}
	return body as Appointment;
}

/**
 * What the user should know about an item and the body that is sent for it.
 *
 * @param forAgent whether an AI agent reads it, who does not see the panel
 */
export function warningsOf(
	{ values, warnings }: Columns,
	body: Appointment,
	{ mayCreate, ownerOnly, toClear }: BuildOptions,
	forAgent: boolean,
): Warnings {
	const { customer, start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
	const isUnexpected = ('attendee_emails' in values || !mayCreate) && !ownerOnly;
	const isWithoutAttendees = attendees.length === 0 && (isUnexpected || forAgent);
	const unsent = APPOINTMENT_FIELDS.filter(
		({ id }) => isOfCustomer(id) && !(id.slice(CUSTOMER_PREFIX.length) in (customer ?? {})),
	);
	const labelsOf = (fields: typeof unsent) => fields.map(({ displayName }) => displayName);
	return {
		...warnings,
		attendees_missing: isWithoutAttendees ? ['attendee_emails'] : [],
		// The panel of Create or Update says what happens to a customer.
		customer_incomplete: customer && !mayCreate ? labelsOf(unsent) : [],
		customer_not_cleared: labelsOf(unsent.filter(({ id }) => toClear.includes(id))),
		time_of_day_missing: labelsOf(
			APPOINTMENT_FIELDS.filter(({ id, type }) => type === 'dateTime' && isDay(values[id])),
		),
		// The fixed format of D2 § Limits, 2 makes texts compare like times.
		ends_before_start: start !== undefined && end !== undefined && end < start ? ['end_time'] : [],
	};
}

/** Whether a valid time is written without a time of day, e.g. `2026-03-01`. */
function isDay(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '' && !/[T\s]\d|^\d{12,}$/i.test(value.trim());
}
