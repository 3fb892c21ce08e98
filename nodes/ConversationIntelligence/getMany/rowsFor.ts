import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { readFilter, RowFilter } from '../../shared/selection/filters';
import { keepFields } from '../../shared/exportApi/rows';
import {
	checklistSchema,
	surveyConversationResultSchema,
	trackerSchema,
	viewerSchema,
} from '../../shared/exportApi/schemas';
import { isObject } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import { notAsTool } from '../../shared/node/resources';

export const OF_CONVERSATION =
	'conversationId date processedDate userName userEmail customerName outcome serviceUrl'.split(' ');

interface EntryKind {
	/** Where the entries are: each name is a list, or an object by question, in the entry before; an entry has both's fields. */
	lists: Array<{ path: string[]; adds?: IDataObject }>;
	schema: z.AnyZodObject;
	/** The columns that tell the entries of a conversation apart. */
	key: string[];
}

/** The nested lists of a conversation (D1 § ConversationsExport), as rows of a table each. */
export const ENTRY_KINDS: Record<'checklists' | 'trackers' | 'viewers' | 'surveyAnswers', EntryKind> = {
	checklists: {
		lists: [{ path: ['checklists'] }],
		schema: checklistSchema.pick({ checklistName: true, checklistScore: true, checklistDenominator: true }),
		key: ['checklistName'],
	},
	trackers: {
		lists: [
			{ path: ['checklists', 'trackerData'], adds: { inChecklist: true } },
			{ path: ['aiTrackers'], adds: { inChecklist: false } },
		],
		schema: z
			.object({ inChecklist: z.boolean(), checklistName: z.string() })
			.merge(
				trackerSchema.pick({ trackerId: true, trackerName: true, trackerIsHit: true, trackerAiScore: true }),
			),
		key: ['checklistName', 'trackerId'],
	},
	viewers: { lists: [{ path: ['viewers'] }], schema: viewerSchema, key: ['userId'] },
	surveyAnswers: {
		lists: [{ path: ['surveyResults', 'data'] }],
		schema: surveyConversationResultSchema
			.omit({ data: true })
			.extend({ question: z.string(), answer: z.string().nullable() }),
		key: ['surveyId', 'question'],
	},
};

/** Columns of a tracker, and what they are called outside of a checklist (D1 § AiTracker). */
const ALIASES: Record<string, string> = { trackerIsHit: 'isHit', trackerAiScore: 'aiScore' };

export const rowsFor = {
	displayName: 'Return One Row Per',
	name: 'rowsFor',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: 'Checklist', value: 'checklists', description: 'Each evaluated checklist, with its score' },
		{ name: 'Conversation', value: 'conversations' },
		{ name: 'Survey Answer', value: 'surveyAnswers', description: 'Each answered question' },
		{ name: 'Tracker', value: 'trackers', description: 'Each tracker, hit or missed' },
		{ name: 'Viewer', value: 'viewers', description: 'Each user who viewed a conversation' },
	],
	default: 'conversations',
	description: 'What each row is about. Limit counts conversations.',
	builderHint: { propertyHint: 'For tables of these, instead of Raw with Split Out; upsert by rowKey' },
} as const satisfies INodeProperties;

export function forConversations(property: INodeProperties): INodeProperties {
	const { displayOptions } = property;
	const hide = { ...displayOptions?.hide, '/rowsFor': Object.keys(ENTRY_KINDS) };
	return { ...property, displayOptions: { ...displayOptions, hide } };
}

/** The rows of a conversation. Those of one place are counted by content, so that `rowKey` is the same in any order of the service. */
export function entriesOf({ lists, schema, key }: EntryKind, row: IDataObject): IDataObject[] {
	const conversation = keepFields(row, OF_CONVERSATION);
	const own = Object.keys(schema.shape as object);
	const entries = lists.flatMap(({ path, adds }) =>
		entriesBelow(row, path).map((entry) => {
			const valueOf = (name: string) => entry[name] ?? entry[ALIASES[name]] ?? adds?.[name] ?? null;
			const values: IDataObject = Object.fromEntries(own.map((name) => [name, valueOf(name)]));
			const parts = [row.conversationId, path[0], ...key.map((name) => values[name])];
			const trackers = entriesIn(entry.trackerData).map(({ trackerId }) => String(trackerId));
			const content = JSON.stringify([trackers.sort(), values]);
			// A part has none of the characters that separate parts.
			const base = parts.map((part) => String(part).replace(/[%/#]/g, encodeURIComponent)).join('/');
			return { base, content, values };
		}),
	);
	const counts = new Map<string, number>();
	const keys = new Map<object, string>();
	for (const { base, values } of [...entries].sort((a, b) => (a.content < b.content ? -1 : 1))) {
		const count = (counts.get(base) ?? 0) + 1;
		counts.set(base, count);
		keys.set(values, count === 1 ? base : `${base}#${count}`);
	}
	return entries.map(({ values }) => ({ rowKey: keys.get(values), ...conversation, ...values }));
}

/** The objects at the end of a path, each with the fields of those on the way. */
function entriesBelow(parent: IDataObject, [name, ...rest]: string[]): IDataObject[] {
	const entries = entriesIn(parent[name]);
	if (rest.length === 0) return entries;
	return entries.flatMap((entry) => entriesBelow(entry, rest).map((inner) => ({ ...entry, ...inner })));
}

/** The entries of a list; of an object, its questions and answers. */
function entriesIn(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	if (!isObject(value)) return [];
	return Object.entries(value).map(([question, answer]) => {
		// As text, because a column of a table has one type.
		const isText = typeof answer === 'string' || (answer ?? null) === null;
		return { question, answer: isText ? (answer ?? null) : JSON.stringify(answer) };
	});
}

/** What Return One Row Per and its filters ask for; undefined for conversations. */
export function readEntries(item: Item) {
	const chosen = item.value(rowsFor);
	if (chosen === 'conversations') return undefined;
	const kind = ENTRY_KINDS[chosen];
	const columns = ['rowKey', ...OF_CONVERSATION, ...Object.keys(kind.schema.shape as object)];
	const filter = new RowFilter(readFilter(item.collection('filters'), item.context.getNode(), columns));
	return {
		columns,
		rowKind: chosen.replace('A', ' a'),
		filter,
		of: (row: IDataObject) => entriesOf(kind, row).filter((entry) => filter.passes(entry)),
	};
}
