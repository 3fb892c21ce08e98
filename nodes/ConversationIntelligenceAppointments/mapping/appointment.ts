/** Builds the request body and its warnings from the columns of an item. */
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { codedError, CodedError } from '../../shared/base/codedErrors';
import { firstFew, isObject, plainText, wellFormedData } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import { ITEM_ERRORS, RESPONSE_ERRORS } from '../appointmentErrors';
import type { Warnings } from '../itemWarnings';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, RECORDING_TYPES } from './appointmentFields';
import { timesOf } from './times';
import { fieldError, isUnset, type ValueContext } from './values';

/** The values of one item by field, and all its columns if it is mapped automatically. */
type Columns = { values: IDataObject; input?: string[]; warnings: Warnings };

/** Other tables have such columns too, so they are sent only with a Media URL. */
const NEEDS_MEDIA = ['recording_type', 'location'];

/** The fields by the names and labels of columns, as {@link plainName} returns them. */
const FIELD_OF = new Map(
	APPOINTMENT_FIELDS.flatMap(({ id, displayName }) => [[id, id] as const, [plainName(displayName), id]]),
);
// Without this column, the rep would be the only attendee.
for (const name of ['attendees', 'attendee_email', 'attendees_email']) FIELD_OF.set(name, 'attendee_emails');

/** Reads the columns of one item, the panel's or its own. @param known columns that are not named as unknown */
export function readColumns({ context, index, isTool }: Item, known: string[] = []): Columns {
	// The mapping mode takes no expression, so the first item's applies to all.
	if (context.getNodeParameter('columns.mappingMode', 0, 'defineBelow') !== 'autoMapInputData') {
		// n8n's own conversion would read times without an offset in a zone of its choice, and refuse lists as text.
		const mapped = context.getNodeParameter('columns.value', index, {}, { skipValidation: true });
		return nameColumns((mapped ?? {}) as IDataObject);
	}
	const { json } = context.getInputData()[index];
	const { values, warnings } = nameColumns(json, known);
	// A tool's item comes from the agent, not from a table.
	if (isTool) return { values, warnings: {} };
	if (isUnset(values.media_url)) {
		warnings.media_url_missing = NEEDS_MEDIA.filter((name) => !isUnset(values[name]));
		for (const name of NEEDS_MEDIA) delete values[name];
	}
	return { values, input: Object.keys(json), warnings };
}

/** Finds the fields by name or label; a nested `customer` has the customer's columns. */
function nameColumns({ customer, ...columns }: IDataObject, known: string[] = []): Columns {
	const values: IDataObject = {};
	const [unknown, doubled]: string[][] = [[], []];
	const add = (name: string, column: string, value: unknown) => {
		const id = FIELD_OF.get(name);
		if (id === undefined) {
			if (value !== undefined && !known.includes(column)) unknown.push(column);
		} else if (isUnset(values[id])) {
			values[id] = value as IDataObject;
		} else if (!isUnset(value) && JSON.stringify(value) !== JSON.stringify(values[id])) doubled.push(column);
	};
	// A column with the field's own name takes precedence over one with its label.
	const own = Object.keys(columns).filter((name) => FIELD_OF.get(name) === name);
	for (const name of new Set([...own, ...Object.keys(columns)])) add(plainName(name), name, columns[name]);
	const whole = typeof customer === 'string' ? jsonParse(customer, { fallbackValue: null }) : customer;
	for (const [part, value] of Object.entries(isObject(whole) ? whole : {})) {
		add(`${CUSTOMER_PREFIX}${plainName(part)}`, `customer.${part}`, value);
	}
	if (!isUnset(customer) && !isObject(whole)) unknown.push('customer');
	return { values, warnings: { columns_unknown: unknown, columns_doubled: doubled } };
}

/** A label such as `Attendee Emails` or `attendeeEmails` as a name such as `attendee_emails`. */
export function plainName(label: string): string {
	const visible = label.replace(/\p{DI}/gu, '').trim();
	const words = visible.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1_');
	return words.toLowerCase().replace(/[\s_.-]+/g, '_');
}

export const isOfCustomer = (field: string) => field.startsWith(CUSTOMER_PREFIX);

/** Body of POST /custom/appointment, with the fields that the node reads itself (D2 § Appointment). */
export interface Appointment extends IDataObject {
	event_id: string;
	user_email: string;
	start_time?: string;
	end_time?: string;
	attendee_emails?: string[];
	customer?: Record<string, string>;
}

type BuildOptions = Omit<ValueContext, 'warnings' | 'event'> &
	Record<'mayCreate' | 'takesWholeDays' | 'ownerOnly', boolean>;

