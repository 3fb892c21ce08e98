import { CodedError, codedError } from '../../shared/errors/codedError';
import { refusedValue } from '../../shared/node/parameters';
import { DEFECTS, INPUT_ERRORS, RESPONSE_ERRORS } from '../errors';
import { APPOINTMENT_FIELDS, isOfCustomer, RECORDING_TYPES, type AppointmentField } from './fields';

/** Why a column cannot be sent. */
export interface Refusal {
	column: string;
	/** Names the field by the panel's label. */
	error: CodedError;
}

/** Most labels in a headline. */
const MAX_LABELS = 3;

/** The required fields that were not set (D2 § Appointment, § Customer object). */
export function missingFields(isSet: (column: string) => boolean, mayCreate: boolean): Refusal[] {
	const hasCustomer = APPOINTMENT_FIELDS.some(({ id }) => isOfCustomer(id) && isSet(id));
	const codeFor = ({ id, required }: AppointmentField) => {
		if (required === 'always') return 'field_missing';
		if (required === undefined) return undefined;
		if (hasCustomer && isOfCustomer(id)) return 'customer_field_missing';
		return mayCreate ? 'new_field_missing' : undefined;
	};
	return APPOINTMENT_FIELDS.flatMap((field) => {
		const { id, displayName } = field;
		const code = isSet(id) ? undefined : codeFor(field);
		if (code === undefined) return [];
		return [{ column: id, error: codedError(INPUT_ERRORS, code, { field: displayName }) }];
	});
}

/** What a recording lacks or must not have (D2 § Appointment; § Errors, 400). */
export function recordingRefusals(values: Map<string, unknown>): Refusal[] {
	if (!values.has('media_url')) return [];
	const [attendees, type] = [values.get('attendee_emails'), values.get('recording_type')];
	const types = RECORDING_TYPES.join(', ');
	const refusals: Refusal[] = [];
	if (Array.isArray(attendees) && attendees.length > 0) {
		const error = codedError(RESPONSE_ERRORS, 'attendees_with_media', {});
		refusals.push({ column: 'attendee_emails', error });
	}
	if (type === undefined) {
		const error = codedError(INPUT_ERRORS, 'recording_type_missing', { types });
		refusals.push({ column: 'recording_type', error });
	} else if (!RECORDING_TYPES.includes(String(type))) {
		const error = refusedValue({
			label: 'Recording Type',
			rule: `one of ${types}`,
			value: type,
			advice: 'Choose one of them.',
		});
		refusals.push({ column: 'recording_type', error });
	}
	if (type === 'CALL_AUDIO_WITH_LOCATION' && !values.has('location')) {
		refusals.push({ column: 'location', error: codedError(INPUT_ERRORS, 'location_missing', {}) });
	}
	return refusals;
}

/**
 * One error for an item: its only refusal, or a short headline with all of them in the description and in
 * `details.causes`.
 *
 * @param input the item's columns, when they are mapped automatically
 */
export function refusalError(refusals: Refusal[], input?: string[]): CodedError {
	const causes = refusals.map(({ column, error }) => ({
		code: error.details.code,
		field: LABELS.get(column)!,
	}));
	const isMissing = ({ error }: Refusal) => error.details.code.endsWith('_missing');
	const missing = refusals.filter(isMissing);
	const wrong = refusals.filter((refusal) => !isMissing(refusal));
	const columns =
		input && missing.length > 0
			? `Expected columns: ${missing.map(({ column }) => column).join(', ')}. Columns of the input: ${input.join(', ') || 'none'}.`
			: '';
	const [{ error }] = refusals;
	if (refusals.length === 1) {
		const advice = [error.description, columns].filter(Boolean).join(' ');
		return new CodedError({ ...causes[0], message: error.message, advice }, { field: causes[0].field });
	}
	const lines = [
		...wrong.flatMap((one) => [`${one.error.message}.`, one.error.description]),
		missing.length > 0 && `Missing: ${missing.map(({ column }) => LABELS.get(column)).join(', ')}.`,
		...new Set(missing.map((one) => one.error.description)),
		columns,
	];
	const defect = wrong.length === 0 ? DEFECTS.missing : DEFECTS.refused;
	const fields = headline(causes.map(({ field }) => field));
	const facts = lines.filter(Boolean).join(' ');
	return codedError(INPUT_ERRORS, 'fields_refused', { fields, defect }, { causes, facts });
}

const LABELS = new Map(APPOINTMENT_FIELDS.map(({ id, displayName }) => [id, displayName]));

function headline(labels: string[]): string {
	if (labels.length > MAX_LABELS) return `${labels[0]} and ${labels.length - 1} more fields`;
	return labels.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
