import { CodedError, codedError } from '../../shared/errors/codedError';
import { ITEM_ERRORS } from '../errors';

/** Maximum labels in a headline. */
const MAX_LABELS = 3;

/**
 * One error for an item: its only one, or a short headline with all of them in the description and in `details.causes`.
 *
 * @param input the item's columns, when they are mapped automatically
 */
export function joinErrors(errors: CodedError[], input?: string[]): CodedError {
	const causes = errors.map(({ details: { code, field } }) => ({ code, field }));
	const missing = causes.filter(({ code }) => code.endsWith('_missing'));
	const columns = input && missing.length > 0 && `Columns of the input: ${input.join(', ') || 'none'}.`;
	if (errors.length === 1) {
		const [{ message, description }] = errors;
		const { code, field } = causes[0];
		return new CodedError({ code, message, advice: columns || '' }, { field, facts: description ?? '' });
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
