import type { INodeParameters } from 'n8n-workflow';
import type { Step } from '../workflows';

/** A node that sends one appointment per item. */
export interface Contestant {
	name: string;
	node: Step;
}

/** This package's node with its default options and automatic mapping. */
export const ownNode: Contestant = {
	name: 'Conversation Intelligence Appointments',
	node: {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligenceAppointments',
		typeVersion: 1,
		parameters: {
			resource: 'appointment',
			operation: 'upsert',
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		},
		credentials: { crmAppointmentApi: { id: '', name: '' } },
	},
};

/** n8n's HTTP Request node with typical settings: it sends all items at once. */
export const httpRequestNode = (crmUrl: string, more: INodeParameters = {}): Contestant => ({
	name: 'HTTP Request',
	node: {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${crmUrl}/custom/appointment`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
			options: { response: { response: { responseFormat: 'text' } }, ...more },
		},
		credentials: { httpHeaderAuth: { id: '', name: '' } },
	},
});

/** n8n's HTTP Request node with careful settings: batches one second apart, as many retries as possible. */
export function carefulHttpRequestNode(crmUrl: string, batchSize: number): Contestant {
	const { node } = httpRequestNode(crmUrl, { batching: { batch: { batchSize, batchInterval: 1000 } } });
	return {
		name: `HTTP Request in batches of ${batchSize}`,
		node: { ...node, retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
	};
}
