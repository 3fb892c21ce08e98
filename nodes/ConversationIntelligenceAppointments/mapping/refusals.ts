import { UserError } from 'n8n-workflow';
import type { z } from 'zod';
import { recordingTypeSchema } from '../../shared/contract';
import { CUSTOMER_PREFIX, LABELS } from './fields';

/** Why one field, or a few, cannot be sent. */
export interface Refusal {
	labels: string[];
	/** What is wrong, naming the fields by the panel's labels. */
	problem: string;
	/** What to do. */
	advice: string;
}

const CREATE_ADVICE =
	'A new appointment needs Start Time, End Time, Title, Customer ID and Customer Name. To change an existing one, choose the Update operation.';
const ALWAYS_ADVICE = 'Every request needs Event ID and User Email.';
const CUSTOMER_ADVICE =
	'The service refuses a customer without ID and name. Fill both, or leave all customer fields empty to keep the customer.';

/** What a recording needs (D2 § Appointment; § Errors, 400), by the field that the contract refuses. */
const RECORDING: Record<string, (value: unknown) => Omit<Refusal, 'labels'>> = {
	attendee_emails: () => ({
		problem: 'Attendee Emails and Media URL cannot be sent together',
		advice: 'Leave one of the two empty.',
	}),
	recording_type: (value) => ({
		problem: `Recording Type is ${value === undefined ? 'missing' : `"${String(value)}", which is none of the service's`}`,
		advice: `A Media URL needs one of ${recordingTypeSchema.options.join(', ')}.`,
	}),
	location: () => ({
		problem: 'Location is missing',
		advice: `Recording Type ${recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION} needs it.`,
	}),
};

/**
 * What the contract says against a body, in the panel's words.
 *
 * @param issues of the contract's schema
 * @param body that has them
 * @param alreadyRefused columns whose values could not be read; they are not missing
 */
export function refusalsOf(
	issues: z.ZodIssue[],
	body: Record<string, unknown>,
	alreadyRefused: Set<string>,
): Refusal[] {
	const missing = new Map<string, string[]>();
	const refusals: Refusal[] = [];
	for (const { code, path } of issues) {
		const [field, part] = path.map(String);
		const rule = code === 'custom' ? RECORDING[field] : undefined;
		if (rule) refusals.push({ ...rule(body[field]), labels: [labelOf(field)] });
		else {
			const isWholeCustomer = field === 'customer' && part === undefined;
			const ids = isWholeCustomer
				? ['id', 'name'].map(customerColumn)
				: [part ? customerColumn(part) : field];
			const advice = part ? CUSTOMER_ADVICE : isAlways(field) ? ALWAYS_ADVICE : CREATE_ADVICE;
			const unread = ids.filter((id) => !alreadyRefused.has(id)).map(labelOf);
			if (unread.length > 0) missing.set(advice, [...(missing.get(advice) ?? []), ...unread]);
		}
	}
	for (const [advice, labels] of missing) {
		refusals.push({
			labels,
			problem: `${joined(labels)} ${labels.length > 1 ? 'are' : 'is'} missing`,
			advice,
		});
	}
	return refusals;
}

const customerColumn = (part: string) => `${CUSTOMER_PREFIX}${part}`;
const labelOf = (id: string) => LABELS.get(id) ?? id;
const isAlways = (field: string) => field === 'event_id' || field === 'user_email';

/** One error for an item: its only refusal, or a short headline with all of them in the description. */
export function refusalError(refusals: Refusal[]): UserError {
	const [{ problem, advice }] = refusals;
	if (refusals.length === 1) return new UserError(problem, { description: advice });
	const labels = [...new Set(refusals.flatMap((refusal) => refusal.labels))];
	return new UserError(`${joined(labels)} cannot be sent`, {
		description: refusals.map((refusal) => `${refusal.problem}. ${refusal.advice}`).join(' '),
	});
}

function joined(labels: string[]): string {
	const [last, ...others] = [...labels].reverse();
	return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}
