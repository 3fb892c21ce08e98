import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { conversationProcessedEnvelopeSchema } from '../shared/contract';
import { failedItem, toNodeError } from '../shared/itemError';
import { conversationItem } from '../shared/conversation';
import { fetchFullConversation } from './fetchFullConversation';

/** What `eventItem` adds to the envelope's own fields. */
const ADDED = ['dedupeKey', 'transcriptUrlExpiresAt'];

/**
 * Runs in the execution of an event: names documented fields that are missing, and fetches the full conversation if
 * wanted. A `test` has no conversation and passes unchanged.
 *
 * @returns one item for each event, in its place
 * @throws NodeApiError or NodeOperationError, naming the item, when a conversation cannot be fetched; with Continue On
 *   Fail the item carries the message instead
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
 * Keeps the event with its failure. On the error output it is below `message`: n8n routes an item there only when it has
 * no keys beside `error` and `message`, and an `error` outside `json` would replace the whole `json`.
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
	const { conversation, issuedAt } = await fetchFullConversation(
		context,
		String(event.conversation_id),
		itemIndex,
	);
	const received = Object.fromEntries(Object.entries(event).filter(([field]) => !ADDED.includes(field)));
	return conversationItem(conversation, issuedAt, received);
}

/** A documented field that is missing or of another type becomes a hint; the event still passes. */
function hintMissing(context: IExecuteFunctions, event: IDataObject): void {
	const checked = conversationProcessedEnvelopeSchema.safeParse({ ...event, data: event });
	if (checked.success) return;
	const fields = [...new Set(checked.error.issues.map(({ path }) => path.join('.').replace(/^data\./, '')))];
	context.addExecutionHints({
		message: `Unexpected event data: ${fields.join(', ')}. The event is returned unchanged.`,
		location: 'outputPane',
		type: 'warning',
	});
}
