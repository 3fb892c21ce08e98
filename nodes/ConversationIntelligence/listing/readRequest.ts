import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { booleanOf, choiceOf, entryOf, wholeNumberOf } from '../../shared/parameters';
import { isTool } from '../../shared/tool';
import { readDateRange } from './dateRange';
import { chosenFields } from './fields';
import { readFileOptions } from './file/fileOptions';
import type { List, ListRequest } from './list';
import { MOST_TOOL_ROWS } from './properties';
import { readUsers } from '../../shared/users';

/**
 * Reads what an item asks for.
 *
 * @param now as for {@link readDateRange}
 * @throws UserError that names a parameter which cannot be used; nothing was requested then
 */
export function readRequest(
	context: IExecuteFunctions,
	itemIndex: number,
	list: List,
	now: number,
): ListRequest {
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	const filters = parameter('filters', {}) as IDataObject;
	const options = parameter('options', {}) as IDataObject;
	const isFile = choiceOf(parameter('outputAs', 'items'), 'Output As', ['items', 'file']) === 'file';
	const mostRows = isTool(context.getNode()) ? MOST_TOOL_ROWS : Infinity;
	const returnsAll = booleanOf(parameter('returnAll', false), 'Return All');
	const hasTranscripts = list.hasTranscripts === true && !isFile;
	return {
		range: readDateRange(context, itemIndex, now),
		users: list.emailOf && readUsers(filters),
		guardsUsers: booleanOf(entryOf(options, 'guardUsers', true), 'Drop Rows of Other Users'),
		maxRows: returnsAll ? mostRows : wholeNumberOf(parameter('limit', 50), 'Limit', 1, mostRows),
		fields: chosenFields(parameter('output', 'simplified'), parameter('fields', []), list.simplified),
		includeTranscript:
			hasTranscripts && booleanOf(parameter('includeTranscript', false), 'Include Transcript'),
		file: isFile
			? readFileOptions(parameter('fileFormat', 'ndjson'), parameter('fileOptions', {}) as IDataObject)
			: undefined,
		filters,
		options,
	};
}
