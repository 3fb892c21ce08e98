import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { readFilter, RowFilter } from '../../shared/selection/filters';
import { entriesBelow, entriesIn, ENTRY_PATHS, entryField, keepFields } from '../../shared/exportApi/rows';
import {
	checklistSchema,
	surveyConversationResultSchema,
	trackerSchema,
	viewerSchema,
} from '../../shared/exportApi/schemas';
import type { Item } from '../../shared/node/item';
import { asTool, notAsTool } from '../../shared/node/resources';

export const OF_CONVERSATION =
	'conversationId date processedDate userName userEmail customerName outcome serviceUrl'.split(' ');

interface EntryKind {
	/** Paths to the entries, through lists or objects with questions as keys. An entry also has its parents' fields. */
	lists: Array<{ path: string[]; adds?: IDataObject }>;
	schema: z.AnyZodObject;
	key: string[];
}

/** The nested lists of a conversation (D1 § ConversationsExport), as rows of a table each. */
export const ENTRY_KINDS: Record<'checklists' | 'trackers' | 'viewers' | 'surveyAnswers', EntryKind> = {
	checklists: {
		lists: ENTRY_PATHS.checklists.map((path) => ({ path })),
		schema: checklistSchema.pick({ checklistName: true, checklistScore: true, checklistDenominator: true }),
		key: ['checklistName'],
	},
	trackers: {
		lists: ENTRY_PATHS.trackers.map((path) => ({ path, adds: { inChecklist: path[0] === 'checklists' } })),
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

const PASSAGE = {
	name: 'Passage',
	value: 'passages',
	description: 'Each place in a transcript where the words of the filter Words Said were said',
} as const;

export const rowsFor = {
	displayName: 'Return One Row Per',
	name: 'rowsFor',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: 'Checklist', value: 'checklists', description: 'Each evaluated checklist, with its score' },
		{ name: 'Conversation', value: 'conversations' },
		PASSAGE,
		{ name: 'Survey Answer', value: 'surveyAnswers', description: 'Each answered question' },
		{ name: 'Tracker', value: 'trackers', description: 'Each tracker, hit or missed' },
		{ name: 'Viewer', value: 'viewers', description: 'Each user who viewed a conversation' },
	],
	default: 'conversations',
	description: 'What each row is about. Limit counts conversations; with Passage, rows.',
	builderHint: {
		propertyHint:
			'To fill a table of checklists, trackers, viewers or survey answers, use this instead of Raw with Split Out. Upsert by rowKey.',
	},
} as const satisfies INodeProperties;

export const toolRowsFor: INodeProperties = {
	...rowsFor,
	displayOptions: asTool,
	options: rowsFor.options.filter(({ value }) => value === 'conversations' || value === 'passages'),
};

const PASSAGE_COLUMNS = [
	...'rowKey conversationId date title customerName userName userEmail'.split(' '),
	...'speaker isRep start end text before after serviceUrl'.split(' '),
];

export function forConversations(property: INodeProperties): INodeProperties {
	const { displayOptions } = property;
	const hide = { ...displayOptions?.hide, '/rowsFor': [...Object.keys(ENTRY_KINDS), 'passages'] };
	return { ...property, displayOptions: { ...displayOptions, hide } };
}

/** The rows of a conversation. Equal keys are numbered by content, so that `rowKey` does not depend on the order. */
export function entriesOf({ lists, schema, key }: EntryKind, row: IDataObject): IDataObject[] {
	const conversation = keepFields(row, OF_CONVERSATION);
	const own = Object.keys(schema.shape as object);
	const entries = lists.flatMap(({ path, adds }) =>
		entriesBelow(row, path).map((entry) => {
			const valueOf = (name: string) => entryField(entry, name) ?? adds?.[name] ?? null;
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

/** What Return One Row Per and its filters ask for; undefined for conversations. */
export function readEntries(item: Item) {
	const chosen = item.value(rowsFor);
	if (chosen === 'conversations') return undefined;
	if (chosen === 'passages') {
		const of = (row: IDataObject, passages: object[] = []) =>
			passages.map((passage) => keepFields({ ...row, ...passage }, PASSAGE_COLUMNS));
		return { columns: PASSAGE_COLUMNS, rowKind: chosen, filter: new RowFilter({}), of };
	}
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
