import { usersExportSchema } from '../../../shared/exportApi/schemas';
import { SIMPLIFIED } from '../../getMany/fields';
import { listOperation } from '../../getMany/listOperation';
import { metricsSource } from '../../getMany/metricsSource';
import { usersFilter } from '../../../shared/exportApi/users';
import { guardOption } from '../../getMany/usersGuard';

/** Metrics of every user the key may see (D1 § POST /export/users). */
export const getAll = listOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many users',
		description: 'Get the metrics of each user over a date range',
	},
	rowKind: 'users',
	schema: usersExportSchema,
	simplified: SIMPLIFIED.user,
	filters: [usersFilter],
	options: [guardOption],
	emailOf: ({ email }) => email,
	open: (item, request) =>
		metricsSource(item, request, 'users', request.users ? { users: request.users } : {}),
});
