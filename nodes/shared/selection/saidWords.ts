import { normalized } from '../base/text';
import { readWords, withoutAccents } from './entered';
import { refusedValue, VALUE_ERRORS } from '../base/codedErrors';

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

/** Words and phrases, each as {@link foldedWords} with a space on both sides; only a word that ends with `*` has none after it. */
type Terms = string[];

/**
 * Reads what was said from text such as `"too expensive" discount OR competitor*`.
 * @returns the alternatives between which `OR` stands: one of them must have all its terms in a turn
 */
export function termsOf(said: string): Terms[] {
	const alternatives: Terms[] = [[]];
	for (const part of said.replace(/[“”„«»]/g, '"').match(/"[^"]*"?|[^\s"]+/g) ?? []) {
		const words = foldedWords(part);
		if (part === 'OR') alternatives.push([]);
		else if (words !== '') alternatives.at(-1)!.push(` ${words}${/\*"?$/.test(part) ? '' : ' '}`);
	}
	return alternatives.filter((terms) => terms.length > 0);
}

/** Where the first term is in a turn that has all terms of an alternative; undefined if none has. */
export function placeIn(turn: string, alternatives: Terms[]): number | undefined {
	const said = alternatives.find((terms) => terms.every((term) => turn.includes(term)));
	return said && turn.indexOf(said[0]);
}

/** Text with words to search in transcripts; undefined if it is empty. @throws CodedError for text without words */
export function readSaid(value: unknown, field: string): string | undefined {
	const said = readWords(value, field);
	if (said === undefined || termsOf(said).length > 0) return said;
	throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule: 'text with a word besides OR' });
}
