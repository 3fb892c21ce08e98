import { normalized } from '../base/text';
import { withoutAccents } from './entered';

/** Scripts without spaces between words, their punctuation and full-width forms. */
export const WITHOUT_SPACES =
	'[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\uff00-\\uff9f]';

const CHARACTER = new RegExp(WITHOUT_SPACES, 'gu');

/**
 * The words of a text with a space between them, as the filters compare words: neither case, accents nor punctuation
 * matter. Where a script has no spaces, each character is a word.
 */
export function foldedWords(text: string): string {
	if (/^[\s!-~]*$/.test(text))
		return text
			.toUpperCase()
			.replace(/[^A-Z\d]+/g, ' ')
			.trim();
	const folded = withoutAccents(normalized(text)).replace(CHARACTER, ' $& ');
	return folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** The words and phrases of a text such as `"too expensive" discount`, each as {@link foldedWords} with a space on both sides. */
export function termsOf(said: string): string[] {
	const parts = said.replace(/[“”„«»]/g, '"').match(/"[^"]*"?|[^\s"]+/g) ?? [];
	return parts.map((part) => ` ${foldedWords(part)} `).filter((term) => term.trim() !== '');
}

/** Where the first term is in a turn that has all of them; undefined if one is missing. */
export function placeIn(turn: string, terms: string[]): number | undefined {
	return terms.every((term) => turn.includes(term)) ? turn.indexOf(terms[0]) : undefined;
}

/** What is folded, and DEL, which is removed. */
const IS_FOLDED = /[^\0-~]/;

/** Whether the JSON of a transcript has each word anywhere, which is much faster than to read it; true if that is not clear. */
export function mayBeSaid(json: string, said: string): boolean {
	// Escapes of characters that can be part of a word, or are removed from it.
	if (json.includes('\\u') || json.includes('\\b')) return true;
	const written = IS_FOLDED.test(json) ? (json.match(/[a-z\d\x7f-\uffff]+/gi) ?? []) : [];
	const folded = foldedWords(written.filter((word) => IS_FOLDED.test(word)).join(' '));
	const words = termsOf(said).flatMap((term) => term.trim().split(' '));
	const capital = json.toUpperCase();
	return words.every((word) => folded.includes(word) || capital.includes(word));
}
