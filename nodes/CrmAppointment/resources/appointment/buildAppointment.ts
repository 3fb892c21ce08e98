import { UserError } from 'n8n-workflow';
import { appointmentCreateSchema, appointmentUpdateSchema, type Appointment } from '../../../shared/contract';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { isUnset } from './values';

export interface BuildOptions {
	/** Whether to check what only a new appointment needs. */
	mayCreate: boolean;
	/** IANA name: zone of times without an offset. */
	zone: string;
	/** Sends `attendee_emails: []` instead of what was mapped. */
	ownerOnly: boolean;
	/** Columns that are sent as empty text when they are unset. */
	sendEmpty: string[];
	/** Added to `custom_fields`. */
	customFields: Record<string, unknown>;
}

/**
 * The request body for one item: only what the user set, checked before anything is sent (D2 § Appointment).
 *
 * @param values by column name, as mapped
 * @throws UserError that names every field that is missing or unusable, in the document's words where it has them
 */
export function buildAppointment(values: Record<string, unknown>, options: BuildOptions): Appointment {
	const body = readValues(values, options);
	if (options.ownerOnly) body.attendee_emails = [];
	if (Object.keys(options.customFields).length > 0) {
		body.custom_fields = { ...(body.custom_fields as object | undefined), ...options.customFields };
	}
	const schema = options.mayCreate ? appointmentCreateSchema : appointmentUpdateSchema;
	const checked = schema.safeParse(body);
	if (checked.success) return checked.data;
	const { issues } = checked.error;
	const sentences = [[...new Set(issues.map(({ message }) => message))].join('; ')];
	if (issues.some(({ message }) => / required on create$/.test(message))) sentences.push(SUPPLY);
	if (issues.some(({ path }) => path[0] === 'customer' && path.length > 1)) sentences.push(WHOLE_CUSTOMER);
	throw new UserError(sentences.join('. '));
}

const SUPPLY =
	'Supply what is named, times like 2026-03-01T08:30:00Z, or set Mode to "Update Only" when the appointment exists';

const WHOLE_CUSTOMER =
	'The service refuses an incomplete customer, on an update too: supply ID and name, or leave all fields of the customer empty to keep it unchanged';

/** The body with the customer nested, read field by field; unset fields are left out. */
function readValues(values: Record<string, unknown>, options: BuildOptions): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	const customer: Record<string, unknown> = {};
	for (const { id, read, mayBeEmpty } of APPOINTMENT_FIELDS) {
		const value = isBlank(values[id], mayBeEmpty) ? undefined : read(values[id], id, options.zone);
		const sent = value === undefined && mayBeEmpty && options.sendEmpty.includes(id) ? '' : value;
		if (sent === undefined) continue;
		if (id.startsWith(CUSTOMER_PREFIX)) customer[id.slice(CUSTOMER_PREFIX.length)] = sent;
		else body[id] = sent;
	}
	return Object.keys(customer).length > 0 ? { ...body, customer } : body;
}

/** Blanks alone would clear an optional text, or create an outcome without a name; IDs may hold anything. */
function isBlank(value: unknown, mayBeEmpty: true | undefined): boolean {
	return isUnset(value) || (mayBeEmpty === true && typeof value === 'string' && value.trim() === '');
}
