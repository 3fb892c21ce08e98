import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../shared/operation';
import { ARRAYS, type ArrayName } from '../../shared/reading';
import { usersFilter } from '../../shared/users';
import type { List } from './list';
import type { ListRequest } from './readRequest';
import { listOperation } from './listOperation';
import { pagedSource } from './pagedSource';
import { pagedOptions } from './properties';
import { guardOption } from './usersGuard';

/**
 * Builds a Get Many operation for an array of POST /export/conversations, whose rows can be filtered by their rep.
 *
 * @param also reads which other arrays of the same pages an item asks for
 */
export function pagedList(
	array: ArrayName,
	{ filters = [], options = [], ...list }: Omit<List, 'schema' | 'emailOf' | 'open'>,
	also: (request: ListRequest) => ArrayName[] = () => [],
): Operation {
	return listOperation({
		...list,
		schema: ARRAYS[array].schema,
		filters: [...filters, usersFilter],
		options: [...options, guardOption, ...pagedOptions],
		emailOf: ({ user }) => (user as IDataObject | null | undefined)?.email,
		open: (item, request) => pagedSource(item, request, [array, ...also(request)]),
	});
}
