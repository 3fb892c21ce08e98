import { type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { conversationRequest } from '../shared/conversation';
import {
	cancelSignal,
	jsonRequest,
	serviceRequest,
	wait,
	type ServiceAnswer,
} from '../shared/transport';

/** Waits before another look at a conversation that is not there yet, in milliseconds: 15 seconds in all. */
const WAITS_MS = [1000, 2000, 4000, 8000];

const OUT_OF_REACH =
	'Webhook subscriptions cover the whole organization, a key may cover selected teams only. Use a key of the whole organization, or switch off Get Full Conversation.';

/**
 * Fetches the conversation of an event (D1 § GET /export/conversations/{conversationId}). Right after processing
 * the export may not know it yet, so a 404 is looked at again for a while.
 *
 * @returns the conversation, and a time not after the answer was issued
 * @throws NodeApiError when it stays unknown, or for any other answer
 */
export async function fetchFullConversation(
	context: IExecuteFunctions,
	conversationId: string,
	itemIndex: number,
	waits: readonly number[] = WAITS_MS,
): Promise<{ conversation: IDataObject; issuedAt: number }> {
	const request = conversationRequest(conversationId, itemIndex, OUT_OF_REACH);
	const isUnknown = ({ status }: ServiceAnswer) => status === 404;
	for (const pause of waits) {
		const issuedAt = Date.now();
		const answer = await serviceRequest(context, { ...request, accepts: isUnknown });
		if (!isUnknown(answer)) return { conversation: answer.json(), issuedAt };
		await wait(pause, cancelSignal(context));
	}
	const issuedAt = Date.now();
	const { data } = await jsonRequest(context, request);
	return { conversation: data, issuedAt };
}
