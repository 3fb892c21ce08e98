import type { IDataObject } from 'n8n-workflow';
import { conversationRequest } from '../shared/exportApi/endpoints';
import type { Item } from '../shared/node/item';
import { requestRun, serviceRequest, wait } from '../shared/http';

/** Waits before each repeated request for a missing conversation, in milliseconds: 15 seconds in all. */
const WAITS_MS = [1000, 2000, 4000, 8000];

const OUT_OF_REACH =
	'Webhook subscriptions cover the whole organization, a key may cover selected teams only. Use a key of the whole organization, or turn off Get Full Conversation.';

/**
 * Fetches the conversation of an event (D1 § GET /export/conversations/{conversationId}). Right after processing, the
 * export may not have it yet, so it is requested again after a 404.
 *
 * @returns the conversation, and a time not later than its response, in milliseconds since 1970
 * @throws NodeApiError when it stays unknown, or for any other failure
 */
export async function fetchFullConversation(
	{ context }: Item,
	conversationId: string,
): Promise<{ conversation: IDataObject; issuedAt: number }> {
	const request = conversationRequest(conversationId, OUT_OF_REACH);
	for (let attempt = 0; ; attempt++) {
		const issuedAt = Date.now();
		const accepts = ({ status }: { status: number }) => status === 404 && attempt < WAITS_MS.length;
		const response = await serviceRequest(context, { ...request, accepts });
		if (response.status !== 404) return { conversation: response.json(), issuedAt };
		await wait(WAITS_MS[attempt], requestRun(context).signal);
	}
}
