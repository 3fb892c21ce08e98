import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { z } from 'zod';
import { codedError, logLine } from '../shared/base/codedErrors';
import { ExportClient } from '../shared/exportApi/client';
import { linkExpiry, mismatchesOf } from '../shared/exportApi/rows';
import { envelopeSchema, eventDataSchema, type ReceivedEnvelope } from '../shared/exportApi/schemas';
import { forgetRun, requestRun, wait } from '../shared/http/requestRun';
import { RequestError } from '../shared/http/requestErrors';
import { Item } from '../shared/node/item';
import { reasonOf, verdictOf, whyRefused } from '../shared/selection/filters';
import {
	conversationItem,
	judgeTranscript,
	deliverOption,
	MAX_REMEMBERED_IDS,
	memoryOf,
	outputParameter,
	readSelection,
	sampleItems,
	withMembers,
	withOrigin,
} from '../shared/triggers/triggerConversations';
import { TRIGGER_ERRORS, type TriggerError } from './triggerErrors';

export interface EventRule {
	option: Omit<INodePropertyOptions, 'value'>;
	/** Filters and Fields to Return apply to a conversation; a test returns a sample; any other event is returned as sent. */
	about: 'conversation' | 'test' | 'other';
	/** The field of `data` with the ID, which is the item's `dedupeKey`. Only a test may lack it. */
	id: string;
	/** Fields of a conversation → fields of `data` with the same value, for filters. The duration is another one. */
	row?: Record<string, string>;
	/** What the item of Event has; a hint names what differs. */
	fields: Parameters<typeof eventDataSchema.merge>[0];
}

const fields = eventDataSchema.merge(envelopeSchema.omit({ data: true, event_type: true }));

/** The known event types (D1 § Envelope). An event of any other type starts nothing. */
export const EVENTS = new Map(
	Object.entries<EventRule>({
		conversation_processed: {
			option: {
				name: 'Conversation Processed',
				action: 'On conversation processed',
				description: 'Transcript, summary, scoring and surveys are ready',
			},
			about: 'conversation',
			id: 'conversation_id',
			row: { userEmail: 'user_email', transcriptUrl: 'transcript_url', customer: 'customer' },
			fields,
		},
		test: {
			option: { name: 'Test', action: 'On test sent from web app', description: 'Send test in the web app' },
			about: 'test',
			id: 'conversation_id',
			fields,
		},
	}),
);

/** The rule of an event that passed verification, and the ID of what the event is about. */
export function ruleAndId({ event_type, data }: ReceivedEnvelope) {
	const rule = EVENTS.get(event_type)!;
	return { rule, id: data[rule.id] as string };
}

/** The fields of an event that match its schema, under the field names of the export. */
export function rowOf(envelope: ReceivedEnvelope): IDataObject {
	const { data } = envelope;
	const { row = {}, fields } = ruleAndId(envelope).rule;
	const said = Object.entries(row).filter(
		([, name]) => data[name] !== '' && (fields.shape[name] as z.ZodTypeAny).safeParse(data[name]).success,
	);
	return Object.fromEntries(said.map(([field, name]) => [field, data[name]])) as IDataObject;
}

/** The item of Event: the envelope's `data`, its own fields, and what each item has. A test has all documented fields. */
function eventItem(envelope: ReceivedEnvelope): IDataObject {
	const { data, ...event } = envelope;
	const { rule, id } = ruleAndId(envelope);
	const isTest = rule.about === 'test';
	const documented = isTest ? Object.keys(rule.fields.shape as object).map((name) => [name, null]) : [];
	const hasTranscript = typeof data.transcript_url === 'string';
	const added = { transcriptUrlExpiresAt: hasTranscript ? linkExpiry(event.sent_at) : null };
	const item = { ...Object.fromEntries(documented), ...data, ...event, ...added } as IDataObject;
	return withOrigin(item, id ?? null, { source: 'webhook', isTest });
}

export const fieldsParameter = {
	...outputParameter,
	options: [
		...outputParameter.options,
		{
			name: 'Event',
			value: 'event',
			description: 'The event as it was sent, with other field names than the export. Needs no request.',
		},
	],
} as const satisfies INodeProperties;

/** Right after processing, the export may not have a conversation yet. */
const PATIENCE_MS = 60_000;

const OUT_OF_REACH =
	'Webhooks cover the whole organization, but this key may cover only some teams. Use a key of the whole organization, or set Fields to Return to Event.';

/**
 * Runs in the execution of an event: applies what the event itself could not decide, and makes the item.
 * @throws NodeError if a conversation cannot be fetched, or a delivery to the Test URL was rejected
 */
export async function runEvents(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		const item = new Item(context, index);
		const { rejected } = json as { rejected?: TriggerError };
		if (rejected) throw item.nodeError(codedError(TRIGGER_ERRORS, rejected, {}));
		const envelope = json as ReceivedEnvelope;
		try {
			const rows = await itemsOf(item, envelope);
			for (const row of rows) output.push({ json: row, pairedItem: { item: index } });
		} catch (error) {
			if (!context.continueOnFail()) throw item.nodeError(error);
			output.push(failedEvent(item, error, eventItem(envelope)));
		}
		for (const hint of item.hints) context.addExecutionHints(hint);
	}
	return [output];
}

