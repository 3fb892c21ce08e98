import type { IDataObject } from 'n8n-workflow';
import { CodedError, codedError } from '../../shared/errors/codedError';
import { firstFew } from '../../shared/errors/text';
import { ITEM_ERRORS, RESPONSE_ERRORS } from '../errors';
import type { Reading, Warnings } from '../warnings';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer, RECORDING_TYPES } from './fields';
import { wholeDays } from './times';
import { fieldError, isUnset } from './values';

/** Maximum labels in a headline. */
const MAX_LABELS = 3;

/** Body of POST /custom/appointment, with the fields that the node reads itself (D2 § Appointment). */
export interface Appointment extends IDataObject {
	event_id: string;
	user_email: string;
	start_time?: string;
	end_time?: string;
	attendee_emails?: string[];
	customer?: Record<string, string>;
}

export interface BuildOptions extends Omit<Reading, 'warnings'> {
	/** Whether to require what only a new appointment needs. */
	mayCreate: boolean;
	/** Whether an event without times of day is sent with the start and end of its days. */
	takesWholeDays: boolean;
	/** Whether to send `attendee_emails: []` instead of the mapped value. */
	ownerOnly: boolean;
}

/**
 * The request body for one item, and what to know about it: only what the user set, checked before anything is sent
 * (D2 § Appointment).
 *
 * @throws CodedError that names, by the panel's labels, every missing or unusable field
 */
export function buildAppointment(
	{ values, warnings, input }: Columns,
	options: BuildOptions,
): { body: Appointment; warnings: Warnings } {
	const days = wholeDays(values);
	const fields = new Map<string, unknown>();
	const errors: CodedError[] = [];
	if (options.ownerOnly) fields.set('attendee_emails', []);
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		if (isUnset(values[id]) || fields.has(id)) continue;
		try {
			if (id in days && !options.takesWholeDays) throw fieldError('whole_day', displayName, values[id]);
			const value = read(days[id] ?? values[id], displayName, { ...options, warnings });
			if (value !== undefined) fields.set(id, value);
		} catch (error) {
			// The other fields are still read, so that one message names everything that is wrong.
			errors.push(error as CodedError);
		}
	}
	const refused = errors.map(({ details }) => details.field);
	const missing = missingFields(fields, options.mayCreate).filter(
		({ details: { field } }) => !refused.includes(field),
	);
	for (const error of [...recordingErrors(fields), ...missing]) errors.push(error);
	if (errors.length > 0) throw joinErrors(errors, input);
	const body = toBody(fields);
	return { body, warnings: { ...warnings, ...warningsOf(body, options) } };
}

/** The required fields that were not set (D2 § Appointment, § Customer object, § Attendee rules, 5). */
function missingFields(fields: Map<string, unknown>, mayCreate: boolean): CodedError[] {
	const hasCustomer = [...fields.keys()].some(isOfCustomer);
	return APPOINTMENT_FIELDS.flatMap(({ id, displayName, required }) => {
		if (required === undefined || fields.has(id)) return [];
		if (required === 'always') return [fieldError('field_missing', displayName)];
		if (required === 'onUpdate') return mayCreate ? [] : [fieldError('attendees_missing', displayName)];
		if (hasCustomer && isOfCustomer(id)) return [fieldError('customer_field_missing', displayName)];
		return mayCreate ? [fieldError('new_field_missing', displayName)] : [];
	});
}

/** What a recording lacks or must not have (D2 § Appointment; § Errors, 400). */
function recordingErrors(fields: Map<string, unknown>): CodedError[] {
	if (!fields.has('media_url')) return [];
	const [attendees, type] = [fields.get('attendee_emails') as string[], fields.get('recording_type')];
	const isKnown = RECORDING_TYPES.some(({ value }) => value === type);
	const lacksLocation = type === 'CALL_AUDIO_WITH_LOCATION' && !fields.has('location');
	return [
		attendees?.length > 0 &&
			codedError(RESPONSE_ERRORS, 'attendees_with_media', {}, { field: 'Attendee Emails' }),
		type === undefined && fieldError('recording_field_missing', 'Recording Type'),
		type !== undefined && !isKnown && fieldError('recording_type_invalid', 'Recording Type', type),
		lacksLocation && fieldError('recording_field_missing', 'Location'),
	].filter((error) => error !== false);
}

/** The fields as a request body, with the customer's in `customer`. */
function toBody(fields: Map<string, unknown>): Appointment {
	const customer: Record<string, unknown> = {};
	const hasCustomer = [...fields.keys()].some(isOfCustomer);
	const body: Record<string, unknown> = hasCustomer ? { customer } : {};
	for (const [id, value] of fields) {
		if (isOfCustomer(id)) customer[id.slice(CUSTOMER_PREFIX.length)] = value;
		else body[id] = value;
	}
	return body as Appointment;
}

/** What the user should know about the body. */
function warningsOf(body: Appointment, { mayCreate, ownerOnly }: BuildOptions): Warnings {
	const { customer, start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
	const unsent = APPOINTMENT_FIELDS.filter(
		({ id }) => isOfCustomer(id) && !(id.slice(CUSTOMER_PREFIX.length) in (customer ?? {})),
	);
	return {
		attendees_missing: attendees.length === 0 && !ownerOnly ? ['attendee_emails'] : [],
		// The panel of Create or Update says what happens to a customer.
		customer_incomplete: customer && !mayCreate ? unsent.map(({ displayName }) => displayName) : [],
		// The fixed format of D2 § Limits, 2 makes texts compare like times; nothing compares with undefined.
		end_not_after_start: end! <= start! ? ['end_time'] : [],
	};
}

/** One error for an item: its only one, or a short headline with all of them in the description and in `details.causes`. */
function joinErrors(errors: CodedError[], input?: string[]): CodedError {
	const causes = errors.map(({ details: { code, field } }) => ({ code, field }));
	const missing = causes.filter(({ code }) => code.endsWith('_missing'));
	const columns = input && missing.length > 0 && `Columns of the input: ${firstFew(input) || 'none'}.`;
	if (errors.length === 1) {
		const [{ message, description, details }] = errors;
		const facts = [description, columns].filter(Boolean).join(' ');
		return new CodedError({ code: details.code, message }, { field: details.field, facts });
	}
	// What several errors advise is said once.
	const facts = new Set([...errors.flatMap((one) => [`${one.message}.`, one.description]), columns]);
	return codedError(
		ITEM_ERRORS,
		missing.length === errors.length ? 'required_fields_missing' : 'fields_refused',
		{ fields: headline(causes.map(({ field }) => field!)) },
		{ causes, facts: [...facts].filter(Boolean).join(' ') },
	);
}

function headline(labels: string[]): string {
	if (labels.length > MAX_LABELS) return `${labels[0]} and ${labels.length - 1} more fields`;
	return labels.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
