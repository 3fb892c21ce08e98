import { documentedSection, nodeSection } from '../../../scripts/parameters/render';

test('shows and saves the parameters that docs/parameters.md lists', async () => {
	const { ConversationIntelligence } = await import(
		'../../../nodes/ConversationIntelligence/ConversationIntelligence.node'
	);
	const { description } = new ConversationIntelligence();
	expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
});

test('tests each of its credentials when asked to', async () => {
	const { ConversationIntelligence } = await import(
		'../../../nodes/ConversationIntelligence/ConversationIntelligence.node'
	);
	const { description, methods } = new ConversationIntelligence();
	const named = description.credentials?.map(({ testedBy }) => testedBy);
	expect(Object.keys(methods.credentialTest)).toEqual(named);
});
