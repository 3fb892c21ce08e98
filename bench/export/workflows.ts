import type { INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../playground/n8n/client';

/** Name of the measured node in every workflow. */
export const MEASURED = 'Measured';

const RANGE = { fromDate: '2023-01-01T00:00:00Z', toDate: '2026-01-01T00:00:00Z' };

function workflowOf(name: string, node: Partial<INode>): WorkflowFile {
	const trigger = {
		id: 'trigger',
		name: 'Manual Trigger',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
	};
	const nodes = [
		{ ...trigger, position: [0, 0] as [number, number], parameters: {} },
		{
			id: 'measured',
			name: MEASURED,
			typeVersion: 1,
			position: [200, 0] as [number, number],
			parameters: {},
			...node,
		},
	] as INode[];
	return {
		name,
		nodes,
		connections: { 'Manual Trigger': { main: [[{ node: MEASURED, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** Exports with this package's node and default settings, as items or (with `file`) as NDJSON. */
export function withThisNode(
	options: { concurrency?: number; file?: boolean; limit?: number } = {},
): WorkflowFile {
	const { concurrency, file, limit } = options;
	return workflowOf('Export with this node', {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		parameters: {
			resource: 'conversation',
			operation: 'getAll',
			output: 'raw',
			dateRange: 'custom',
			...RANGE,
			...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
			...(file ? { outputAs: 'file', fileFormat: 'ndjson' } : {}),
			options: concurrency === undefined ? {} : { concurrency },
		},
		credentials: { conversationExportApi: { id: '', name: '' } },
	});
}

/** Exports with n8n's HTTP Request node and pagination in full pages. */
export function withHttpRequest(exportUrl: string, key: string): WorkflowFile {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'body', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.currentPage >= $response.body.totalPages }}',
	};
	const fields = { ...RANGE, page: '={{ 1 }}', limit: '={{ 50 }}' };
	return workflowOf('Export with HTTP Request', {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${exportUrl}/export/conversations`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Authorization', value: key }] },
			sendBody: true,
			bodyParameters: { parameters: Object.entries(fields).map(([name, value]) => ({ name, value })) },
			options: { pagination: { pagination } },
		},
	});
}
