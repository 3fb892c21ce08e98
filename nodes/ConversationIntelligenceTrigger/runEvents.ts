import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ContractCheck } from '../shared/exportApi/schemas/check';
import { ExportClient } from '../shared/exportApi/client';
import { conversationItem } from '../shared/exportApi/rows';
import { Item } from '../shared/node/item';
import { requestRun, wait } from '../shared/http';
import { EVENTS } from './events';

/** Waits before each repeated request for a missing conversation, in milliseconds: 15 seconds in all. */
const WAITS_MS = [1000, 2000, 4000, 8000];

const OUT_OF_REACH =
	'Webhook subscriptions cover the whole organization, a key may cover selected teams only. Use a key of the whole organization, or turn off Get Full Conversation.';

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
		const { fields, conversation } = EVENTS.get(String(event.event_type)) ?? {};
		if (fields) hintMismatches(item, new ContractCheck(fields), event);
		try {
			const json =
				conversation !== undefined && wantsConversation
					? await fullConversation(item, String(event[conversation]), event)
					: event;
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

/**
 * Fetches the conversation of an event (D1 § GET /export/conversations/{conversationId}). Right after processing, the
 * export may not have it yet, so it is requested again after a 404.
 *
 * @returns the conversation with the event next to it
 * @throws RequestError when it stays unknown, or for any other failure
 */
export async function fullConversation(item: Item, id: string, event: IDataObject): Promise<IDataObject> {
	item.ids.conversationId = id;
	const client = new ExportClient(item.context);
	for (const waitMs of WAITS_MS) {
		const conversation = await client.findConversation(id);
		if (conversation) return conversationItem(conversation, event);
		await wait(waitMs, requestRun(item.context).signal);
	}
	return conversationItem(await client.conversation(id, OUT_OF_REACH), event);
}

/** A documented field that is missing or of another type becomes a hint; the event still passes. */
function hintMismatches(item: Item, check: ContractCheck, event: IDataObject): void {
	check.add(event);
	if (check.mismatches.length === 0) return;
	item.hint(`Unexpected event data: ${check.mismatches.join('; ')}. The event is returned unchanged.`);
}
