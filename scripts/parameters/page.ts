import { join } from 'node:path';
import { ConversationExportApi } from '../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../credentials/CrmAppointmentApi.credentials';
import { ConversationIntelligence } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node.js';
import { ConversationIntelligenceAppointments } from '../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node.js';
import { ConversationIntelligencePollTrigger } from '../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node.js';
import { ConversationIntelligenceTrigger } from '../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node.js';
import { credentialSection, nodeSection } from './render';

const INTRODUCTION = `# Parameters

What each panel shows, and under which names a workflow saves it: for workflows written by hand, through n8n's API or by a model. \`options.concurrency\` is the entry \`concurrency\` of the collection \`options\`. n8n drops an expression in place of a whole collection, so write one for each entry. Names, values and defaults on this page do not change within a major version, because saved workflows rely on them.

Generated from the nodes by \`npm run generate\`; \`npm run lint\` compares the two. How to use each parameter: [Conversation Intelligence](../conversation-intelligence.md), [Appointments](../conversation-intelligence-appointments.md), [Trigger](../conversation-intelligence-trigger.md), [Poll Trigger](../conversation-intelligence-poll-trigger.md), [credentials](../credentials.md).
`;

const nodes = [
	new ConversationIntelligence(),
	new ConversationIntelligenceAppointments(),
	new ConversationIntelligenceTrigger(),
	new ConversationIntelligencePollTrigger(),
];
const credentials = [new ConversationExportApi(), new CrmAppointmentApi()];

/** The content of docs/reference/parameters.md by its path. */
export function parametersPage(): Map<string, string> {
	const sections = [
		INTRODUCTION,
		...nodes.map(({ description }) => nodeSection(description)),
		...credentials.map(({ displayName, name, properties }) =>
			credentialSection(displayName, name, properties),
		),
	];
	return new Map([[join(__dirname, '../../docs/reference/parameters.md'), sections.join('\n')]]);
}
