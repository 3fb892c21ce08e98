import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/**
 * The item of both triggers for a full conversation, so that either can feed a workflow.
 *
 * @param conversation as the service sent it, unknown fields included (D1 § ConversationsExport)
 * @param issuedAt when the service answered, in milliseconds since 1970: its links expire six hours later
 * @param event the delivery's envelope; null from the poll trigger
 */
export function conversationItem(
	conversation: IDataObject,
	issuedAt: number,
	event: IDataObject | null,
): IDataObject {
	return {
		...conversation,
		dedupeKey: conversation.conversationId,
		urlsExpireAt: linkExpiry(issuedAt),
		event,
	};
}

/** How long presigned links live at most: six hours from answering or sending (D1 § Limits). */
const LINK_LIFETIME_MS = 6 * 60 * 60 * 1000;

/**
 * When a presigned link ends at the latest (D1 § Limits); the service may end it earlier.
 *
 * @param issued ISO 8601 text or milliseconds since 1970; for a response, a moment not later than it
 * @returns ISO 8601 in UTC; null when the time of issue is not a date
 */
export function linkExpiry(issued: unknown): string | null {
	const at =
		typeof issued === 'number' ? issued : DateTime.fromISO(String(issued), { zone: 'utc' }).toMillis();
	const end = new Date(at + LINK_LIFETIME_MS);
	return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
