/** What a row's status says: two lists of the user decide, and nothing is guessed. */
import { assertLength } from '../../shared/base/codedErrors';
import { fieldError, IN_ANY_CASE, isPlaceholder } from './values';

/** Statuses as the user lists them, e.g. `booked, confirmed`. */
export type StatusLists = { cancelled: string; booked: string };

/**
 * Whether a status deletes the appointment of its row; if not, it books it.
 * @param field label of the status
 * @throws CodedError if the status is missing, in neither list or in both, or if a list is empty
 */
export function readsCancelled(value: unknown, field: string, lists: StatusLists): boolean {
	assertLength(value, field);
	if (typeof value === 'object' && value !== null) throw fieldError('text_invalid', field, value);
	const text = String(value ?? '');
	const status = compared(text);
	if (status === '' || isPlaceholder(visible(text), IN_ANY_CASE) || /\$json\b/.test(text)) {
		throw fieldError('status_missing', field, value);
	}
	const isCancelled = readList(lists.cancelled, 'Cancelled Statuses').includes(status);
	const booked = readList(lists.booked, 'Booked Statuses');
	if (isCancelled && booked.includes(status)) throw fieldError('status_in_both', field, value);
	if (isCancelled || booked.includes(status) || booked.includes('*')) return isCancelled;
	throw fieldError('status_unknown', field, value);
}

function readList(list: string, label: string): string[] {
	const statuses = list
		.split(/[,;\n，、]/)
		.map(compared)
		.filter(Boolean);
	if (statuses.length === 0) throw fieldError('field_missing', label);
	return statuses;
}

const visible = (text: string) => text.replace(/\p{DI}/gu, '');

/** A status without letter case, spaces, `_`, `-`, commas, and the second spelling of "canceled". */
function compared(text: string): string {
	// "İ" in lower case has a dot of its own.
	const lower = visible(text.normalize('NFC').toUpperCase().toLowerCase()).replaceAll('\u0307', '');
	return lower.replace(/[\s_,;，、\p{Pd}\p{Cc}]+/gu, '').replaceAll('cancell', 'cancel');
}
