import type { INodeProperties } from 'n8n-workflow';
import type { Item, Option } from '../../shared/node/item';
import { fieldsShownFor, readFilter, RowFilter, saidMissing } from '../../shared/selection/filters';
import type { TranscriptForm } from '../../shared/media/transcript';
import { asTool, byModel, notAsTool } from '../../shared/node/resources';
import { readDateRange } from './dateRange';
import { readEntries } from './rowsFor';
import { chosenFields } from './fieldsToReturn';
import { readFileOptions } from './file';

const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	displayOptions: { show: { returnAll: [false] }, ...notAsTool },
	default: 50,
	description: 'Max number of results to return',
} as const satisfies INodeProperties;

export const toolLimit = {
	...limit,
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	displayOptions: asTool,
	default: 10,
} as const satisfies INodeProperties;

const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	displayOptions: { show: { outputAs: ['items'] }, ...notAsTool },
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies INodeProperties;

/** A file has all rows, unless the user wants fewer. */
const returnAllAsFile = {
	...returnAll,
	displayOptions: { show: { outputAs: ['file'] }, ...notAsTool },
	default: true,
} as const satisfies INodeProperties;

/** How many rows; an AI agent gets few, because each one takes up its model's context. */
export const limitProperties: INodeProperties[] = [returnAll, returnAllAsFile, limit, toolLimit];

/** A filter by text or names; in a tool, the model supplies its text and reads its description. */
export function alsoForModels(filter: INodeProperties): INodeProperties[] {
	const { displayName, type, displayOptions, description } = filter;
	if (!['string', 'resourceLocator'].includes(type) || displayOptions) return [filter];
	const name = displayName.toLowerCase().replaceAll(' ', '_');
	const byDefault = byModel(name, `${description}. Empty = no filter.`, 'string', ", ''");
	return [
		{ ...filter, displayOptions: notAsTool },
		{ ...filter, type: 'string', modes: undefined, displayOptions: asTool, default: byDefault },
	];
}

export const outputAs = {
	displayName: 'Return As',
	name: 'outputAs',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: 'File', value: 'file', description: 'One file with all rows, for large exports' },
		{ name: 'Items', value: 'items', description: 'One item for each row' },
	],
	default: 'items',
	description: 'Whether rows become items or one file',
} as const satisfies INodeProperties;

const includeTranscript = {
	displayName: 'Include Transcript',
	name: 'includeTranscript',
	type: 'boolean',
	default: true,
	without: false,
	description: 'Whether to add the transcript, which takes one more request per conversation',
} as const satisfies Option;

const withTranscript = { show: { includeTranscript: [true] } };

const transcriptAs = {
	displayName: 'Transcript As',
	name: 'transcriptAs',
	type: 'options',
	displayOptions: { ...withTranscript, ...notAsTool },
	options: [
		{ name: 'Text', value: 'text', description: 'Lines such as "[01:25] Ana Diaz: …"' },
		{
			name: 'Turns',
			value: 'turns',
			description: 'A list: speaker, times in seconds and text of each turn',
		},
	],
	default: 'turns',
	without: 'text',
	description: 'Format of the field <code>transcript</code>',
} as const satisfies Option;

/** How much of a transcript to return, e.g. because cells of a table have a limit. */
export const maxLength = {
	displayName: 'Max Transcript Length',
	name: 'maxTranscriptLength',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum characters; 0 for all. A shortened text says so in its last line.',
} as const satisfies INodeProperties;

/** How much an agent's model gets: an hour of talk has about 50,000 characters. */
export const toolLength = {
	...maxLength,
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 20_000,
	description: 'Characters of each transcript that the model gets; the rest is cut',
} as const satisfies INodeProperties;

const maxLengthOption = { ...maxLength, default: 10_000, without: undefined } as const satisfies Option;

export const transcriptOptions: INodeProperties[] = [
	includeTranscript,
	{ ...maxLengthOption, displayOptions: { ...withTranscript, hide: { transcriptAs: ['turns'] } } },
	transcriptAs,
];

export function readTranscriptForm(item: Item): TranscriptForm | undefined {
	if (!item.option(includeTranscript)) return undefined;
	const length = item.option(maxLengthOption) ?? (item.isTool ? toolLength.default : 0);
	return {
		asTurns: item.option(transcriptAs) === 'turns',
		maxLength: length || Infinity,
		next: item.isTool ? 'Continue in Download Transcript with From Position' : undefined,
	};
}

/** Maximum concurrent requests, unless the user chooses fewer. */
export const MAX_REQUESTS = 20;

/** The order of the rows. With a limit, the default is newest first, because the service may use any order. */
export const sort = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: 'Newest First', value: 'newestFirst' },
		{ name: 'Oldest First', value: 'oldestFirst' },
	],
	default: 'oldestFirst',
	without: undefined,
	description:
		"Order by date. Without this option, newest first, or the service's order if Return All is on and Words Said is empty.",
} as const satisfies Option;

export const selectBy = {
	displayName: 'Filter Dates By',
	name: 'selectBy',
	type: 'options',
	options: [
		{ name: 'Processing Time', value: 'processedDate', description: 'When the processing ended' },
		{ name: 'Recording Time', value: 'timeOfRecording', description: 'When the recording started' },
	],
	default: 'timeOfRecording',
	description: 'Which time of a conversation must be in the date range',
	hint: 'On a schedule, choose Processing Time: recordings can be uploaded days later',
} as const satisfies INodeProperties;

/** What an item asks for; throws CodedError that names an unusable parameter, before anything is requested. */
export function readRequest(
	item: Item,
	list: { simplified: string[]; emailOf?: unknown; isWhole?: boolean },
) {
	const filters = item.collection('filters');
	const { users, teams, said, saidBy, ...others } = readFilter(filters, item.context.getNode());
	// Rows without a rep are those of teams.
	const rowFilter = new RowFilter(list.emailOf ? others : { ...others, teams });
	// An agent has no Return All.
	const isAll = !item.isTool && (list.isWhole === true || item.value(returnAll));
	const maxRows = isAll ? Infinity : item.value(item.isTool ? toolLimit : limit);
	const entries = readEntries(item);
	if (entries?.rowKind === 'passages' && !said) throw saidMissing('Return One Row Per Passage');
	return {
		range: readDateRange(item),
		users,
		/** IDs or names of the teams, or of the teams whose members are wanted; undefined for all. */
		teams,
		/** The teams without any user; filled after the list of users was read. */
		emptyTeams: [] as string[],
		/** What the service cannot filter by. */
		rowFilter: rowFilter.wants ? rowFilter : undefined,
		maxRows,
		order:
			item.option(sort) ?? (maxRows < Infinity || said ? ('newestFirst' as const) : ('asListed' as const)),
		dateType: item.value(selectBy),
		/** What transcripts decide; undefined for all conversations. */
		said: said ? { said, saidBy } : undefined,
		/** Rows made of each conversation; undefined for the conversations themselves. */
		entries,
		/** Documented names, or any others; undefined for all. */
		fields: chosenFields(item, [...list.simplified, ...fieldsShownFor(others)]),
		transcript: entries ? undefined : readTranscriptForm(item),
		file: item.value(outputAs) === 'file' ? readFileOptions(item) : undefined,
	};
}

export type ListRequest = ReturnType<typeof readRequest>;