/** The request body for one item (D2 § Appointment). @throws CodedError that names every missing or unusable field */
export function buildAppointment({ values, warnings, input }: Columns, options: BuildOptions) {
	const times = timesOf(values, options.dateOrder);
	const context = { ...options, warnings, event: `Event ${plainText(String(values.event_id), 100)}` };
	const fields = new Map<string, unknown>();
	const errors: CodedError[] = [];
	if (options.ownerOnly) fields.set('attendee_emails', []);
	for (const { id, displayName, read } of APPOINTMENT_FIELDS) {
		if (isUnset(values[id]) || fields.has(id)) continue;
		try {
			if (times[id]?.day && !options.takesWholeDays) throw fieldError('whole_day', displayName, values[id]);
			const value = read(times[id] ?? values[id], displayName, context);
			if (value !== undefined) fields.set(id, value);
		} catch (error) {
			// One message names everything that is wrong.
			errors.push(error as CodedError);
		}
	}
	const refused = errors.map(({ details }) => details.field);
	const missing = missingFields(fields, options.mayCreate);
	const isNew = ({ details }: CodedError) => !refused.includes(details.field);
	const all = [...errors, ...recordingErrors(fields), ...missing.filter(isNew)];
	if (all.length > 0) throw joinErrors(all, input);
	const own = [...fields].filter(([id]) => !isOfCustomer(id));
	const ofCustomer = [...fields].filter(([id]) => isOfCustomer(id));
	const parts = ofCustomer.map(([id, value]) => [id.slice(CUSTOMER_PREFIX.length), value]);
	const customer = parts.length > 0 && { customer: Object.fromEntries(parts) as IDataObject };
	const body = wellFormedData({ ...customer, ...Object.fromEntries(own) } as Appointment);
	return { body, warnings: { ...warnings, ...bodyWarnings(body, fields, context) } };
}

/** The required fields that were not set (D2 § Appointment, § Customer object, § Attendee rules, 5). */
function missingFields(fields: Map<string, unknown>, mayCreate: boolean): CodedError[] {
	const hasCustomer = [...fields.keys()].some(isOfCustomer);
	return APPOINTMENT_FIELDS.flatMap(({ id, displayName: field, required }) => {
		if (required === undefined || fields.has(id)) return [];
		if (required === 'always') return fieldError('field_missing', field);
		if (required === 'onUpdate') return mayCreate ? [] : fieldError('attendees_missing', field);
		if (hasCustomer && isOfCustomer(id)) return fieldError('customer_field_missing', field);
		return mayCreate ? fieldError('new_field_missing', field) : [];
	});
}

/** What a recording lacks or must not have (D2 § Appointment; § Errors, 400). */
function recordingErrors(fields: Map<string, unknown>): CodedError[] {
	if (!fields.has('media_url')) return [];
	const [attendees, type] = [fields.get('attendee_emails') as string[], fields.get('recording_type')];
	const isUnknown = type !== undefined && RECORDING_TYPES.every(({ value }) => value !== type);
	const lacksLocation = type === 'CALL_AUDIO_WITH_LOCATION' && !fields.has('location');
	const withAttendees = { field: 'Attendee Emails' };
	return [
		attendees?.length > 0 && codedError(RESPONSE_ERRORS, 'attendees_with_media', {}, withAttendees),
		type === undefined && fieldError('recording_field_missing', 'Recording Type'),
		isUnknown && fieldError('recording_type_invalid', 'Recording Type', type),
		lacksLocation && fieldError('recording_field_missing', 'Location'),
	].filter((error) => error !== false);
}

function bodyWarnings(
	{ customer, start_time: start, end_time: end, attendee_emails: attendees = [] }: Appointment,
	fields: Map<string, unknown>,
	{ mayCreate, ownerOnly, event }: BuildOptions & Pick<ValueContext, 'event'>,
): Warnings {
	const unsent = APPOINTMENT_FIELDS.filter(({ id }) => isOfCustomer(id) && !fields.has(id));
	return {
		attendees_missing: attendees.length === 0 && !ownerOnly ? ['attendee_emails'] : [],
		// The panel of Create or Update says what happens to a customer.
		customer_incomplete: customer && !mayCreate ? unsent.map(({ displayName }) => displayName) : [],
		// The fixed format of D2 § Limits, 2 makes texts compare like times; nothing compares with undefined.
		end_not_after_start: end! <= start! ? [event] : [],
	};
}

/** The only error of an item, or one that names all fields; `details.causes` has each. */
function joinErrors(errors: CodedError[], input?: string[]): CodedError {
	const causes = errors.map(({ details: { code, field } }) => ({ code, field }));
	const missing = causes.filter(({ code }) => code.endsWith('_missing'));
	const columns = input && missing.length > 0 && `Columns of the input: ${firstFew(input) || 'none'}.`;
	if (errors.length === 1) {
		const [{ message, description, details }] = errors;
		const facts = [description, columns].filter(Boolean).join(' ');
		return new CodedError({ code: details.code, message }, { field: details.field, facts });
	}
	const isMissing = missing.length === errors.length;
	const lines = isMissing
		? new Set(errors.map(({ description }) => description))
		: errors.map(({ message, description }) => `${message}. ${description}`);
	const facts = [...lines, columns].filter(Boolean).join('\n');
	const code = isMissing ? 'required_fields_missing' : 'fields_refused';
	const fields = firstFew(causes.map(({ field }) => field!));
	return codedError(ITEM_ERRORS, code, { fields }, { causes, facts });
}
