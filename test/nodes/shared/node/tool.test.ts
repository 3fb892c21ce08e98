import type { INode } from 'n8n-workflow';
import { isTool } from '../../../../nodes/shared/node/tool';

test.each([
	['conversationIntelligenceAppointments', false],
	['conversationIntelligenceAppointmentsTool', true],
])('a node of the type %s is one that an agent calls: %p', (type, expected) => {
	expect(isTool({ type: `n8n-nodes-conversation-intelligence.${type}` } as INode)).toBe(expected);
});
