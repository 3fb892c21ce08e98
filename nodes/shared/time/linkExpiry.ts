/** How long presigned links live at most: six hours from answering or sending (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When a presigned link ends at the latest (D1 § Limits); the service may end it earlier.
 *
 * @param issued ISO 8601 text or milliseconds since 1970; of an answer, a moment that is not later than it
 * @returns ISO 8601 in UTC; null when the time of issue has no meaning
 */
export function linkExpiry(issued: unknown): string | null {
	const at = typeof issued === 'number' ? issued : Date.parse(String(issued));
	const end = new Date(at + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
