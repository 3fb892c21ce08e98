import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../harness/n8n/client';
import { splitOut, workflowOf, type Step } from '../export/workflows';
import type { Row } from './plan';

/** A node that sends one appointment per item. */
export interface Contestant {
	name: string;
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'> & Partial<INode>;
}

/** This package's node with its default options and automatic mapping. */
export function ownNode(concurrency?: number): Contestant {
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
	const options = concurrency === undefined ? {} : { concurrency };
	return {
		name: 'Conversation Intelligence Appointments',
		node: {
			type: 'n8n-nodes-conversation-intelligence.conversationIntelligenceAppointments',
			typeVersion: 1,
			parameters: { resource: 'appointment', operation: 'upsert', columns, options } as INodeParameters,
			credentials: { crmAppointmentApi: { id: '', name: '' } },
		},
	};
}

/** n8n's HTTP Request node with typical settings: it sends all items at once. */
export function httpRequestNode(crmUrl: string): Contestant {
	return {
		name: 'HTTP Request',
		node: {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: httpParameters(crmUrl),
			credentials: { httpHeaderAuth: { id: '', name: '' } },
		},
	};
}

/** n8n's HTTP Request node with careful settings: batches one second apart, as many retries as possible. */
export function carefulHttpRequestNode(crmUrl: string, batchSize: number): Contestant {
	const { node } = httpRequestNode(crmUrl);
	const batching = { batch: { batchSize, batchInterval: 1000 } };
	return {
		name: `HTTP Request in batches of ${batchSize}`,
		node: {
			...node,
			parameters: httpParameters(crmUrl, { batching }),
			retryOnFail: true,
			maxTries: 5,
			waitBetweenTries: 5000,
		},
	};
}

function httpParameters(crmUrl: string, more: INodeParameters = {}): INodeParameters {
	return {
		method: 'POST',
		url: `${crmUrl}/custom/appointment`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: { response: { response: { responseFormat: 'text' } }, ...more },
	};
}

/** A workflow that passes the rows to the contestant and continues on errors. */
export function workflowFor({ node }: Contestant, rows: Row[]): WorkflowFile {
	const input = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
	};
	const measured: Step = { ...node, onError: 'continueRegularOutput' };
	return workflowOf(`Benchmark ${node.type}`, [input, splitOut('rows'), measured]);
}
