import { documentedSection, nodeSection } from '../../../scripts/parameters/render';

test('shows and saves the parameters that docs/parameters.md lists', async () => {
	const { ConversationIntelligencePollTrigger } = await import(
		'../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node'
	);
	const { description } = new ConversationIntelligencePollTrigger();
	expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
});
