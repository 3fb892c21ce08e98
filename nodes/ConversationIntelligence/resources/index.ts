import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from '../../shared/node/operation';
import { recordingFilters, teamRowsFilter, userFilters } from '../../shared/selection/filters';
import { metricsList, pagedList } from '../getMany/listOperation';
import { downloadAudio, downloadTranscript, get } from './conversation';
import { getAll } from './conversations';

export const SIMPLIFIED_RECORDING =
	'recordingId date title duration crmEventID userName userEmail jobNumber outcome error kind'.split(' ');

/**
 * Recordings without a conversation: those still on the rep's device, which can only be selected by their start
 * (D1-EXP-04), and those that were uploaded in vain (D1 § ErroredRecordingsExport).
 */
const missingRecordings = pagedList(
	'errored',
	{
		option: {
			name: 'Get Missing',
			value: 'getMissing',
			action: 'Get missing recordings',
			description:
				'Get the recordings of a date range that await their upload or failed to become a conversation',
		},
		rowKind: 'missing recordings',
		simplified: SIMPLIFIED_RECORDING,
		filters: recordingFilters,
	},
	() => ['awaitingUpload'],
);

const includeSubteams = {
	displayName: 'Include Subteams',
	name: 'includeSubteams',
	type: 'boolean',
	default: false,
	description:
		"Whether to count the members of subteams in each team's metrics. Subteams keep their own rows: do not add rows up.",
} as const satisfies INodeProperties;

export const SIMPLIFIED_TEAM = [
	...'name teamId parentTeamName appointmentsRecorded conversationsRecorded'.split(' '),
	...'recordingCompliance talkRatioAverage totalAppointments totalUsersWhoRecorded totalUsers'.split(' '),
];

/** Metrics of every team the key may see (D1 § POST /export/teams). */
const teamMetrics = metricsList(
	'teams',
	{
		option: {
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many teams',
			description: 'Get the metrics of each team over a date range',
		},
		filters: [includeSubteams, teamRowsFilter],
		simplified: SIMPLIFIED_TEAM,
	},
	(item) => ({ includeSubteams: item.option(includeSubteams, 'filters') }),
);

export const SIMPLIFIED_USER = [
	...'userId name email isRemoved role teamNames averageScriptCompliance'.split(' '),
	...'conversationsRecorded recordingCompliance talkRatioAverage totalAppointments'.split(' '),
];

/** Metrics of every user the key may see (D1 § POST /export/users). */
const userMetrics = metricsList('users', {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many users',
		description: 'Get the metrics of each user over a date range',
	},
	simplified: SIMPLIFIED_USER,
	filters: userFilters,
	emailOf: ({ email }) => email,
});

export const resources: Resource[] = [
	{
		option: { name: 'Conversation', value: 'conversation' },
		operations: [getAll, get, downloadTranscript, downloadAudio],
	},
	{ option: { name: 'Recording', value: 'recording' }, operations: [missingRecordings] },
	{ option: { name: 'Team', value: 'team' }, operations: [teamMetrics] },
	{ option: { name: 'User', value: 'user' }, operations: [userMetrics] },
];
