import type {
	FunctionsBase,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INode,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { filtersFor, type ConversationFilter } from '../selection/filterRules';
import { readFilter, RowFilter, fieldsShownFor } from '../selection/filters';
import { membersOf } from '../selection/teamsAndUsers';
import { Item, optionOf, typedValue, type Option } from '../node/item';
import { collection } from '../node/resources';
import { keepFields, SIMPLIFIED_CONVERSATION } from '../exportApi/rows';
import { codedError, nodeErrorOf, type NodeError } from '../base/codedErrors';
import { wellFormedData } from '../base/text';
import { ExportClient } from '../exportApi/client';
import { SELECTION_ERRORS } from '../selection/entered';
import { DOWNLOADS_AT_ONCE } from '../media/download';
import { searchTranscript } from '../media/passages';
import { mapOrdered } from '../base/concurrency';
import { orAborted } from '../http/requestRun';
import { readByDate } from '../reading/walk';
import { Reading } from '../reading/reading';

/** Triggers that a process remembers, because n8n does not tell it which workflows are gone. */
export const MAX_TRIGGERS = 1000;

/** Makes a function that returns what this process remembers of a trigger; those not used for longest are forgotten. */
export function memoryOf<Memory>(begin: () => Memory) {
	const memories = new Map<string, Memory>();
	return (context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): Memory => {
		const key = `${context.getWorkflow().id}/${context.getNode().id}`;
		const memory = memories.get(key) ?? begin();
		memories.delete(key);
		memories.set(key, memory);
		const [longest] = memories.keys();
		if (memories.size > MAX_TRIGGERS) memories.delete(longest);
		return memory;
	};
}

export const filtersParameter = collection('Filters', filtersFor('triggers'));

export const deliverOption = {
	displayName: 'Deliver',
	name: 'deliver',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Every Version', value: 'all' },
		{
			name: 'First Version Only',
			value: 'new',
			description: 'Skip conversations that were already delivered',
		},
	],
	default: 'new',
	without: 'all',
	description: 'What to do when a conversation is processed again',
} as const satisfies Option;

/** IDs of delivered conversations that First Version Only remembers. */
export const MAX_REMEMBERED_IDS = 10_000;

/** The error if publishing the workflow fails: n8n also stops the version that was running. */
export function publicationError(node: INode, reason: unknown): NodeError {
	const error = nodeErrorOf(node, reason);
	error.message += '. If a version was running, n8n has stopped it: correct this, then publish again';
	return error;
}

export type TriggerContext = IExecuteFunctions | IPollFunctions;

export interface TriggerFilter {
	filter: ConversationFilter;
	/** IDs or names of teams, whose members are not known yet. */
	teams?: string[];
}

/** Reads which conversations start the workflow, and what of them. @throws CodedError for a wrong value, by its label */
export function readSelection<const Output extends INodeProperties>(
	source: IHookFunctions | IPollFunctions | IWebhookFunctions | Item,
	output: Output,
) {
	const isItem = source instanceof Item;
	const node = (isItem ? source.context : source).getNode();
	const read = (name: string, fallback: object) =>
		isItem ? source.parameter(name, fallback) : source.getNodeParameter(name, fallback);
	const { teams, ...filter } = readFilter(read('filters', {}) as IDataObject, node);
	return {
		filter,
		teams,
		output: typedValue(read(output.name, output.default as never), output),
		isNewOnly: optionOf(read('options', {}) as IDataObject, deliverOption) === 'new',
	};
}

const MEMBERS_LIFETIME_MS = 10 * 60_000;

/** The users of the latest team filter, and when they were asked for. */
const latestMembers = memoryOf(() => ({}) as { asked?: string; at: number; users: Promise<string[]> });

/** A filter with the members of its teams as users, asked for by the deadline. @throws as {@link membersOf} */
export async function withMembers(
	context: TriggerContext,
	{ filter, teams }: TriggerFilter,
	deadline?: number,
): Promise<ConversationFilter> {
	if (teams === undefined) return filter;
	const latest = latestMembers(context);
	const asked = JSON.stringify([teams, filter.users, context.getNode().credentials]);
	if (latest.asked !== asked || Date.now() - latest.at >= MEMBERS_LIFETIME_MS) {
		const users = membersOf(context, teams, filter.users, deadline).then((found) => found.users.sort());
		Object.assign(latest, { asked, at: Date.now(), users });
		users.catch(() => (latest.asked = undefined));
	}
	return { ...filter, users: await latest.users };
}

