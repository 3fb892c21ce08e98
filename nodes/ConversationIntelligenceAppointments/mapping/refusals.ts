import type { IDataObject } from 'n8n-workflow';
import { CodedError, codedError } from '../../shared/errors/codedError';
import { ITEM_ERRORS, RESPONSE_ERRORS } from '../errors';
import { APPOINTMENT_FIELDS, isOfCustomer, RECORDING_TYPES } from './fields';
import { fieldError, isUnset } from './values';

/** Maximum labels in a headline. */
const MAX_LABELS = 3;

/** The required fields that were not set (D2 § Appointment, § Customer object). */
export function missingFields(values: IDataObject, mayCreate: boolean): CodedError[] {
	const hasCustomer = APPOINTMENT_FIELDS.some(({ id }) => isOfCustomer(id) && !isUnset(values[id]));
	return APPOINTMENT_FIELDS.flatMap(({ id, displayName, required }) => {
		if (required === undefined || !isUnset(values[id])) return [];
		if (required === 'always') return [fieldError('field_missing', displayName)];
		if (hasCustomer && isOfCustomer(id)) return [fieldError('customer_field_missing', displayName)];
		return mayCreate ? [fieldError('new_field_missing', displayName)] : [];
	});
}

/** What a recording lacks or must not have (D2 § Appointment; § Errors, 400). */
export function recordingErrors(fields: Map<string, unknown>): CodedError[] {
	if (!fields.has('media_url')) return [];
	const [attendees, type] = [fields.get('attendee_emails'), fields.get('recording_type')];
	const errors: CodedError[] = [];
	if (Array.isArray(attendees) && attendees.length > 0) {
		errors.push(codedError(RESPONSE_ERRORS, 'attendees_with_media', {}, { field: 'Attendee Emails' }));
	}
	if (type === undefined) {
		errors.push(fieldError('recording_field_missing', 'Recording Type'));
	} else if (!RECORDING_TYPES.some(({ value }) => value === type)) {
		errors.push(fieldError('recording_type_invalid', 'Recording Type', type));
	}
	if (type === 'CALL_AUDIO_WITH_LOCATION' && !fields.has('location')) {
		errors.push(fieldError('recording_field_missing', 'Location'));
	}
	return errors;
}

/**
 * One error for an item: its only one, or a short headline with all of them in the description and in `details.causes`.
 *
 * @param input the item's columns, when they are mapped automatically
 */
export function joinErrors(errors: CodedError[], input?: string[]): CodedError {
	const isMissing = ({ details }: CodedError) => details.code.endsWith('_missing');
	const [missing, wrong] = [errors.filter(isMissing), errors.filter((error) => !isMissing(error))];
	const labels = missing.map(({ details }) => details.field!);
	const columns = input && missing.length > 0 ? columnsOf(labels, input) : '';
	if (errors.length === 1) {
		const [{ message, description, details }] = errors;
		const { code, field } = details;
		return new CodedError({ code, message, advice: columns }, { field, facts: description ?? undefined });
	}
	const facts = [
		...wrong.flatMap(({ message, description }) => [`${message}.`, description]),
		labels.length > 0 && `Missing: ${labels.join(', ')}.`,
		...new Set(missing.map(({ description }) => description)),
		columns,
	];
	const causes = errors.map(({ details: { code, field } }) => ({ code, field }));
	return codedError(
		ITEM_ERRORS,
		wrong.length === 0 ? 'required_fields_missing' : 'fields_refused',
		{ fields: headline(causes.map(({ field }) => field!)) },
		{ causes, facts: facts.filter(Boolean).join(' ') },
	);
}

function columnsOf(labels: string[], input: string[]): string {
	const expected = APPOINTMENT_FIELDS.filter(({ displayName }) => labels.includes(displayName));
	return `Expected columns: ${expected.map(({ id }) => id).join(', ')}. Columns of the input: ${input.join(', ') || 'none'}.`;
}

function headline(labels: string[]): string {
	if (labels.length > MAX_LABELS) return `${labels[0]} and ${labels.length - 1} more fields`;
	return labels.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
