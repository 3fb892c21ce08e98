import type { INodeProperties } from 'n8n-workflow';
import { teamsExportSchema } from '../../../shared/contract';
import { booleanOf } from '../../../shared/parameters';
import { SIMPLIFIED } from '../../listing/fields';
import { listOperation } from '../../listing/listOperation';
import { metricsSource } from '../../listing/metricsSource';

const includeSubteams: INodeProperties = {
	displayName: 'Include Subteams',
	name: 'includeSubteams',
	type: 'boolean',
	default: false,
	description:
		"Whether to count the members of subteams in each team's metrics. Subteams keep their own rows: do not add rows up.",
};

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
	simplified: SIMPLIFIED.team,
	open(context, itemIndex, request) {
		const { displayName, name } = includeSubteams;
		const value = booleanOf(context.getNodeParameter(name, itemIndex, false), displayName);
		return metricsSource(context, itemIndex, request, 'teams', { includeSubteams: value });
	},
});
