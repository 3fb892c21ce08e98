import { UserError } from 'n8n-workflow';
import { quoted } from '../../shared/node/parameters';
import { APPOINTMENT_FIELDS, isOfCustomer, RECORDING_TYPES, type AppointmentField } from './fields';

/** Why one column, or a few, cannot be sent. */
export interface Refusal {
	columns: string[];
	/** What is wrong, naming the fields by the panel's labels. */
	problem: string;
	advice: string;
}

/** Most labels in a headline. */
const MAX_LABELS = 3;

/** The required fields that were not set, as one refusal (D2 § Appointment, § Customer object). */
export function missingFields(isSet: (column: string) => boolean, mayCreate: boolean): Refusal[] {
	const hasCustomer = APPOINTMENT_FIELDS.some(({ id }) => isOfCustomer(id) && isSet(id));
	const isCustomers = ({ id }: AppointmentField) => hasCustomer && isOfCustomer(id);
	const isNeeded = (field: AppointmentField) =>
		field.required === 'always' || (field.required === 'onCreate' && (mayCreate || isCustomers(field)));
	const missing = APPOINTMENT_FIELDS.filter((field) => isNeeded(field) && !isSet(field.id));
	if (missing.length === 0) return [];
	const columns = missing.map(({ id }) => id);
	const advice = [
		columns.length > MAX_LABELS && `Missing: ${labelsOf(columns).join(', ')}.`,
		missing.some((field) => field.required === 'onCreate' && !isCustomers(field))
			? 'To change an existing appointment, choose the Update operation: it needs only Event ID and User Email.'
			: missing.some(({ required }) => required === 'always') &&
				'Every request needs Event ID and User Email.',
		missing.some(isCustomers) &&
			'A customer needs its ID and name: fill both, or leave all customer fields empty.',
	];
	const problem = `${headline(columns)} ${columns.length > 1 ? 'are' : 'is'} missing`;
	return [{ columns, problem, advice: advice.filter(Boolean).join(' ') }];
}

/** What a recording lacks or must not have (D2 § Appointment; § Errors, 400). */
export function recordingRefusals(values: Map<string, unknown>): Refusal[] {
	if (!values.has('media_url')) return [];
	const [attendees, type] = [values.get('attendee_emails'), values.get('recording_type')];
	const refusals: Refusal[] = [];
	if (Array.isArray(attendees) && attendees.length > 0) {
		const problem = 'Attendee Emails and Media URL cannot be sent together';
		refusals.push({ columns: ['attendee_emails'], problem, advice: 'Leave one of the two empty.' });
	}
	if (!RECORDING_TYPES.includes(String(type))) {
		const rule = `one of ${RECORDING_TYPES.join(', ')}`;
		const problem =
			type === undefined
				? 'Recording Type is missing'
				: `Recording Type must be ${rule} (it is ${quoted(type)})`;
		const advice = `A Media URL needs ${rule}.`;
		refusals.push({ columns: ['recording_type'], problem, advice });
	}
	if (type === 'CALL_AUDIO_WITH_LOCATION' && !values.has('location')) {
		const advice = 'Recording Type CALL_AUDIO_WITH_LOCATION needs it.';
		refusals.push({ columns: ['location'], problem: 'Location is missing', advice });
	}
	return refusals;
}

/**
 * One error for an item: its only refusal, or a short headline with all of them in the description.
 *
 * @param input the item's columns, when they are mapped automatically
 */
export function refusalError(refusals: Refusal[], input?: string[]): UserError {
	const [{ problem, advice }] = refusals;
	const columns = [...new Set(refusals.flatMap((refusal) => refusal.columns))];
	const isOne = refusals.length === 1;
	const details = isOne ? [advice] : refusals.map((one) => `${one.problem}. ${one.advice}`);
	if (input) {
		details.push(
			`Expected columns: ${columns.join(', ')}. Columns of the input: ${input.join(', ') || 'none'}.`,
		);
	}
	return new UserError(isOne ? problem : `${headline(columns)} cannot be sent`, {
		description: details.join(' '),
	});
}

const LABELS = new Map(APPOINTMENT_FIELDS.map(({ id, displayName }) => [id, displayName]));
const labelsOf = (columns: string[]) => columns.map((column) => LABELS.get(column));

function headline(columns: string[]): string {
	const labels = labelsOf(columns);
	if (labels.length > MAX_LABELS) return `${labels[0]} and ${labels.length - 1} more fields`;
	return labels.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
