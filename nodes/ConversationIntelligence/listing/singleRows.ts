import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { jsonRequest, unreadableAnswer, type ServiceRequest } from '../../shared/transport';
import type { ListRequest, RowSource } from './spec';

/**
 * Reads a list that is not paginated: one request, all rows (D1 § POST /export/teams, POST /export/users).
 *
 * @param name of the array, and of the path's last part
 * @param body besides the range
 * @returns the source; nothing is requested before its rows are asked for
 * @throws while reading: NodeApiError when the request fails or its answer has no such array
 */
export function singleRows(
	context: IExecuteFunctions,
	itemIndex: number,
	{ range, maxRows }: ListRequest,
	name: 'teams' | 'users',
	body: IDataObject,
): RowSource {
	let total = 0;
	const request: ServiceRequest = {
		credentialType: 'conversationExportApi',
		method: 'POST',
		path: `/export/${name}`,
		body: { ...range, ...body },
		itemIndex,
	};
	return {
		async *batches() {
			const { data, answer } = await jsonRequest(context, request);
			const rows: unknown = data[name];
			if (!Array.isArray(rows)) {
				throw unreadableAnswer(context.getNode(), request, answer, `has no field "${name}"`);
			}
			total = rows.length;
			yield rows.slice(0, maxRows);
		},
		summary: () => ({ requests: 1, [name === 'teams' ? 'totalTeams' : 'totalUsers']: total }),
		total: () => total,
		hints: () => [],
		gaps: () => [],
	};
}
