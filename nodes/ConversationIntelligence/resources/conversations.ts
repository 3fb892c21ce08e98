import type { INodeProperties } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedError';
import type { Item } from '../../shared/node/item';
import type { ArrayName } from '../../shared/exportApi/client';
import { conversationFilters, entryFilters, textFilter } from '../../shared/selection/filters';
import { SIMPLIFIED_CONVERSATION } from '../../shared/exportApi/rows';
import { EXPORT_ERRORS } from '../errors';
import { pagedList } from '../getMany/listOperation';
import { addTeams, selectBy, transcriptOptions, type ListRequest } from '../getMany/readRequest';
import { forConversations, rowsFor } from '../getMany/rowsFor';

/** Recordings that each page of the service has anyway. */
const alsoInclude = {
	displayName: 'Include Missing Recordings',
	name: 'alsoInclude',
	type: 'multiOptions',
	options: [
		{ name: 'Awaiting Upload', value: 'awaitingUpload' },
		{ name: 'Errored', value: 'errored' },
	],
	default: [],
	description: 'Which recordings to return too; <code>kind</code> tells rows apart',
} as const satisfies INodeProperties;

/** All conversations of a date range, page by page (D1 § POST /export/conversations). */
export const getAll = pagedList(
	'conversations',
	{
		option: {
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many conversations',
			description: 'Get the conversations of a date range',
		},
		rowKind: 'conversations',
		simplified: SIMPLIFIED_CONVERSATION,
		properties: [selectBy, rowsFor],
		filters: [...conversationFilters, textFilter, ...entryFilters],
		options: [addTeams, alsoInclude, ...transcriptOptions].map(forConversations),
		hasTranscripts: true,
	},
	readAlsoInclude,
);

function readAlsoInclude(item: Item, { dateType, entries }: ListRequest): ArrayName[] {
	if (entries) return [];
	const also = item.option(alsoInclude);
	if (also.includes('awaitingUpload') && dateType === 'processedDate') {
		throw codedError(EXPORT_ERRORS, 'awaiting_upload_unprocessed', {}, { field: alsoInclude.displayName });
	}
	return [...new Set(also)];
}
