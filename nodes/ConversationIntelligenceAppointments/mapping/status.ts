import { codedError } from '../../shared/errors/codedError';
import { firstFew } from '../../shared/errors/text';
import { assertLength, quoted } from '../../shared/node/parameters';
import { INPUT_ERRORS } from '../errors';
import { fieldError, isUnset } from './values';

/** Part of a status that may mean "cancelled", "declined" or "deleted", so that it is never booked on a guess. */
const STEMS =
	`cancel cancl cncl cxl canx declin delet remov withdrawn annul anul elimin abgesagt absag abgelehnt storni storno
	gelösch geloesch entfäll supprim afgezegd avbok avlys aflys inställd inställt peruttu peruutet odwołan zrušen iptal batal
	отмен скасован удален ακυρ キャンセル 取消 取り消 中止 删除 刪除 취소 삭제 ملغ إلغاء בוטל रद्द ยกเลิก`
		.split(/\s+/)
		.map(plain);

/** Values that mean something only beside another of their kind: codes of one letter, numbers, answers. */
const KINDS = ['\\p{L}', '0|[1-9]\\d*', 'true|false', 'yes|no', 'on|off', 'ja|nein', 'oui|non'].map(
	(kind) => new RegExp(`^(${kind})$`, 'u'),
);

/** What stands in place of a missing status: a placeholder, a spreadsheet's error, an expression in fixed text. */
const NOTHING =
	/^(undefined|null|nil|none|nan|na|n a|unknown|\[object object\]|#(n a|(ref|value|null|num|div 0)!|name\?)|.*(\{\{|\$json).*)?$/s;

/** Scripts without blanks between words, of which each character counts as a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/gu;

/** The Cancelled Words, separated by commas, semicolons or lines. @throws CodedError if there are none */
export function readCancelledWords(list: string, label: string): string[] {
	const words = list.split(/[,;\n，、]/).filter((word) => folded(word) !== '');
	// Without any, a cancelled row would be booked.
	if (words.length > 0) return words;
	throw fieldError('field_missing', label);
}

/**
 * Whether a status cancels its row: only a Cancelled Word does, and only another clear word does not.
 *
 * @param columns of the row, for the error of a status that no column gives
 * @throws CodedError for an unclear one: empty, with a part that may mean cancelled, or a flag, code or number without
 *   another of its kind among the words
 */
export function readsCancelled(value: unknown, field: string, words: string[], columns: string[]): boolean {
	assertLength(value, field);
	const isScalar = typeof value !== 'object' && !Number.isNaN(value);
	if (!isUnset(value) && !isScalar) throw fieldError('text_invalid', field, value);
	const text = String(value ?? '');
	const [status, cancelled] = [folded(text), words.map(folded)];
	if (cancelled.includes(status)) return true;
	if (NOTHING.test(status)) {
		const facts = `Columns of the input: ${firstFew(columns) || 'none'}.`;
		const given = text.trim() === '' ? 'empty' : quoted(text);
		throw codedError(INPUT_ERRORS, 'status_missing', { field, value: given }, { field, facts });
	}
	const [similar, inWords] = [plain(text), spaced(text)];
	const isInside = (word: string) => status.includes(folded(word)) && !/[\p{L}\p{N}]/u.test(word);
	if (
		STEMS.some((stem) => similar.includes(stem)) ||
		words.some((word) => isInside(word) || inWords.includes(spaced(word)))
	) {
		throw fieldError('status_unclear', field, text);
	}
	const kind = KINDS.find((one) => one.test(status));
	const isClear = kind ? cancelled.some((word) => kind.test(word)) : /\p{L}/u.test(status);
	if (!isClear) throw fieldError('status_without_word', field, text);
	return false;
}

/** For equal words: without letter case, invisible characters, separators and the second spelling of "canceled". */
function folded(text: string): string {
	const visible = text
		.normalize('NFKC')
		.replace(/\p{DI}/gu, '')
		.toLowerCase();
	return visible
		.replaceAll('cancell', 'cancel')
		.replace(/[\s_,;/\p{Pd}]+/gu, ' ')
		.trim();
}

/** For similar words: also without accents. */
function plain(text: string): string {
	return folded(text.normalize('NFKD').replace(/\p{M}/gu, '')).normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The words of a text between blanks: `isLate` has the word `late`, and `later` has not. */
function spaced(text: string): string {
	const divided = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(UNSPACED, ' $& ');
	return ` ${plain(divided.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '))} `;
}
