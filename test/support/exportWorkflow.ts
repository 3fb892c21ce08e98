import type { INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../playground/n8n/client';

const NODE = 'Conversation Intelligence';

/** The span of the local service's data, unless a test chooses another. */
export const ALL_TIME = {
	dateRange: 'custom',
	fromDate: '2023-01-01T00:00:00Z',
	toDate: '2026-01-01T00:00:00Z',
};

/** A Manual Trigger and the export node; by default it gets all conversations there are. */
export function exportWorkflow(parameters: INodeParameters = {}): WorkflowFile {
	return {
		name: 'export',
		nodes: [
			{
				id: '1',
				name: 'Manual Trigger',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: '2',
				name: NODE,
				type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
				typeVersion: 1,
				position: [220, 0],
				parameters: {
					resource: 'conversation',
					operation: 'getAll',
					...ALL_TIME,
					returnAll: true,
					options: {},
					...parameters,
				},
				credentials: { conversationExportApi: { id: '', name: '' } },
			},
		],
		connections: { 'Manual Trigger': { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
