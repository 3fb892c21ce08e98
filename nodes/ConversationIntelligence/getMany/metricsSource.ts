import type { IDataObject } from 'n8n-workflow';
import { ExportClient } from '../../shared/exportApi/client';
import { teamsExportSchema, usersExportSchema } from '../../shared/exportApi/schemas';
import { ContractCheck } from '../../shared/exportApi/schemas/check';
import type { Item } from '../../shared/node/item';
import type { RowSource } from './list';
import type { ListRequest } from './readRequest';

const KINDS = {
	teams: { id: 'teamId', total: 'totalTeams', schema: teamsExportSchema },
	users: { id: 'userId', total: 'totalUsers', schema: usersExportSchema },
};

/**
 * Reads the metrics of teams or users: one request, all rows (D1 § POST /export/teams, POST /export/users).
 *
 * @param kind name of the array
 * @throws while reading: NodeApiError when the request fails or its response has no such array
 */
export function metricsSource(
	{ context }: Item,
	{ range, maxRows }: ListRequest,
	kind: keyof typeof KINDS,
	body: IDataObject,
): RowSource {
	const { id, total: totalName, schema } = KINDS[kind];
	let total = 0;
	return {
		async *batches() {
			const rows = await new ExportClient(context)[kind]({ ...range, ...body });
			total = rows.length;
			yield rows.slice(0, maxRows);
		},
		schema,
		keptFields: [id],
		check: new ContractCheck(schema),
		summary: () => ({ requests: 1, [totalName]: total }),
		total: () => total,
		isComplete: () => total <= maxRows,
	};
}
