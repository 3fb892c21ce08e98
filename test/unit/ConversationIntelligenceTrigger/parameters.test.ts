import { documentedSection, nodeSection } from '../../../scripts/parameters/render';

test('shows and saves the parameters that docs/parameters.md lists', async () => {
	const { ConversationIntelligenceTrigger } = await import(
		'../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node'
	);
	const { description } = new ConversationIntelligenceTrigger();
	expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
});

test('tests each of its credentials when asked to', async () => {
	const { ConversationIntelligenceTrigger } = await import(
		'../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node'
	);
	const { description, methods } = new ConversationIntelligenceTrigger();
	const named = description.credentials?.map(({ testedBy }) => testedBy);
	expect(Object.keys(methods.credentialTest)).toEqual(named);
});
