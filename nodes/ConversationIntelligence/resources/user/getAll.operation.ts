import { metricsList } from '../../getMany/listOperation';
import { userFilters } from '../../../shared/exportApi/conversationFilter';

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
export const getAll = metricsList('users', {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many users',
		description: 'Get the metrics of each user over a date range',
	},
	simplified,
	filters: userFilters,
	emailOf: ({ email }) => email,
});
