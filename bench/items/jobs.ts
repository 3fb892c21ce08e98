import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../harness/n8n/client';
import { inPages, post, splitOut, workflowOf, type Step } from '../export/workflows';
import type { SandboxProcess } from '../sandboxProcess';

const GETS = 200;
const RANGES = 12;
const PAGE = 50;

/** The same work for both nodes, one item for each request or list. */
export interface Job {
	name: string;
	input: IDataObject[];
	/** Parameters of this package's node, and of n8n's HTTP Request node. */
	own: INodeParameters;
	http: INodeParameters;
	/** The array that the HTTP Request node leaves in each of its items; undefined if each item is a row. */
	array?: string;
	/** The field that tells rows apart. */
	id: string;
}

/** The jobs that are compared, with the IDs of conversations that exist. */
export async function jobsOf({ exportUrl, keys }: SandboxProcess): Promise<Job[]> {
	const range = { dateRange: 'custom', fromDate: '={{ $json.fromDate }}', toDate: '={{ $json.toDate }}' };
	const list = { operation: 'getAll', output: 'raw', returnAll: true, options: {}, ...range };
	const sent = { fromDate: '={{ $json.fromDate }}', toDate: '={{ $json.toDate }}' };
	const conversations = (days: number) => ({
		input: rangesOf('2025-01-01T00:00:00Z', days),
		own: { resource: 'conversation', ...list },
		http: inPages(exportUrl, sent),
		array: 'conversations',
		id: 'conversationId',
	});
	return [
		{
			name: `${GETS} conversations by ID`,
			input: await conversationIds(exportUrl, keys.organization),
			own: {
				resource: 'conversation',
				operation: 'get',
				output: 'raw',
				conversationId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			http: { method: 'GET', url: `=${exportUrl}/export/conversations/{{ $json.id }}` },
			id: 'conversationId',
		},
		{
			name: `Users of ${RANGES} ranges`,
			input: rangesOf('2025-01-01T00:00:00Z', 30),
			own: { resource: 'user', ...list },
			http: post(`${exportUrl}/export/users`, sent),
			array: 'users',
			id: 'userId',
		},
		{ name: `Conversations of ${RANGES} days`, ...conversations(1) },
		{ name: `Conversations of ${RANGES} weeks`, ...conversations(7) },
	];
}

/** Ranges that follow one another. */
function rangesOf(start: string, days: number): IDataObject[] {
	const length = days * 24 * 3_600_000;
	return Array.from({ length: RANGES }, (_, index) => {
		const from = Date.parse(start) + index * length;
		return {
			fromDate: new Date(from).toISOString(),
			toDate: new Date(from + length - 1).toISOString(),
		};
	});
}

async function conversationIds(exportUrl: string, key: string): Promise<IDataObject[]> {
	const pages = Array.from({ length: GETS / PAGE }, async (_, index) => {
		const body = {
			fromDate: '2025-01-01T00:00:00Z',
			toDate: '2026-01-01T00:00:00Z',
			page: index + 1,
			limit: PAGE,
		};
		const response = await fetch(`${exportUrl}/export/conversations`, {
			method: 'POST',
			headers: { authorization: key, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const { conversations } = (await response.json()) as { conversations: IDataObject[] };
		return conversations.map(({ conversationId }) => ({ id: conversationId }));
	});
	return (await Promise.all(pages)).flat();
}

const CREDENTIALS = { conversationExportApi: { id: '', name: '' } };

export const withThisNode = ({ name, input, own }: Job): WorkflowFile =>
	workflowFor(name, input, {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		typeVersion: 1,
		parameters: own,
		credentials: CREDENTIALS,
	});

/** n8n's HTTP Request node with the same credential; it sends all items at once by default. */
export const withHttpRequest = ({ name, input, http }: Job): WorkflowFile =>
	workflowFor(name, input, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'conversationExportApi',
			options: {},
			...http,
		},
		credentials: CREDENTIALS,
	});

function workflowFor(name: string, input: IDataObject[], measured: Step): WorkflowFile {
	const rows: Step = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: input }), options: {} },
	};
	return workflowOf(name, [rows, splitOut('rows'), measured]);
}
