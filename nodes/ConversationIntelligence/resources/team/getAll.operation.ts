import { teamsExportSchema } from '../../../shared/contract';
import { listOperation } from '../../listing/listOperation';
import { singleRows } from '../../listing/singleRows';

/** Metrics of every team the key may see (D1 § POST /export/teams). */
export const getAll = listOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many teams',
		description: 'Get the metrics of each team over a date range',
	},
	ownProperties: [
		{
			displayName: 'Include Subteams',
			name: 'includeSubteams',
			type: 'boolean',
			default: false,
			description:
				"Whether to count the members of subteams in each team's metrics. The subteams keep rows of their own, so do not add the rows up.",
		},
	],
	schema: teamsExportSchema,
	simplified: [
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
	],
	rowKind: 'teams',
	open: (context, itemIndex, request) =>
		singleRows(context, itemIndex, request, 'teams', {
			includeSubteams: request.own.includeSubteams === true,
		}),
});
