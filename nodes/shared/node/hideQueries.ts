/** Links, also with escaped slashes or URL-encoded, and where their query begins. */
const LINK = /https?(?::(?:\\?\/){2}|%3a%2f%2f)[^\s"']*/gi;
const QUERY = /(\?|%3f).*/is;

/** The parameters by which object stores sign links: a whole name, read once, and then its value. */
const SIGNATURE =
	/((?<![a-z-])[a-z-]+(?:=|%3d)(?<=(?:x-(?:amz|goog)-[a-z-]+|signature|sig)(?:=|%3d)))[^\s"'&]+/gi;

/**
 * Hides the queries of links in a text, because that of a presigned one opens the file for anyone who reads it. A text
 * can be cut before: what is left of a query is still found, because nothing after it is needed.
 *
 * @returns the text with `…` in place of each query and signature (D1 § Limits)
 */
export function hideQueries(text: string): string {
	return text.replace(LINK, (link) => link.replace(QUERY, '$1…')).replace(SIGNATURE, '$1…');
}
