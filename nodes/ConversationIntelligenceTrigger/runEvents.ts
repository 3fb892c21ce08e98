import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { envelopeSchema, eventDataSchema, type ReceivedEnvelope } from '../shared/exportApi/schemas';
import { ContractCheck } from '../shared/exportApi/schemas/check';
import { conversationItem, linkExpiry } from '../shared/exportApi/conversation';
import { Item } from '../shared/node/item';
import { conversationRequest } from '../shared/exportApi/endpoints';
import { requestRun, serviceRequest, wait } from '../shared/http';

/** Waits before each repeated request for a missing conversation, in milliseconds: 15 seconds in all. */
const WAITS_MS = [1000, 2000, 4000, 8000];

const OUT_OF_REACH =
	'Webhook subscriptions cover the whole organization, a key may cover selected teams only. Use a key of the whole organization, or turn off Get Full Conversation.';

/** What {@link eventItem} adds to the envelope's own fields. */
const ADDED = ['dedupeKey', 'transcriptUrlExpiresAt'];

/** A processed conversation: its data with the envelope's own fields. */
const ITEM = eventDataSchema.merge(envelopeSchema.omit({ data: true, event_type: true }));

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
 * Runs in the execution of an event: names documented fields that are missing, and fetches the full conversation if
 * selected. A `test` has no conversation and passes unchanged.
 *
 * @throws NodeApiError or NodeOperationError with the item's index when a conversation cannot be fetched; with Continue
 *   On Fail the item carries the message instead
 */
export async function runEvents(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const wantsConversation = context.getNodeParameter('fullConversation', 0, false) === true;
	const output: INodeExecutionData[] = [];
	for (const [index, { json: event }] of context.getInputData().entries()) {
		const item = new Item(context, index);
		const isProcessed = event.event_type === 'conversation_processed';
		if (isProcessed) hintMissing(item, event);
		try {
			const json = isProcessed && wantsConversation ? await withConversation(item, event) : event;
			output.push({ json, pairedItem: { item: index } });
		} catch (error) {
			if (!context.continueOnFail()) throw item.nodeError(error);
			output.push(failedEvent(item, error, event));
		} finally {
			context.addExecutionHints(...item.hints);
		}
	}
	return [output];
}

/** Keeps the event with its error: in `details` on the error output, which takes an item with an error's keys alone. */
function failedEvent(item: Item, reason: unknown, event: IDataObject): INodeExecutionData {
	const { json, pairedItem } = item.failed(reason);
	const isRouted = item.context.getNode().onError === 'continueErrorOutput';
	const details = { ...(json.details as IDataObject), event };
	return { json: isRouted ? { ...json, details } : { ...event, ...json }, pairedItem };
}

async function withConversation(item: Item, event: IDataObject): Promise<IDataObject> {
	const id = (item.ids.conversationId = String(event.conversation_id));
	const { conversation, issuedAt } = await fetchFullConversation(item, id);
	const received = Object.fromEntries(Object.entries(event).filter(([field]) => !ADDED.includes(field)));
	return conversationItem(conversation, issuedAt, received);
}

/**
 * Fetches the conversation of an event (D1 § GET /export/conversations/{conversationId}). Right after processing, the
 * export may not have it yet, so it is requested again after a 404.
 *
 * @returns the conversation, and a time not later than its response, in milliseconds since 1970
 * @throws RequestError when it stays unknown, or for any other failure
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

/** A documented field that is missing or of another type becomes a hint; the event still passes. */
function hintMissing(item: Item, event: IDataObject): void {
	const check = new ContractCheck(ITEM);
	check.add(event);
	if (check.mismatches.length === 0) return;
	item.hint(`Unexpected event data: ${check.mismatches.join('; ')}. The event is returned unchanged.`);
}
