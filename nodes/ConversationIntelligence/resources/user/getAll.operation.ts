import { usersExportSchema } from '../../../shared/contract';
import { listOperation } from '../../listing/listOperation';
import { singleRows } from '../../listing/singleRows';
import { usersOptions } from '../../listing/usersFilter';

/** Metrics of every user the key may see (D1 § POST /export/users). */
export const getAll = listOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many users',
		description: 'Get the metrics of each user over a date range',
	},
	ownOptions: usersOptions,
	schema: usersExportSchema,
	simplified: [
		'userId',
		'name',
		'email',
		'isRemoved',
		'role',
		'averageScriptCompliance',
		'conversationsRecorded',
		'recordingCompliance',
		'talkRatioAverage',
		'totalAppointments',
	],
	rowKind: 'users',
	emailOf: ({ email }) => email,
	open: (context, itemIndex, request) =>
		singleRows(context, itemIndex, request, 'users', request.users ? { users: request.users } : {}),
});
