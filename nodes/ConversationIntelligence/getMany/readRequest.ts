import type { Item } from '../../shared/node/item';
import { labelsOf, readFilters, RowFilter } from '../../shared/exportApi/conversationFilter';
import { readDateRange } from './dateRange';
import { readEntries } from './rowsFor';
import { chosenFields } from './fields';
import { readFileOptions } from './file/fileOptions';
import { limit, outputAs, readTranscriptForm, returnAll, selectBy, sort, toolLimit } from './properties';

/**
 * Reads what an item asks for.
 * @param list its simplified fields, and what its rows have
 * @throws CodedError that names an unusable parameter, before anything is requested
 */
export function readRequest(
	item: Item,
	list: { simplified: string[]; emailOf?: unknown; hasTranscripts?: boolean; isWhole?: boolean },
) {
	const filters = item.collection('filters');
	const { users, teams, ...others } = readFilters(filters, item.context.getNode());
	// Rows without a rep are those of teams.
	const rowFilter = list.emailOf ? others : { ...others, teams };
	// An agent has no Return All.
	const isAll = !item.isTool && (list.isWhole === true || item.value(returnAll));
	const maxRows = isAll ? Infinity : item.value(item.isTool ? toolLimit : limit);
	const isSorted = sort.name in item.collection('options');
	const entries = readEntries(item);
	return {
		range: readDateRange(item),
		users,
		/** IDs or names, whose members are the users; undefined for all. */
		teams: list.emailOf ? teams : undefined,
		/** Of the teams, those in which no user is; known once the users list was read. */
		emptyTeams: [] as string[],
		/** What the service cannot filter by. */
		rowFilter: labelsOf(rowFilter).length > 0 ? new RowFilter(rowFilter) : undefined,
		/** Infinity for all. */
		maxRows,
		order: isSorted || maxRows < Infinity ? item.option(sort) : ('asListed' as const),
		dateType: item.value(selectBy),
		/** Rows made of each conversation; undefined for the conversations themselves. */
		entries,
		/** Documented names, or any others; undefined for all. */
		fields: entries ? undefined : chosenFields(item, list.simplified),
		/** How rows have their transcript; undefined for none. */
		transcript: !entries && list.hasTranscripts ? readTranscriptForm(item) : undefined,
		/** How to write the file; undefined for items. */
		file: item.value(outputAs) === 'file' ? readFileOptions(item) : undefined,
	};
}

export type ListRequest = ReturnType<typeof readRequest>;
