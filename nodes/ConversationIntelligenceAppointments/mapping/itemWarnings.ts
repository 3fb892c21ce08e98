import type { Appointment } from './buildAppointment';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer } from './fields';
import type { Warnings } from './warnings';

export interface WarningOptions {
	/** Whether the operation is Update: Create or Update says in the panel what happens to a customer. */
	isUpdate: boolean;
	/** Whether the empty list of attendees was chosen. */
	ownerOnly: boolean;
	/** Columns chosen to be sent as empty text when they have no value. */
	toClear: string[];
	/** Whether an AI agent reads the warnings, who does not see the panel. */
	forAgent: boolean;
}

/** The warnings about one item and the body that is sent for it. */
export function warningsOf(
	{ values, warnings }: Columns,
	body: Appointment,
	options: WarningOptions,
): Warnings {
	const { customer, start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
	const isUnexpected = ('attendee_emails' in values || options.isUpdate) && !options.ownerOnly;
	const isWithoutAttendees = attendees.length === 0 && (isUnexpected || options.forAgent);
	const unsent = APPOINTMENT_FIELDS.filter(
		({ id }) => isOfCustomer(id) && !(id.slice(CUSTOMER_PREFIX.length) in (customer ?? {})),
	);
	const labelsOf = (fields: typeof unsent) => fields.map(({ displayName }) => displayName);
	return {
		...warnings,
		noAttendees: isWithoutAttendees ? ['attendee_emails'] : [],
		customer: customer && options.isUpdate ? labelsOf(unsent) : [],
		notCleared: labelsOf(unsent.filter(({ id }) => options.toClear.includes(id))),
		midnight: labelsOf(APPOINTMENT_FIELDS.filter(({ id, type }) => type === 'dateTime' && isDay(values[id]))),
		// The fixed format of D2 § Limits, 2 makes texts compare like times.
		endsBeforeStart: start !== undefined && end !== undefined && end < start ? ['end_time'] : [],
	};
}

/** Whether a valid time is written without a time of day, e.g. `2026-03-01`. */
function isDay(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '' && !/[T\s]\d|^\d{12,}$/i.test(value.trim());
}
