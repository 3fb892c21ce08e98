/** A link's query, also with escaped slashes or URL-encoded, and the parameters by which object stores sign links. */
const LINK_QUERY = /(https?:(?:\\?\/){2}[^\s"'?]+\?|https?%3a%2f%2f[^\s"'?]+?%3f)[^\s"']*/gi;
const SIGNATURE = /\b((?:x-(?:amz|goog)-[a-z-]+|signature|sig)(?:=|%3d))[^\s"'&]+/gi;

/**
 * Hides the queries of links in a text, because that of a presigned one opens the file for anyone who reads it.
 *
 * @returns the text with `…` in place of each query and signature (D1 § Limits)
 */
export function hideQueries(text: string): string {
	return text.replace(LINK_QUERY, '$1…').replace(SIGNATURE, '$1…');
}
