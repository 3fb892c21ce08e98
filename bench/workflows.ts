import type { INode, INodeParameters } from 'n8n-workflow';
import { inRow, manualTrigger, workflowNode, type WorkflowFile } from '../harness/n8n/workflowFile';
import type { Sandbox } from '../sandbox';

/** Name of the measured node in every workflow. */
export const MEASURED = 'Measured';
const RANGE = { fromDate: '2023-01-01T00:00:00Z', toDate: '2026-01-01T00:00:00Z' };

export type Step = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/** A node of n8n, with a credential that the import fills in. */
export const builtIn = (
	name: string,
	typeVersion: number,
	parameters: INodeParameters,
	credential?: string,
): Step => ({
	type: `n8n-nodes-base.${name}`,
	typeVersion,
	parameters,
	...(credential !== undefined && { credentials: { [credential]: { id: '', name: '' } } }),
});

export const ownNode = (name: string, credential: string, parameters: INodeParameters): Step => ({
	...builtIn('', 1, parameters, credential),
	type: `n8n-nodes-conversation-intelligence.${name}`,
});

export const httpRequest = (parameters: INodeParameters, credential?: string): Step =>
	builtIn('httpRequest', 4.2, parameters, credential);

/** A workflow of a manual trigger and these nodes in a row. The last one is the measured one. */
function workflowOf(name: string, steps: Step[]): WorkflowFile {
	const nodes = steps.map(({ type, typeVersion, parameters, ...more }, index) => ({
		...workflowNode(index === steps.length - 1 ? MEASURED : type, type, typeVersion, parameters),
		...more,
	}));
	return { name, ...inRow(manualTrigger(), ...nodes), settings: { executionOrder: 'v1', timezone: 'UTC' } };
}

/** Makes an item of each entry of an array. */
const splitOut = (fieldToSplitOut: string) => builtIn('splitOut', 1, { fieldToSplitOut, options: {} });

/** A workflow that passes an item for each row to the measured node. */
export function withRows(name: string, rows: object[], measured: Step): WorkflowFile {
	const input = builtIn('set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }) });
	return workflowOf(name, [input, splitOut('rows'), measured]);
}

export const TO_NDJSON = { outputAs: 'file', fileFormat: 'ndjson' };

/** Exports with this package's node: every conversation and field as items, unless parameters say otherwise. */
export function withThisNode(more: INodeParameters = {}): WorkflowFile {
	const list = { resource: 'conversation', operation: 'getAll', output: 'raw', returnAll: true };
	const parameters = { ...list, dateRange: 'custom', ...RANGE, options: {}, ...more };
	const node = ownNode('conversationIntelligence', 'conversationExportApi', parameters);
	return workflowOf('Export with this node', [node]);
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
export const AS_FILE = [
	...AS_ITEMS,
	builtIn('convertToFile', 1.1, { operation: 'toJson', mode: 'once', options: {} }),
];

/** Exports with n8n's HTTP Request node in full pages: an item for each page, unless nodes follow. */
export function withHttpRequest({ exportUrl, keys }: Sandbox, after: Step[] = []): WorkflowFile {
	const parameters = [{ name: 'Authorization', value: keys.organization }];
	const headers = { sendHeaders: true, headerParameters: { parameters } };
	return workflowOf('Export with HTTP Request', [
		httpRequest({ ...inPages(exportUrl, RANGE), ...headers }),
		...after,
	]);
}