/** One item, or none for a conversation that the filters or First Version Only leave out. The editor shows each. */
async function itemsOf(item: Item, envelope: ReceivedEnvelope): Promise<IDataObject[]> {
	const { context } = item;
	const { output, isNewOnly, ...wanted } = readSelection(item, fieldsParameter);
	const { rule, id } = ruleAndId(envelope);
	if (rule.about === 'other') return [checkedEvent(item, envelope)];
	if (rule.about === 'test') {
		if (output === 'event') return [eventItem(envelope)];
		return await sampleItems(context, { output, ...wanted }, 'webhook', 1);
	}
	const isManual = context.getMode() === 'manual';
	const row = rowOf(envelope);
	const filter = await withMembers(context, wanted);
	const early = verdictOf(filter, row, true);
	const mustFetch = output === 'event' ? early === 'undecided' : isManual || typeof early === 'string';
	const fetched = mustFetch ? await fetchConversation(item, id) : undefined;
	const judged = fetched && typeof early === 'string' ? fetched : row;
	const verdict = verdictOf(filter, judged, judged === row);
	const isRefused = typeof verdict === 'object';
	const about = { ...judged, conversationId: id };
	const spoken = isRefused ? undefined : await judgeTranscript(context, about, filter);
	const refusal = isRefused
		? reasonOf(filter, verdict.refusedBy, judged, wanted.teams)
		: !spoken!.isSaid && reasonOf(filter, 'said', {});
	const isKnown = isNewOnly && !isManual && !refusal && (await wasDelivered(context, id));
	if (refusal || isKnown) {
		const known = `Deliver is ${deliverOption.options[1].name}, and this conversation was delivered before`;
		const why = refusal ? whyRefused(refusal) : known;
		if (!isManual) {
			item.hint(`Nothing is returned: ${why}.`, 'info');
			logLine(context, 'info', `returned nothing for ${id}: ${why}`);
			return [];
		}
		item.hint(`In production, this would return nothing: ${why}.`);
	}
	if (fetched && output !== 'event') {
		return [conversationItem(fetched, { output, filter }, { source: 'webhook' }, spoken)];
	}
	return [{ ...checkedEvent(item, envelope), ...spoken?.adds }];
}

/** The item of Event; a hint names what differs from the documentation. */
function checkedEvent(item: Item, envelope: ReceivedEnvelope): IDataObject {
	const event = eventItem(envelope);
	const mismatches = mismatchesOf(ruleAndId(envelope).rule.fields, [event]).join(', ');
	if (mismatches !== '') {
		item.hint(
			`These fields do not match the API documentation: ${mismatches}. The event is returned unchanged.`,
		);
	}
	return event;
}

/** The failed item with its event. On the error output, it is in `details`, because n8n allows only an error's keys. */
function failedEvent(item: Item, reason: unknown, event: IDataObject): INodeExecutionData {
	const { json, pairedItem } = item.failed(reason);
	const isRouted = item.context.getNode().onError === 'continueErrorOutput';
	const details = { ...(json.details as IDataObject), event };
	return { json: isRouted ? { ...json, details } : { ...event, ...json }, pairedItem };
}

/** Fetches the conversation of an event; for a minute, retries after a 404 and after retryable errors. */
async function fetchConversation(item: Item, id: string): Promise<IDataObject> {
	const { context } = item;
	item.ids.conversationId = id;
	const giveUpAt = performance.now() + PATIENCE_MS;
	for (let pauseMs = 1000; ; pauseMs *= 2) {
		// What failed before says nothing about this attempt.
		forgetRun(context);
		const fetching = new ExportClient(context).conversation(id, OUT_OF_REACH);
		const fetched = await fetching.catch(async (error: unknown) => {
			if (!(error instanceof RequestError)) throw error;
			if (error.details.status !== 404 && !error.details.retryable) throw error;
			const left = giveUpAt - performance.now();
			const description = `The node requested the conversation again for a minute. ${error.description}`;
			if (left <= 0) throw Object.assign(error, { description });
			await wait(Math.min(pauseMs, left), requestRun(context).signal);
		});
		if (fetched) return fetched;
	}
}

/** The latest check, because n8n's record of a node takes one at a time. */
const lastCheck = memoryOf(() => ({ check: Promise.resolve(false) }));

/** Whether this trigger has delivered a conversation before, by n8n's record; what that does not know is new. */
async function wasDelivered(context: IExecuteFunctions, id: string): Promise<boolean> {
	const check = async () => {
		const options = { mode: 'entries', maxEntries: MAX_REMEMBERED_IDS } as const;
		const { processed } = await context.helpers.checkProcessedAndRecord([id], 'node', options);
		return processed.length > 0;
	};
	const last = lastCheck(context);
	last.check = last.check.then(check).catch((error: Error) => {
		logLine(context, 'warn', `cannot tell whether ${id} was delivered before: ${error.message}`);
		return false;
	});
	return await last.check;
}
