import { usersExportSchema } from '../../../shared/exportApi/schemas';
import { listOperation } from '../../getMany/listOperation';
import { metricsSource } from '../../getMany/metricsSource';
import { usersFilter } from '../../../shared/exportApi/usersFilter';

export const simplified = [
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
];

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
	simplified,
	filters: [usersFilter],
	emailOf: ({ email }) => email,
	readOwn: () => undefined,
	open: (item, request) => metricsSource(item, request, 'users', { users: request.users }),
});
