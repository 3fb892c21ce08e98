import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { conversationProcessedEnvelopeSchema, type ReceivedEnvelope } from '../shared/contract';
import { conversationItem, linkExpiry } from '../shared/conversation';
import { failedItem, toNodeError } from '../shared/itemError';
import { fetchFullConversation } from './fetchFullConversation';

/** What {@link eventItem} adds to the envelope's own fields. */
const ADDED = ['dedupeKey', 'transcriptUrlExpiresAt'];

/**
 * The trigger's item for one event: the envelope's `data`, the event's own fields, and two computed ones. `dedupeKey` is
 * the conversation's ID, because `webhook_event_id` changes with each attempt (D1 § Envelope); `transcriptUrlExpiresAt` is null without a transcript.
 */
export function eventItem({ data, ...event }: ReceivedEnvelope): IDataObject {
	return {
		...data,
		...event,
		dedupeKey: data.conversation_id ?? null,
		transcriptUrlExpiresAt: typeof data.transcript_url === 'string' ? linkExpiry(event.sent_at) : null,
	} as IDataObject;
}

/**
 * Runs in the execution of an event: names documented fields that are missing, and fetches the full conversation where
 * selected. A `test` has no conversation and passes unchanged.
 *
 * @throws NodeApiError or NodeOperationError with the item's index when a conversation cannot be fetched; with Continue
 *   On Fail the item carries the message instead
 */
export async function runEvents(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const wantsConversation = context.getNodeParameter('fullConversation', 0, false) === true;
	const output: INodeExecutionData[] = [];
	for (const [itemIndex, { json }] of context.getInputData().entries()) {
		const isProcessed = json.event_type === 'conversation_processed';
		if (isProcessed) hintMissing(context, json);
		try {
			const item = isProcessed && wantsConversation ? await withConversation(context, json, itemIndex) : json;
			output.push({ json: item, pairedItem: { item: itemIndex } });
		} catch (error) {
			if (!context.continueOnFail()) throw toNodeError(context, error, itemIndex);
			output.push(failedEvent(context, failedItem(context, error, itemIndex), json));
		}
	}
	return [output];
}

/**
 * Keeps the event with its error. On the error output it is below `message`: n8n routes an item there only when it has
 * no keys besides `error` and `message`, and an `error` outside `json` would replace the whole `json`.
 */
function failedEvent(
	context: IExecuteFunctions,
	{ json, ...failed }: INodeExecutionData,
	event: IDataObject,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return { ...failed, json: { ...event, ...json } };
	const { error, message: description } = json;
	return { ...failed, json: { error, message: { ...(description ? { description } : {}), event } } };
}

async function withConversation(
	context: IExecuteFunctions,
	event: IDataObject,
	itemIndex: number,
): Promise<IDataObject> {
	const id = String(event.conversation_id);
	const { conversation, issuedAt } = await fetchFullConversation(context, id, itemIndex);
	const received = Object.fromEntries(Object.entries(event).filter(([field]) => !ADDED.includes(field)));
	return conversationItem(conversation, issuedAt, received);
}

/** A documented field that is missing or of another type becomes a hint; the event still passes. */
function hintMissing(context: IExecuteFunctions, event: IDataObject): void {
	const { error } = conversationProcessedEnvelopeSchema.safeParse({ ...event, data: event });
	if (error === undefined) return;
	const fields = new Set(error.issues.map(({ path }) => path.join('.').replace(/^data\./, '')));
	context.addExecutionHints({
		message: `Unexpected event data: ${[...fields].join(', ')}. The event is returned unchanged.`,
		location: 'outputPane',
		type: 'warning',
	});
}
