import type { Item } from '../../shared/node/item';
import { booleanOf, choiceOf, entryOf, wholeNumberOf } from '../../shared/node/parameters';
import { isTool } from '../../shared/node/tool';
import { readUsers } from '../../shared/exportApi/users';
import { readDateRange } from './dateRange';
import { readTranscriptLength } from '../downloads/transcriptLength';
import { chosenFields } from './fields';
import { readFileOptions } from './file/fileOptions';
import { includeTranscript, MAX_TOOL_ROWS, returnAll } from './properties';
import { readRowFilter, readTeams } from './rowFilter';
import { guardOption } from './usersGuard';

/**
 * Reads what an item asks for.
 *
 * @param list its simplified fields, and whether its rows have users and transcripts
 * @param now as for {@link readDateRange}
 * @throws UserError that names an unusable parameter, before anything is requested
 */
export function readRequest(
	item: Item,
	list: { simplified: string[]; emailOf?: unknown; hasTranscripts?: boolean },
	now: number,
) {
	const filters = item.collection('filters');
	const options = item.collection('options');
	const isFile = choiceOf(item.parameter('outputAs', 'items'), 'Return As', ['items', 'file']) === 'file';
	const mostRows = isTool(item.context.getNode()) ? MAX_TOOL_ROWS : Infinity;
	const returnsAll = item.boolean(returnAll);
	return {
		range: readDateRange(item, now),
		users: list.emailOf ? readUsers(filters) : undefined,
		/** IDs or names; undefined for all. */
		teams: readTeams(item, filters),
		/** What the service cannot filter by. */
		rowFilter: readRowFilter(item, filters),
		/** Whether rows of other users are dropped. */
		guardsUsers: booleanOf(entryOf(options, guardOption.name, true), guardOption.displayName),
		/** Infinity for all. */
		maxRows: returnsAll ? mostRows : wholeNumberOf(item.parameter('limit', 50), 'Limit', 1, mostRows),
		/** Documented names, or any others; undefined for all. */
		fields: chosenFields(item, list.simplified),
		includeTranscript: list.hasTranscripts === true && item.boolean(includeTranscript),
		maxTranscriptLength: readTranscriptLength(item),
		/** How to write the file; undefined for items. */
		file: isFile
			? readFileOptions(item.parameter('fileFormat', 'ndjson'), item.collection('fileOptions'))
			: undefined,
		filters,
		options,
	};
}

export type ListRequest = ReturnType<typeof readRequest>;
