import type { UserError } from 'n8n-workflow';
import { appointmentCreateSchema, appointmentUpdateSchema, type Appointment } from '../../shared/contract';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { refusalError, refusalsOf, type Refusal } from './refusals';
import { isUnset } from './values';

export interface BuildOptions {
	/** Whether to check what only a new appointment needs. */
	mayCreate: boolean;
	/** IANA name: zone of times without an offset. */
	zone: string;
	/** Sends `attendee_emails: []` instead of what was mapped. */
	ownerOnly: boolean;
	/** Columns that are sent as empty text when they are unset. */
	toClear: string[];
}

/**
 * The request body for one item: only what the user set, checked before anything is sent (D2 § Appointment).
 *
 * @param values by column name, as mapped
 * @param options how to read and check them
 * @throws UserError that names every field that is missing or unusable by the panel's labels
 */
export function buildAppointment(values: Record<string, unknown>, options: BuildOptions): Appointment {
	const { body, refusals } = readValues(values, options);
	const schema = options.mayCreate ? appointmentCreateSchema : appointmentUpdateSchema;
	const checked = schema.safeParse(body);
	if (checked.success && refusals.length === 0) return checked.data;
	const issues = checked.success ? [] : checked.error.issues;
	const unread = new Set(refusals.map(({ column }) => column));
	throw refusalError([...refusals, ...refusalsOf(issues, body, unread)]);
}

type Body = Record<string, unknown>;
type UnreadColumn = Refusal & { column: string };

/** The body with the customer nested, read field by field; unset fields are left out. */
function readValues(
	values: Record<string, unknown>,
	{ zone, ownerOnly, toClear }: BuildOptions,
): { body: Body; refusals: UnreadColumn[] } {
	const refusals: UnreadColumn[] = [];
	const flat = new Map<string, unknown>();
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		// An event ID may be anything but empty, so blanks can be one.
		const isLeftOut = isUnset(values[id]) && !(id === 'event_id' && values[id]);
		if (isLeftOut || (ownerOnly && id === 'attendee_emails')) continue;
		try {
			const value = read(values[id], displayName, zone);
			if (value !== undefined) flat.set(id, value);
		} catch (error) {
			// The other fields are read all the same, so that one message names all that is wrong.
			const { message: problem, description } = error as UserError;
			refusals.push({ column: id, labels: [displayName], problem, advice: description ?? '' });
		}
	}
	if (ownerOnly) flat.set('attendee_emails', []);
	const hasCustomer = [...flat.keys(), ...refusals.map(({ column }) => column)].some(isOfCustomer);
	for (const { id, isClearable } of APPOINTMENT_FIELDS) {
		if (isClearable && toClear.includes(id) && !flat.has(id)) flat.set(id, '');
	}
	return { body: nestCustomer(flat, hasCustomer), refusals };
}

const isOfCustomer = (column: string) => column.startsWith(CUSTOMER_PREFIX);

/** Without a customer to send, what clears a part of it is not sent either: the service keeps the customer it has. */
function nestCustomer(flat: Map<string, unknown>, hasCustomer: boolean): Body {
	const customer: Body = {};
	const body: Body = {};
	for (const [id, value] of flat) {
		if (isOfCustomer(id)) customer[id.slice(CUSTOMER_PREFIX.length)] = value;
		else body[id] = value;
	}
	return hasCustomer ? { ...body, customer } : body;
}
