import type { INode, INodeParameters } from 'n8n-workflow';
import { inRow, manualTrigger, workflowNode, type WorkflowFile } from '../harness/n8n/workflowFile';
import type { Sandbox } from '../sandbox';

/** Name of the measured node in every workflow. */
export const MEASURED = 'Measured';
const RANGE = { fromDate: '2023-01-01T00:00:00Z', toDate: '2026-01-01T00:00:00Z' };

/** A node of n8n, with a credential that the import fills in. */
export const builtIn = (name: string, version: number, parameters: INodeParameters, credential?: string) =>
	workflowNode(name, `n8n-nodes-base.${name}`, version, parameters, credential);

export const ownNode = (name: string, credential: string, parameters: INodeParameters, version = 1) =>
	workflowNode(name, `n8n-nodes-conversation-intelligence.${name}`, version, parameters, credential);

export const httpRequest = (parameters: INodeParameters, credential?: string) =>
	builtIn('httpRequest', 4.2, parameters, credential);

/** A workflow of a manual trigger and these nodes in a row. The last one is the measured one. */
function workflowOf(name: string, ...nodes: INode[]): WorkflowFile {
	const row = inRow(manualTrigger(), ...nodes.slice(0, -1), { ...nodes.at(-1)!, name: MEASURED });
	return { name, ...row, settings: { executionOrder: 'v1', timezone: 'UTC' } };
}

/** Makes an item of each entry of an array. */
const splitOut = (fieldToSplitOut: string) => builtIn('splitOut', 1, { fieldToSplitOut, options: {} });

/** A workflow that passes an item for each row to the measured node. */
export function withRows(name: string, rows: object[], measured: INode): WorkflowFile {
	const input = builtIn('set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }) });
	return workflowOf(name, input, splitOut('rows'), measured);
}

export const TO_NDJSON = { outputAs: 'file', fileFormat: 'ndjson' };

/** Exports with this package's node: every conversation and field as items, unless parameters say otherwise. */
export function withThisNode(more: INodeParameters = {}): WorkflowFile {
	const list = { resource: 'conversation', operation: 'getAll', output: 'raw', returnAll: true };
	const parameters = { ...list, dateRange: 'custom', ...RANGE, options: {}, ...more };
	const node = ownNode('conversationIntelligence', 'conversationExportApi', parameters);
	return workflowOf('Export with this node', node);
}

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
	return { ...post(`${exportUrl}/export/conversations`, body), options: { pagination: { pagination } } };
}

/** Nodes after HTTP Request, so that it outputs the same as this node: an item for each conversation, or a file. */
export const AS_ITEMS = [splitOut('conversations')];
const toFile = { operation: 'toJson', mode: 'once', options: {} };
export const AS_FILE = [...AS_ITEMS, builtIn('convertToFile', 1.1, toFile)];

/** Exports with n8n's HTTP Request node in full pages: an item for each page, unless nodes follow. */
export function withHttpRequest({ exportUrl, keys }: Sandbox, after: INode[] = []): WorkflowFile {
	const parameters = [{ name: 'Authorization', value: keys.organization }];
	const headers = { sendHeaders: true, headerParameters: { parameters } };
	const request = httpRequest({ ...inPages(exportUrl, RANGE), ...headers });
	return workflowOf('Export with HTTP Request', request, ...after);
}
