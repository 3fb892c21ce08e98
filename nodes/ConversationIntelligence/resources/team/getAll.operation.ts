import type { INodeProperties } from 'n8n-workflow';
import { teamRowsFilter } from '../../../shared/exportApi/conversationFilter';
import { metricsList } from '../../getMany/listOperation';

const includeSubteams = {
	displayName: 'Include Subteams',
	name: 'includeSubteams',
	type: 'boolean',
	default: false,
	description:
		"Whether to count the members of subteams in each team's metrics. Subteams keep their own rows: do not add rows up.",
} as const satisfies INodeProperties;

export const simplified = [
	'name',
	'teamId',
	'parentTeamName',
	'appointmentsRecorded',
	'conversationsRecorded',
	'recordingCompliance',
	'talkRatioAverage',
	'totalAppointments',
	'totalUsersWhoRecorded',
	'totalUsers',
];

/** Metrics of every team the key may see (D1 § POST /export/teams). */
export const getAll = metricsList(
	'teams',
	{
		option: {
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many teams',
			description: 'Get the metrics of each team over a date range',
		},
		filters: [includeSubteams, teamRowsFilter],
		simplified,
	},
	(item) => ({ includeSubteams: item.option(includeSubteams, 'filters') }),
);
