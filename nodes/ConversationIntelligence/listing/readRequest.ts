import type { Item } from '../../shared/item';
import { booleanOf, choiceOf, entryOf, wholeNumberOf } from '../../shared/parameters';
import { isTool } from '../../shared/tool';
import { readUsers } from '../../shared/users';
import { readDateRange } from './dateRange';
import { chosenFields } from './fields';
import { readFileOptions } from './file/fileOptions';
import type { List, ListRequest } from './list';
import { includeTranscript, MOST_TOOL_ROWS, returnAll } from './properties';
import { guardOption } from './usersGuard';

/**
 * Reads what an item asks for.
 *
 * @param now as for {@link readDateRange}
 * @throws UserError that names a parameter which cannot be used; nothing was requested then
 */
export function readRequest(item: Item, list: List, now: number): ListRequest {
	const filters = item.collection('filters');
	const options = item.collection('options');
	const isFile = choiceOf(item.parameter('outputAs', 'items'), 'Output As', ['items', 'file']) === 'file';
	const mostRows = isTool(item.context.getNode()) ? MOST_TOOL_ROWS : Infinity;
	const returnsAll = item.boolean(returnAll);
	return {
		range: readDateRange(item, now),
		users: list.emailOf && readUsers(filters),
		guardsUsers: booleanOf(entryOf(options, guardOption.name, true), guardOption.displayName),
		maxRows: returnsAll ? mostRows : wholeNumberOf(item.parameter('limit', 50), 'Limit', 1, mostRows),
		fields: chosenFields(
			item.parameter('output', 'simplified'),
			item.parameter('fields', []),
			list.simplified,
		),
		includeTranscript: list.hasTranscripts === true && !isFile && item.boolean(includeTranscript),
		file: isFile
			? readFileOptions(item.parameter('fileFormat', 'ndjson'), item.collection('fileOptions'))
			: undefined,
		filters,
		options,
	};
}
