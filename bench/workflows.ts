import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../harness/n8n/client';
import { inRow, manualTrigger, workflowNode } from '../harness/n8n/workflowFile';
import type { Sandbox } from '../sandbox';

/** Name of the measured node in every workflow. */
export const MEASURED = 'Measured';

const RANGE = { fromDate: '2023-01-01T00:00:00Z', toDate: '2026-01-01T00:00:00Z' };

export type Step = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/** A workflow of a manual trigger and these nodes in a row. The last one is the measured one. */
function workflowOf(name: string, steps: Step[]): WorkflowFile {
	const nodes = steps.map(({ type, typeVersion, parameters, ...more }, index) => ({
		...workflowNode(index === steps.length - 1 ? MEASURED : type, type, typeVersion, parameters),
		...more,
	}));
	const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
	return { name, ...inRow(manualTrigger(), ...nodes), settings };
}

/** Exports with this package's node, every field unless `simplified`, as items or (with `file`) as NDJSON. */
export function withThisNode({
	file,
	limit,
	simplified,
}: { file?: boolean; limit?: number; simplified?: boolean } = {}): WorkflowFile {
	const node: Step = {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		typeVersion: 1,
		parameters: {
			resource: 'conversation',
			operation: 'getAll',
			output: simplified ? 'simplified' : 'raw',
			dateRange: 'custom',
			...RANGE,
			...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
			...(file ? { outputAs: 'file', fileFormat: 'ndjson' } : {}),
			options: {},
		},
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	return workflowOf('Export with this node', [node]);
}

/** Makes an item of each entry of an array. */
function splitOut(fieldToSplitOut: string): Step {
	return { type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut, options: {} } };
}

/** A workflow that passes an item for each row to the measured node. */
export function withRows(name: string, rows: object[], measured: Step): WorkflowFile {
	const jsonOutput = JSON.stringify({ rows });
	const input = { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } };
	return workflowOf(name, [input, splitOut('rows'), measured]);
}

/** Nodes after HTTP Request, so that it outputs the same as this node: an item for each conversation, or a file. */
const SPLIT = splitOut('conversations');
const TO_FILE: Step = {
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'toJson', mode: 'once', options: {} },
};
const AFTER = { pages: [], items: [SPLIT], file: [SPLIT, TO_FILE] };

/** Parameters of the HTTP Request node for a POST with these fields. */
export function post(url: string, body: Record<string, string>): INodeParameters {
	const parameters = Object.entries(body).map(([name, value]) => ({ name, value }));
	return { method: 'POST', url, sendBody: true, bodyParameters: { parameters } };
}

/** Parameters of the HTTP Request node for the conversations of a range, in full pages. */
export function inPages(exportUrl: string, range: Record<string, string>): INodeParameters {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'body', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.currentPage >= $response.body.totalPages }}',
	};
	const body = { ...range, page: '={{ 1 }}', limit: '={{ 50 }}' };
	return {
		...post(`${exportUrl}/export/conversations`, body),
		options: { pagination: { pagination } },
	};
}

/**
 * Exports with n8n's HTTP Request node and pagination in full pages.
 *
 * @param output an item for each page (the node alone), an item for each conversation, or a JSON file
 */
export function withHttpRequest(
	{ exportUrl, keys }: Pick<Sandbox, 'exportUrl' | 'keys'>,
	output: keyof typeof AFTER = 'pages',
): WorkflowFile {
	const node: Step = {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			...inPages(exportUrl, RANGE),
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Authorization', value: keys.organization }] },
		},
	};
	return workflowOf('Export with HTTP Request', [node, ...AFTER[output]]);
}
