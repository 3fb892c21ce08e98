/** Control, format (bidirectional, zero-width) and line characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** An ampersand that would start a character reference. */
const REFERENCE = /&(?=#|[a-z])/gi;

/** Makes data harmless in a hint or an error's description, which n8n's editor shows as HTML; logs stay readable. */
export function escapeHtml(text: string): string {
	return text.replace(REFERENCE, '&amp;').replace(/</g, '&lt;');
}

/**
 * Cleans data for a log or a message: one line, with nothing invisible.
 *
 * @param max characters that are kept, 1,000 by default; `…` follows if there were more
 * @returns the text, with escapes such as `\u202e` in place of invisible characters
 */
export function plainText(text: string, max = 1000): string {
	const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const plain = (text.length > max ? text.slice(0, max + 1) : text).replace(INVISIBLE, escape);
	// A cut never leaves half of a character.
	return plain.length > max ? `${plain.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : plain;
}
