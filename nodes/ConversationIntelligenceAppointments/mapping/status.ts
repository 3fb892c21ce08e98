import { assertLength } from '../../shared/base/codedErrors';
import { fieldError, isUnset } from './values';

/** Parts of a status that may mean cancelled, so that it is never booked on a guess. */
const STEMS =
	`cancel cancl cncl canel cacel celled cxl canx declin delet remov reject refus revok abort void withdraw withdrew discard trash
	archiv terminated inactiv inaktiv no_longer not_going not_attend called_off annul anulad anulat anulow elimin rechaz recusad
	supprim abgesagt absag abgelehnt abgebrochen ausgefallen fällt_aus storni storno gelösch geloesch entfäll afgezegd avbok avbrut
	avlys aflys inställd inställt peruttu peruutet odwołan zrušen disdett torol lemond otkaz iptal batal hủy huỷ отмен отказ
	скасован удален ακυρ キャンセル 取消 取り消 中止 删除 刪除 作废 취소 삭제 ملغ ألغ إلغاء בוטל रद्द ยกเลิก`
		.split(/\s+/)
		.map(plain);

/** Values that mean something only beside another of their kind: codes of one letter, numbers, answers. */
const KINDS =
	'\\p{L} 0|[1-9]\\d* true|false yes|no|si|sí sim|não да|нет はい|いいえ tak|nie on|off checked|unchecked ja|nein oui|non wahr|falsch vrai|faux'
		.split(' ')
		.map((kind) => new RegExp(`^(${kind})$`, 'u'));

/** Words in place of a missing status: placeholders, a spreadsheet's errors, the name of a field. */
const NOTHING =
	/^((undefined|null|nil|none|nan|na|n a|infinity|unknown|unbekannt|k a|empty|blank|object|ref|value|num|div 0|name|error|invalid|date|datetime|status|no (value|status|data)|not set)( |$))+$/;

/** Without a word, or an expression in fixed text. */
const NO_WORDS = /^$|\{\{|\$json/;

/** Symbols, and scripts without blanks between words: each character counts as a word. */
const UNSPACED = /[\p{S}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/gu;

/** Whether a status cancels its row: only one of the words in a list does, and only another clear word does not. */
export function readsCancelled(value: unknown, field: string, list: string): boolean {
	assertLength(value, field);
	const isText = isUnset(value) || (typeof value !== 'object' && !Number.isNaN(value));
	if (!isText) throw fieldError('text_invalid', field, value);
	const text = String(value ?? '');
	const status = folded(text);
	const words = list.split(/[,;\n，、]/).filter(folded);
	// Without any, a cancelled row would be booked.
	if (words.length === 0) throw fieldError('field_missing', 'Cancelled Words');
	const cancelled = words.map(folded);
	if (cancelled.map(joined).includes(joined(status))) return true;
	const similar = plain(text);
	const isNothing = NOTHING.test(similar.replace(/[^\p{L}\p{N}]+/gu, ' ').trim());
	if (isNothing || NO_WORDS.test(status)) throw fieldError('status_missing', field, text);
	const hasWord = words.some((word) => spaced(text).includes(spaced(word)));
	if (hasWord || STEMS.some((stem) => similar.includes(stem)))
		throw fieldError('status_unclear', field, text);
	const kind = KINDS.find((one) => one.test(status));
	const isClear = kind ? cancelled.some((word) => kind.test(word)) : /\p{L}/u.test(status);
	if (!isClear) throw fieldError('status_without_word', field, text);
	return false;
}

/** For equal words: without letter case, invisible characters, separators and the second spelling of "canceled". */
function folded(text: string): string {
	const lower = text.normalize('NFKC').toLowerCase();
	const spelled = lower.replace(/\p{DI}/gu, '').replace(/cancell/g, 'cancel');
	return spelled.replace(/[\s_,;/\p{Pd}]+/gu, ' ').trim();
}

/** For equal words: also without blanks. */
const joined = (text: string) => text.replaceAll(' ', '').replace(/cancell/g, 'cancel');

/** For similar words: also without accents. */
function plain(text: string): string {
	return folded(text.normalize('NFKD')).normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The words of a text between blanks: `isLate` has the word `late`, and `later` has not. */
function spaced(text: string): string {
	const divided = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(UNSPACED, ' $& ');
	return ` ${plain(divided.replace(/[^\p{L}\p{M}\p{N}\p{S}]+/gu, ' '))} `;
}
