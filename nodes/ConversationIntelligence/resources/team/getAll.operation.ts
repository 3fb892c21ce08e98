import type { INodeProperties } from 'n8n-workflow';
import { teamsExportSchema } from '../../../shared/exportApi/schemas';
import { listOperation } from '../../getMany/listOperation';
import { metricsSource } from '../../getMany/metricsSource';

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
export const getAll = listOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many teams',
		description: 'Get the metrics of each team over a date range',
	},
	rowKind: 'teams',
	properties: [includeSubteams],
	schema: teamsExportSchema,
	simplified,
	readOwn: (item) => ({ includeSubteams: item.value(includeSubteams) }),
	open: (item, request, own) => metricsSource(item, request, 'teams', own),
});
