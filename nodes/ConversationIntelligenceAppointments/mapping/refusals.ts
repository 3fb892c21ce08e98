import { UserError } from 'n8n-workflow';
import type { z } from 'zod';
import { recordingTypeSchema } from '../../shared/contract';
import { CUSTOMER_PREFIX, LABELS } from './fields';

/** Why one column, or a few, cannot be sent. */
export interface Refusal {
	columns: string[];
	/** What is wrong, naming the fields by the panel's labels. */
	problem: string;
	/** What to do. */
	advice: string;
}

/** Most labels in a headline. */
const MOST_LABELS = 3;

/** What a recording needs (D2 § Appointment; § Errors, 400), by the field that the contract refuses. */
const RECORDING: Record<string, (value: unknown) => Omit<Refusal, 'columns'>> = {
	attendee_emails: () => ({
		problem: 'Attendee Emails and Media URL cannot be sent together',
		advice: 'Leave one of the two empty.',
	}),
	recording_type: (value) => ({
		problem: `Recording Type ${value === undefined ? 'is missing' : `"${String(value)}" does not exist`}`,
		advice: `A Media URL needs one of ${recordingTypeSchema.options.join(', ')}.`,
	}),
	location: () => ({
		problem: 'Location is missing',
		advice: `Recording Type ${recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION} needs it.`,
	}),
};

/**
 * The contract's issues with a body, in the panel's words.
 *
 * @param unread columns whose values could not be read; they are not missing
 */
export function refusalsOf(
	issues: z.ZodIssue[],
	body: Record<string, unknown>,
	unread: Set<string>,
): Refusal[] {
	const refusals: Refusal[] = [];
	const missing: string[] = [];
	for (const { code, path } of issues) {
		const column = path.join('_');
		if (code === 'custom') refusals.push({ ...RECORDING[column](body[column]), columns: [column] });
		else missing.push(...(column === 'customer' ? ['customer_id', 'customer_name'] : [column]));
	}
	const columns = missing.filter((column) => !unread.has(column));
	return columns.length === 0 ? refusals : [...refusals, refusalOfMissing(columns, 'customer' in body)];
}

function refusalOfMissing(columns: string[], hasCustomer: boolean): Refusal {
	const isOfCustomer = (column: string) => hasCustomer && column.startsWith(CUSTOMER_PREFIX);
	const isOnCreate = (column: string) => !isAlwaysNeeded(column) && !isOfCustomer(column);
	const advice = [
		columns.length > MOST_LABELS && `Missing: ${labelsOf(columns).join(', ')}.`,
		columns.some(isOnCreate)
			? 'To change an existing appointment, choose the Update operation: it needs only Event ID and User Email.'
			: columns.some(isAlwaysNeeded) && 'Every request needs Event ID and User Email.',
		columns.some(isOfCustomer) &&
			'A customer needs its ID and name: fill both, or leave all customer fields empty.',
	];
	return {
		columns,
		problem: `${headline(columns)} ${columns.length > 1 ? 'are' : 'is'} missing`,
		advice: advice.filter(Boolean).join(' '),
	};
}

const isAlwaysNeeded = (column: string) => column === 'event_id' || column === 'user_email';

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

const labelsOf = (columns: string[]) => columns.map((column) => LABELS.get(column) ?? column);

function headline(columns: string[]): string {
	const labels = labelsOf(columns);
	if (labels.length > MOST_LABELS) return `${labels[0]} and ${labels.length - 1} more fields`;
	return labels.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
