import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { conversationProcessedEnvelopeSchema } from '../shared/contract';
import { failedItem, toNodeError } from '../shared/operation';
import { conversationItem, fetchFullConversation } from '../shared/webhook';

/** What `eventItem` put beside the envelope's own fields. */
const ADDED = ['dedupeKey', 'transcriptUrlExpiresAt'];

/**
 * What is done with an event once its execution runs: says what it lacks against the document, and fetches the full
 * conversation if asked to. A `test` has no conversation behind it and passes as it is.
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
 * The event stays with its failure. Towards the error output it goes below `details`: n8n moves an item there only when
 * it has no other keys than these, or an `error` beside `json`, with which it would replace the whole `json`.
 */
function failedEvent(
	context: IExecuteFunctions,
	failed: INodeExecutionData,
	event: IDataObject,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput')
		return { ...failed, json: { ...event, ...failed.json } };
	const { error, details: description } = failed.json;
	return { ...failed, json: { error, details: { ...(description ? { description } : {}), event } } };
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

/** A documented field that is missing or of another type is worth telling, not worth losing the event. */
function hintMissing(context: IExecuteFunctions, event: IDataObject): void {
	const checked = conversationProcessedEnvelopeSchema.safeParse({ ...event, data: event });
	if (checked.success) return;
	const fields = [...new Set(checked.error.issues.map(({ path }) => path.join('.').replace(/^data\./, '')))];
	context.addExecutionHints({
		message: `The event differs from the service's document in: ${fields.join(', ')}. Everything it held was passed on.`,
		location: 'outputPane',
		type: 'warning',
	});
}
