import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operation';
import { ARRAYS, type ArrayName } from '../../shared/reading';
import { membersOf } from '../../shared/exportApi/teams';
import { usersFilter } from '../../shared/exportApi/users';
import { dateRangeProperties } from './dateRange';
import { fieldsProperties } from './fields';
import { fileProperties } from './file/fileOptions';
import type { List } from './list';
import { pagedSource } from './pagedSource';
import { limitProperties, outputAs, pagedOptions, transcriptProperties } from './properties';
import { readRequest, type ListRequest } from './readRequest';
import { runList } from './runList';
import { guardOption } from './usersGuard';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation(list: List): Operation {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			...limitProperties,
			outputAs,
			...fieldsProperties(list.schema.shape, true),
			...(list.hasTranscripts ? transcriptProperties : []),
			...collection('Filters', 'filters', 'Add filter', list.filters),
			...collection('Options', 'options', 'Add option', list.options),
			...fileProperties,
		],
		start() {
			const now = Date.now();
			return {
				prepare(item) {
					const request = readRequest(item, list, now);
					const open = (users = request.users) => list.open(item, { ...request, users });
					const source = open();
					return {
						async execute() {
							if (request.teams === undefined) return await runList(item, list, request, source);
							const users = await membersOf(item.context, request.teams, request.users, item.index);
							return await runList(item, list, { ...request, users, guardsUsers: true }, open(users));
						},
					};
				},
			};
		},
	};
}

/**
 * Builds a Get Many operation for an array of POST /export/conversations, whose rows can be filtered by their rep.
 *
 * @param also reads which other arrays of the same pages an item asks for
 */
export function pagedList(
	array: ArrayName,
	{ filters = [], options = [], ...list }: Omit<List, 'schema' | 'emailOf' | 'open'>,
	also: (item: Item, request: ListRequest) => ArrayName[] = () => [],
): Operation {
	return listOperation({
		...list,
		schema: ARRAYS[array].schema,
		filters: [...filters, usersFilter],
		options: [...options, guardOption, ...pagedOptions],
		emailOf: ({ user }) => (user as IDataObject | null | undefined)?.email,
		open: (item, request) => pagedSource(item, request, [array, ...also(item, request)]),
	});
}

function collection(
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[] = [],
): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ displayName, name, type: 'collection', placeholder, default: {}, options }];
}
