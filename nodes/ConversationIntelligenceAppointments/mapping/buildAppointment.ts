import type { UserError } from 'n8n-workflow';
import { appointmentCreateSchema, appointmentUpdateSchema, type Appointment } from '../../shared/contract';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { refusalError, refusalsOf, type Refusal } from './refusals';
import { isUnset } from './values';

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
 * @throws UserError that names every field that is missing or unusable by the panel's labels
 */
export function buildAppointment({ values, input }: Columns, options: BuildOptions): Appointment {
	const flat = new Map<string, unknown>();
	const refusals = new Map<string, Refusal>();
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		// An event ID may be anything but empty, so blanks can be one.
		const isLeftOut = isUnset(values[id]) && !(id === 'event_id' && values[id]);
		if (isLeftOut || (options.ownerOnly && id === 'attendee_emails')) continue;
		try {
			const value = read(values[id], displayName, options.zone);
			if (value !== undefined) flat.set(id, value);
		} catch (error) {
			// The other fields are read all the same, so that one message names everything that is wrong.
			const { message: problem, description } = error as UserError;
			refusals.set(id, { columns: [id], problem, advice: description ?? '' });
		}
	}
	if (options.ownerOnly) flat.set('attendee_emails', []);
	const hasCustomer = [...flat.keys(), ...refusals.keys()].some(isOfCustomer);
	for (const { id, isClearable } of APPOINTMENT_FIELDS) {
		if (isClearable && options.toClear.includes(id) && !flat.has(id)) flat.set(id, '');
	}
	const body = nestCustomer(flat, hasCustomer);

	const schema = options.mayCreate ? appointmentCreateSchema : appointmentUpdateSchema;
	const checked = schema.safeParse(body);
	if (checked.success && refusals.size === 0) return checked.data;
	const issues = refusalsOf(checked.error?.issues ?? [], body, new Set(refusals.keys()));
	throw refusalError([...refusals.values(), ...issues], input);
}

const isOfCustomer = (column: string) => column.startsWith(CUSTOMER_PREFIX);

/** Without a customer, Fields to Clear sends none of its parts: the service keeps the customer it has. */
function nestCustomer(flat: Map<string, unknown>, hasCustomer: boolean): Record<string, unknown> {
	const customer: Record<string, unknown> = {};
	const body: Record<string, unknown> = hasCustomer ? { customer } : {};
	for (const [id, value] of flat) {
		if (isOfCustomer(id)) customer[id.slice(CUSTOMER_PREFIX.length)] = value;
		else body[id] = value;
	}
	return body;
}