export const outputParameter = {
	displayName: 'Fields to Return',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, without nested objects',
		},
		{ name: 'Raw', value: 'raw', description: 'Every field as the service sends it' },
	],
	default: 'simplified',
	description: 'Which fields each item has',
} as const satisfies INodeProperties;

type Output = (typeof outputParameter)['options'][number]['value'];

export interface Origin {
	source: 'poll' | 'webhook';
	/** Whether nothing was processed, because a person tries the trigger. */
	isTest?: boolean;
	deliveryAttempt?: number;
}

/** What each item has besides its conversation. */
export function withOrigin(
	row: IDataObject,
	dedupeKey: unknown,
	{ source, isTest = false, deliveryAttempt = 1 }: Origin,
): IDataObject {
	return wellFormedData({ ...row, dedupeKey, source, isTest, deliveryAttempt } as IDataObject);
}

/**
 * The item of a conversation; Simplified also has what the filter compares.
 * @param conversation as the client returns it, unknown fields included (D1 § ConversationsExport)
 */
export function conversationItem(
	conversation: IDataObject,
	{ output, filter }: { output: Output; filter: ConversationFilter },
	origin: Origin,
	search?: TranscriptVerdict,
): IDataObject {
	const fields = [...SIMPLIFIED_CONVERSATION, ...fieldsShownFor(filter)];
	const row = output === 'raw' ? conversation : keepFields(conversation, fields);
	return withOrigin({ ...row, ...search?.adds }, conversation.conversationId, origin);
}

/** Whether Words Said passes, and what an item has besides: why its transcript could not be searched, if it could not. */
export interface TranscriptVerdict {
	isSaid: boolean;
	adds?: { transcriptError: string | null };
}

/**
 * Searches the transcript of a conversation for Words Said. What cannot be searched passes, so that it is not lost.
 * @param signal ends the wait, as if the transcript could not be searched
 */
export async function judgeTranscript(
	context: TriggerContext,
	row: IDataObject,
	filter: ConversationFilter,
	signal?: AbortSignal,
): Promise<TranscriptVerdict> {
	if (filter.said === undefined) return { isSaid: true };
	const searching = searchTranscript(context, row, filter);
	const late = () => ({ passages: [], error: 'There was no time to search the transcript' });
	const { passages, error } = await (signal ? orAborted(searching, signal).catch(late) : searching);
	return { isSaid: passages.length > 0 || error !== null, adds: { transcriptError: error } };
}

const SAMPLE_DAYS = 30;

/** With more rows that do not pass the filter, a person would wait too long. */
const SAMPLE_ROWS = 500;

/**
 * The items of the conversations that were processed last, the latest first, for a person who tries a trigger.
 * @throws CodedError when there are none
 */
export async function sampleItems(
	context: TriggerContext,
	{ output, ...settings }: TriggerFilter & { output: Output },
	source: Origin['source'],
	wanted: number,
): Promise<IDataObject[]> {
	const filter = await withMembers(context, settings);
	const rowFilter = new RowFilter(filter, settings.teams);
	const to = Date.now();
	const reading = new Reading({
		client: new ExportClient(context),
		list: { arrays: ['conversations'], dateType: 'processedDate', users: filter.users },
		range: { from: to - SAMPLE_DAYS * 24 * 60 * 60_000, to },
		concurrency: 1,
	});
	const found: IDataObject[] = [];
	const origin = { source, isTest: true } as const;
	let left = SAMPLE_ROWS;
	for await (const rows of readByDate(reading, 'newestFirst', wanted)) {
		const passing = (rows as IDataObject[]).slice(0, left).filter((row) => rowFilter.passes(row));
		const judged = mapOrdered(passing, Math.min(wanted, DOWNLOADS_AT_ONCE.transcript), async (row) => {
			const verdict = await judgeTranscript(context, row, filter);
			return verdict.isSaid ? [conversationItem(row, { output, filter }, origin, verdict)] : [];
		});
		for await (const items of judged) {
			for (const item of items) found.push(item);
			if (found.length >= wanted) return found;
		}
		left -= rows.length;
		if (left <= 0) break;
	}
	if (found.length > 0) return found;
	const { wants, example, unknownNames } = rowFilter;
	const exact = settings.filter.users ? ['Emails must be exact, capital letters included'] : [];
	// Without any conversation, nothing is known of names.
	const advice = [...(rowFilter.dropped > 0 ? unknownNames : []), ...exact].map(
		(sentence) => `. ${sentence}`,
	);
	throw codedError(SELECTION_ERRORS, 'no_sample', {
		which: wants && ` that passes ${wants}`,
		days: SAMPLE_DAYS,
		example: example && `: ${example}`,
		correct: wants && `, or correct these filters${advice.join('')}`,
	});
}
