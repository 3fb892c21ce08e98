import type { INode } from 'n8n-workflow';
import { exampleWorkflows } from '../../../harness/workflows';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { unknownNames, unknownPaths } from '../../support/exampleNames';

const DESCRIPTIONS = [
	ConversationIntelligence,
	ConversationIntelligenceAppointments,
	ConversationIntelligencePollTrigger,
	ConversationIntelligenceTrigger,
].map((node) => new node().description);

const unknownIn = (node: INode) => {
	const name = node.type.split('.')[1];
	const description = DESCRIPTIONS.find((one) => one.name === name.replace(/Tool$/, ''));
	return description ? unknownNames(node, { ...description, name }) : [];
};
const examples = exampleWorkflows();

test.each(examples)('$slug names no parameter, value or path that the nodes lack', ({ workflow }) => {
	expect(workflow.nodes.flatMap(unknownIn)).toEqual([]);
	expect(unknownPaths(workflow)).toEqual([]);
});
