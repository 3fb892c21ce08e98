import { documentedSection, nodeSection } from '../../../scripts/parameters/render';

test('shows and saves the parameters that docs/parameters.md lists', async () => {
	const { ConversationIntelligencePollTrigger } = await import(
		'../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node'
	);
	const { description } = new ConversationIntelligencePollTrigger();
	expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
});

test('tests each of its credentials when asked to', async () => {
	const { ConversationIntelligencePollTrigger } = await import(
		'../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node'
	);
	const { description, methods } = new ConversationIntelligencePollTrigger();
	const named = description.credentials?.map(({ testedBy }) => testedBy);
	expect(Object.keys(methods.credentialTest)).toEqual(named);
});
